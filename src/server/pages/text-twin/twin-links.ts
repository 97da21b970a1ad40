import type { Navigation } from '../../../../engine/document/navigation.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { PREVIEW_PARAMETER } from '../../features/publications/preview-links.ts';
import type { TwinTexts } from './twin-texts.ts';

/** Query of a page. @param preview token of a preview @param language the language in its URL */
export const pageQuery = (preview: string | null, language: string | null): string =>
  [
    preview !== null && `${PREVIEW_PARAMETER}=${encodeURIComponent(preview)}`,
    language && `lang=${encodeURIComponent(language)}`,
  ]
    .filter(Boolean)
    .join('&');

/** URL of the text version of a page with a query. */
export const textUrl = (query: string): string => escapeHtml(['?text', query].filter(Boolean).join('&'));

/** Parameter of a text page that shows the form to share to a feed. */
export const SHARE_PARAMETER = 'share';

/** URL of the form to share to a feed. @param query of the page */
export const shareUrl = (feedId: number, query = ''): string =>
  [`?text&${SHARE_PARAMETER}=${feedId}`, query].filter(Boolean).join('&');

/** A page's content without scripts. */
export const noScript = ({ textNeedsScript, asText }: TwinTexts, url: string): string =>
  `<noscript>${escapeHtml(textNeedsScript)} <a href="${url}">${escapeHtml(asText)}</a></noscript>`;

/** A nonexistent origin to detect relative URLs. */
const HERE = 'https://here.invalid';

/** A URL that may be linked or shown: https or relative; null otherwise. */
export function safeAddress(address: string): string | null {
  if (address.trim() === '' || !URL.canParse(address, HERE)) return null;
  const url = new URL(address, HERE);
  if (url.origin === HERE) return url.pathname + url.search + url.hash;
  return url.protocol === 'https:' ? url.href : null;
}

/** The text page of another room. @param query of the page, as far as others share it */
const twinOf = (path: string, query: string): string | null => {
  const address = safeAddress(path);
  return address === null ? null : `${address.split(/[?#]/)[0]}?text${query && `&${query}`}`;
};

/** Where links of a text page lead. */
export interface TwinPaths {
  /** Public path of the room. */
  path: string;
  /** Query that names the language on other pages; empty for none. */
  query: string;
  /** IDs of the view points with a section on the page. */
  sections: ReadonlySet<number>;
}

/** ID of a view point's section on a text page. */
export const sectionId = (viewPointId: number): string => `place-${viewPointId}`;

/** Target of a link on a text page; null if it works only in the room itself. */
export function linkAddress(navigation: Navigation, { path, query, sections }: TwinPaths): string | null {
  switch (navigation.type) {
    case 'space':
      return twinOf(navigation.type_config.endpoint_url, query);
    case 'slug': {
      const { slug_one, slug_two } = navigation.type_config;
      return slug_one
        ? twinOf(`/${[slug_one, slug_two].filter(Boolean).map(encodeURIComponent).join('/')}`, query)
        : null;
    }
    case 'url':
    case 'modal_url':
      return safeAddress(navigation.type_config.url);
    case 'view_point': {
      const id = navigation.type_config.view_point_id;
      if (id === null) return null;
      return sections.has(id) ? `#${sectionId(id)}` : `${path}#view_point=${id}`;
    }
    case 'modal_share': {
      const { feed_id } = navigation.type_config;
      return feed_id === null ? null : shareUrl(feed_id, path.split('?')[1]);
    }
    default:
      return null;
  }
}

/** HTML with attributes for its language. */
export const marked = (html: string, marks: string): string => (marks ? `<div${marks}>${html}</div>` : html);

/**
 * A link with its content, or only the content if it has no target; a dialog's content is shown below.
 * @param words HTML
 * @param marks attributes of the dialog's content
 */
export function linkHtml(navigation: Navigation | undefined, words: string, paths: TwinPaths, marks = ''): string {
  if (!navigation) return words;
  if (navigation.type === 'modal_content') {
    const { title, content } = navigation.type_config;
    return `<details><summary>${words || escapeHtml(title)}</summary>${marked(content, marks)}</details>`;
  }
  const address = linkAddress(navigation, paths);
  return address === null ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
}
