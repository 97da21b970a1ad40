import sanitize, { type IOptions } from 'sanitize-html';

/** Maximum length of an inline style; longer ones are dropped. Hundreds of nested brackets take long to parse. */
const MAX_STYLE_LENGTH = 4000;

/** Maximum nesting depth; deeper tags are dropped. No one writes such depth by hand, and it makes parsing slow. */
const DEEPEST = 60;

const link: IOptions['transformTags'] = {
  a: (tagName, attribs) => ({
    tagName,
    attribs: attribs.target ? { ...attribs, target: '_blank', rel: 'noopener noreferrer' } : attribs,
  }),
};

function withShortStyle(tagName: string, attribs: Record<string, string>) {
  const { style, ...others } = attribs;
  return { tagName, attribs: style === undefined || style.length <= MAX_STYLE_LENGTH ? attribs : others };
}

const shared: IOptions = {
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: DEEPEST,
  transformTags: { ...link, '*': withShortStyle },
};

/** Allowed output of the rich text editor. */
const RICH_TEXT: IOptions = {
  ...shared,
  allowedTags: [
    ...['p', 'br', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span'],
    ...['a', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
  ],
  allowedAttributes: { a: ['href', 'target', 'rel'], li: ['data-list'] },
  allowedClasses: { '*': ['ql-*'] },
};

// Words, numbers, colors and lists of them, on any number of lines; no functions that load or look up, such as url() or
// var(), no comments, no escapes.
const PLAIN_VALUE = [
  /^(?![\s\S]*(?:\/\*|(?:url|src|image|image-set|cross-fade|element|paint|expression|attr|env|var)\s{0,4}\())[\w\s#.,%()+/*!'"-]{1,300}$/i,
];
const STYLES = [
  ...['color', 'background', 'background-color', 'opacity', 'box-shadow', 'text-shadow'],
  ...['font', 'font-family', 'font-size', 'font-style', 'font-weight', 'font-variant', 'line-height'],
  ...['letter-spacing', 'word-spacing', 'text-align', 'text-decoration', 'text-transform', 'text-indent'],
  ...['white-space', 'word-break', 'overflow-wrap', 'overflow', 'vertical-align', 'list-style', 'list-style-type'],
  ...['margin', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left'],
  ...['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left'],
  ...['border', 'border-top', 'border-right', 'border-bottom', 'border-left', 'border-color', 'border-radius'],
  ...['border-collapse', 'border-spacing', 'border-style', 'border-width'],
  ...['width', 'min-width', 'max-width', 'height', 'min-height', 'max-height', 'box-sizing', 'aspect-ratio'],
  ...['display', 'float', 'clear', 'columns', 'column-gap', 'row-gap', 'gap', 'object-fit', 'object-position'],
  ...['flex', 'flex-direction', 'flex-wrap', 'flex-grow', 'flex-shrink', 'flex-basis', 'order'],
  ...['align-items', 'align-self', 'align-content', 'justify-content', 'justify-items', 'justify-self'],
  ...['grid-template-columns', 'grid-template-rows', 'grid-column', 'grid-row', 'place-items'],
];

/** Hand-written HTML: also images, tables, classes and inline styles. */
const PAGE: IOptions = {
  ...shared,
  allowedTags: [
    ...(RICH_TEXT.allowedTags as string[]),
    ...['div', 'section', 'article', 'aside', 'header', 'footer', 'main', 'figure', 'figcaption', 'img', 'hr'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'dl', 'dt', 'dd'],
    ...['small', 'mark', 'del', 'ins', 'abbr', 'cite', 'q', 'time', 'kbd', 'samp', 'wbr', 'address'],
  ],
  allowedAttributes: {
    '*': ['class', 'style', 'title', 'lang', 'dir'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    li: ['data-list'],
    col: ['span'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
  },
  allowedStyles: { '*': Object.fromEntries(STYLES.map((name) => [name, PLAIN_VALUE])) },
};

/** Sanitizes rich text. */
export const sanitizeRichText = (html: string): string => sanitize(html, RICH_TEXT);

/** Sanitizes hand-written HTML: removes scripts, event handlers, frames, forms, and links other than https. */
export const sanitizePage = (html: string): string => sanitize(html, PAGE);

const HTML_ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The text of HTML, on one line. */
export const textOfHtml = (html: string): string =>
  sanitize(html.replace(/<(?:br|\/?(?:p|div|li|h\d|tr))\b/gi, ' $&'), { allowedTags: [], allowedAttributes: {} })
    .replace(/&(?:lt|gt|quot|amp);/g, (sign) => HTML_ENTITIES[sign]!)
    .replace(/\s+/g, ' ')
    .trim();

/** HTML, and the rules that sanitize it. */
export interface HtmlText {
  kind: 'page' | 'richText';
  html: string;
}

const SANITIZE = { page: sanitizePage, richText: sanitizeRichText } as const;

/** Sanitizes several texts, in order. */
export const cleanHtml = (texts: readonly HtmlText[]): string[] => texts.map(({ kind, html }) => SANITIZE[kind](html));
