import { withoutThirdParties } from '../../../../engine/document/third-parties.ts';
import { flatten } from '../../../../engine/document/tree.ts';
import { accentOf } from '../../../contract/accent-color.ts';
import { isLegible } from '../../../contract/contrast.ts';
import type { PublicEndpoint, Settings } from '../../../contract/entities.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { languageAttributes } from '../../features/visits/shown-language.ts';
import { disclosure, elementsHtml, shownPicture, type TwinPlace } from './twin-elements.ts';
import { feedItemHtml, type TwinFeeds } from './twin-feeds.ts';
import type { LanguageMarks } from './twin-languages.ts';
import { linkHtml, marked } from './twin-links.ts';
import { elsewhere, sectionsHtml, sectionsOf } from './twin-places.ts';
import { type TwinTexts, twinTexts } from './twin-texts.ts';

const STYLE = `
  body { max-width: 44rem; margin: 0 auto; padding: 24px 16px 64px; background: #f7f6f2; color: var(--text-on-light, #14171c);
    font: 400 17px/1.6 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere; }
  :is(p, li, h1, h2, h3, h4, blockquote, figcaption, td, th) { unicode-bidi: plaintext; }
  [dir='rtl'] nav li { text-align: right; }
  a { color: var(--link-on-light, #1f5d5b); } img, video { max-width: 100%; height: auto; } figure { margin: 24px 0; }
  label, input, textarea, button { display: block; margin: 8px 0; font: inherit; }
  input, textarea, button { min-height: 44px; padding: 4px 12px; max-width: 100%; box-sizing: border-box; }
  textarea { width: 100%; }
  summary { min-height: 24px; cursor: pointer; }
  .brand img { display: block; max-width: 200px; max-height: 64px; } .enter { margin: 24px 0; }
  .wrong { color: #b3362b; }
  @media print {
    body { max-width: none; padding: 0; background: #fff; color: #000; font-size: 12pt; }
    nav, .enter { display: none; }
    details::details-content { display: block; height: auto; content-visibility: visible; }
    figure { display: grid; grid-template-columns: 45% 1fr; gap: 16px; align-items: start; break-inside: avoid; }
    h1, h2, h3, summary { break-after: avoid; }
  }
  @media screen and (prefers-color-scheme: dark) { body { background: #14171c; color: var(--text-on-dark, #f7f6f2); } a { color: var(--link-on-dark, #8ad0cd); } .wrong { color: #f0938a; } }
`;

/** Backgrounds of text pages by color scheme. */
const BACKGROUNDS = { light: '#f7f6f2', dark: '#14171c' } as const;

/** Colors of a text page; null for the built-in ones. */
interface PageColors {
  text: string | null;
  link: string | null;
}

/** Declarations for the colors that are legible on a background of the page. */
const colorsStyle = (colors: PageColors): string =>
  Object.entries(colors)
    .flatMap(([name, color]) =>
      Object.entries(BACKGROUNDS).map(([scheme, background]) =>
        color !== null && isLegible(color, background) ? `--${name}-on-${scheme}:${color}` : '',
      ),
    )
    .filter(Boolean)
    .join(';');

/** How a text page is shown. */
interface PageLook {
  /** Colors of the organization; illegible ones are left out. */
  colors?: PageColors;
  /** Whether search engines may list it. */
  isListed?: boolean;
  /** Language of the content, as BCP 47 tag, if it isn't that of the interface. */
  shown?: string | undefined;
}

/** A complete text page. @param body HTML of the content */
export function textPage(
  language: Language,
  title: string,
  body: string,
  { colors, isListed = false, shown = language }: PageLook = {},
): string {
  const style = colors && colorsStyle(colors);
  return `<!doctype html>
<html ${languageAttributes(shown)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isListed ? '' : '<meta name="robots" content="noindex,nofollow">\n'}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body${style ? ` style="${style}"` : ''}>
${body}
</body>
</html>
`;
}

/** The link to the organization's accessibility statement; empty if it has none. */
const statementLink = ({ statement_url }: Settings, texts: TwinTexts): string =>
  statement_url === ''
    ? ''
    : `\n<footer><p><a href="${escapeHtml(statement_url)}">${escapeHtml(texts.statement)}</a></p></footer>`;

/** The text page with the token form. @param sentence error of the last token */
export function codePage(language: Language, settings: Settings, sentence: string): string {
  const { name } = settings;
  const texts = twinTexts(language, settings.texts);
  const wrong = sentence ? `<p class="wrong" role="alert">${escapeHtml(sentence)}</p>` : '';
  return textPage(
    language,
    name,
    `<main><h1>${escapeHtml(texts.codeTitle)}</h1>
<form method="post"><label for="code">${escapeHtml(texts.codeLabel)}</label>
<input id="code" name="code" type="password" required maxlength="255" autocomplete="one-time-code">
${wrong}<button type="submit">${escapeHtml(texts.login)}</button></form></main>${statementLink(settings, texts)}`,
  );
}

/** @param marks attributes of the title's language, and of the items' */
const list = (title: string, items: readonly string[], marks = { title: '', items: '' }) =>
  items.length === 0
    ? ''
    : `<nav aria-label="${escapeHtml(title)}"${marks.title}><h2>${escapeHtml(title)}</h2><ul${marks.items}>${items
        .map((item) => `<li>${item}</li>`)
        .join('')}</ul></nav>`;

/** A time of day with its zone, such as 20:00 Central European Summer Time. */
const clockText = (at: Date, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: timeZone === 'UTC' ? 'short' : 'long',
  }).format(at);

/** The text page of a room that opens later. @param opensAt seconds since 1970 */
export function openingPage(
  language: Language,
  settings: Settings,
  { name, time_zone }: Pick<PublicEndpoint, 'name' | 'time_zone'>,
  opensAt: number,
): string {
  const texts = twinTexts(language, settings.texts);
  const at = new Date(opensAt * 1000);
  const shown = clockText(at, language, time_zone ?? 'UTC');
  const time = `<time datetime="${at.toISOString()}">${escapeHtml(shown)}</time>`;
  const sentence = fillText(language, escapeHtml(texts.startsAt), { time });
  const body = `<main><h1 dir="auto">${escapeHtml(name)}</h1><p>${sentence}</p></main>${statementLink(settings, texts)}`;
  return textPage(language, `${name} – ${settings.name}`, body);
}

/** The panorama of the template, if there is a text about it. */
function panoramaHtml({ template, title }: NonNullable<PublicEndpoint['room']>, place: TwinPlace): string {
  const { alt = '', long_description = '' } = template?.config ?? {};
  const isDescribed = alt.trim() !== '' || long_description.trim() !== '';
  if (template?.model_type !== 'pano' || !template.file || !isDescribed) return '';
  const picture = shownPicture(template.file.url);
  const marks = alt.trim() ? place.marksOf('template', 'config.alt') : place.marksOf(null, 'title');
  const image =
    picture && `<img src="${escapeHtml(picture)}" alt="${escapeHtml(alt.trim() || title)}"${marks} loading="lazy">`;
  const label = fillText(place.language, place.texts.descriptionOf, { name: title });
  return `${image ?? ''}${disclosure(label, long_description, place.marksOf('template', 'config.long_description'))}`;
}

/** Logo of the template or organization, as over the room. */
function brandHtml({ template }: NonNullable<PublicEndpoint['room']>, { logo_url, name }: Settings): string {
  const logo = template?.logo_file?.url || logo_url;
  return logo ? `<header class="brand"><img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}"></header>` : '';
}

/** The language of a text page's content, and where it leads in others. */
export interface TwinLanguages {
  /** Language of the room; undefined if it states none. */
  shown: string | undefined;
  marksOf: LanguageMarks;
  /** Links to the page in each language. */
  links: readonly string[];
  /** Query that names the language on other pages; empty for none. */
  query: string;
}

/** A room as a text page: the same document in reading order, without scripts. */
export function roomPage(
  language: Language,
  settings: Settings,
  endpoint: PublicEndpoint & { room: NonNullable<PublicEndpoint['room']> },
  feeds: TwinFeeds,
  { shown, marksOf, links: languages, query }: TwinLanguages,
): string {
  const { room, path, current_time } = endpoint;
  const texts = twinTexts(language, settings.texts);
  const itemsOf = (id: number) => (feeds.get(id) ?? []).map((item) => feedItemHtml(item, language, texts)).join('\n');
  const sections = sectionsOf(room.elements, current_time);
  const known = new Set(sections.map(({ id }) => id));
  const hasThirdParties = settings.third_parties === 'specified';
  const place = { language, texts, marksOf, query, hasThirdParties, path, sections: known, now: current_time, itemsOf };
  const links = (['top_left_link', 'top_right_link', 'bottom_left_link', 'bottom_right_link'] as const).flatMap(
    (key) => {
      const link = room.config[key];
      if (!link?.name || link.navigation.type === 'disabled') return [];
      const marks = marksOf(null, `config.${key}.navigation.type_config.content`);
      const html = linkHtml(link.navigation, escapeHtml(link.name), place, marks);
      const nameMarks = marksOf(null, `config.${key}.name`);
      return [nameMarks ? `<span${nameMarks}>${html}</span>` : html];
    },
  );
  const viewPoints = flatten(room.elements).flatMap((element) =>
    element.element === 'view_point' && !known.has(element.id) && (element.config.name || element.name)
      ? [
          `<a href="${escapeHtml(path)}#view_point=${element.id}"${marksOf(element.id, 'config.name', 'name')}>${escapeHtml(element.config.name || element.name)}</a>`,
        ]
      : [],
  );
  const isForeign = shown !== undefined && new Intl.Locale(shown).language !== language;
  const marks = isForeign
    ? { title: ` ${languageAttributes(language)}`, items: ` ${languageAttributes(shown)}` }
    : undefined;
  const page = textPage(
    language,
    `${room.title} – ${settings.name}`,
    `${brandHtml(room, settings)}
<main${shown === undefined ? ' dir="auto"' : ''}><h1${marksOf(null, 'title')}>${escapeHtml(room.title)}</h1>
${marked(room.description, marksOf(null, 'description'))}
${panoramaHtml(room, place)}
${elementsHtml(elsewhere(room.elements), place)}
${sectionsHtml(sections, room.elements, place)}
</main>
${list(texts.textLinks, links, marks)}
${list(texts.viewPoints, viewPoints, marks)}
<footer class="enter"${marks?.title ?? ''}><a href="${escapeHtml(path)}">${escapeHtml(texts.textEnter)}</a></footer>
${list(texts.language, languages, marks)}${statementLink(settings, texts)}`,
    {
      shown,
      colors: {
        text: room.template?.font_color ?? settings.font_color,
        link: accentOf(settings, endpoint).color,
      },
    },
  );
  return hasThirdParties ? page : withoutThirdParties(page, []);
}
