import type { Link } from '../../../../engine/document/navigation.ts';
import { flatten } from '../../../../engine/document/tree.ts';
import type { PublicEndpoint, Settings } from '../../../contract/entities.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { elementsHtml } from './twin-elements.ts';
import { feedItemHtml, type TwinFeeds } from './twin-feeds.ts';
import { linkHtml } from './twin-links.ts';
import { elsewhere, sectionsHtml, sectionsOf } from './twin-places.ts';
import { fillText, twinTexts } from './twin-texts.ts';

const STYLE = `
  body { max-width: 44rem; margin: 0 auto; padding: 24px 16px 64px; background: #f7f6f2; color: #14171c;
    font: 400 17px/1.6 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere; }
  :is(p, li, h1, h2, h3, h4, blockquote, figcaption, td, th) { unicode-bidi: plaintext; }
  a { color: #1f5d5b; } img, video { max-width: 100%; height: auto; } figure { margin: 24px 0; }
  label, input, button { display: block; margin: 8px 0; font: inherit; }
  input, button { min-height: 44px; padding: 4px 12px; }
  .wrong { color: #b3362b; }
  @media print {
    body { max-width: none; padding: 0; background: #fff; color: #000; font-size: 12pt; }
    nav, .enter { display: none; }
    details::details-content { display: block; height: auto; content-visibility: visible; }
    figure { display: grid; grid-template-columns: 45% 1fr; gap: 16px; align-items: start; break-inside: avoid; }
    h1, h2, h3, summary { break-after: avoid; }
  }
  @media screen and (prefers-color-scheme: dark) { body { background: #14171c; color: #f7f6f2; } a { color: #8ad0cd; } .wrong { color: #f0938a; } }
`;

/** A complete text page. @param body HTML of the content */
export function textPage(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The text page with the token form. @param sentence error of the last token */
export function codePage(language: Language, { name, texts: own }: Settings, sentence: string): string {
  const texts = twinTexts(language, own);
  const wrong = sentence ? `<p class="wrong" role="alert">${escapeHtml(sentence)}</p>` : '';
  return textPage(
    language,
    name,
    `<main><h1>${escapeHtml(texts.codeTitle)}</h1>
<form method="post"><label for="code">${escapeHtml(texts.codeLabel)}</label>
<input id="code" name="code" type="password" required maxlength="255" autocomplete="one-time-code">
${wrong}<button type="submit">${escapeHtml(texts.login)}</button></form></main>`,
  );
}

const list = (title: string, items: readonly string[]) =>
  items.length === 0
    ? ''
    : `<nav aria-label="${escapeHtml(title)}"><h2>${escapeHtml(title)}</h2><ul>${items
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
  const at = new Date(opensAt * 1000);
  const shown = clockText(at, language, time_zone ?? 'UTC');
  const time = `<time datetime="${at.toISOString()}">${escapeHtml(shown)}</time>`;
  const sentence = fillText(escapeHtml(twinTexts(language, settings.texts).startsAt), { time });
  const body = `<main><h1>${escapeHtml(name)}</h1><p>${sentence}</p></main>`;
  return textPage(language, `${name} – ${settings.name}`, body);
}

/** A room as a text page: the same document in reading order, without scripts. */
export function roomPage(
  language: Language,
  settings: Settings,
  { room, path, current_time }: PublicEndpoint & { room: NonNullable<PublicEndpoint['room']> },
  feeds: TwinFeeds,
): string {
  const texts = twinTexts(language, settings.texts);
  const itemsOf = (id: number) => (feeds.get(id) ?? []).map((item) => feedItemHtml(item, texts)).join('\n');
  const sections = sectionsOf(room.elements, current_time);
  const known = new Set(sections.map(({ id }) => id));
  const place = { texts, path, sections: known, now: current_time, itemsOf };
  const { top_left_link, top_right_link, bottom_left_link, bottom_right_link } = room.config;
  const links = [top_left_link, top_right_link, bottom_left_link, bottom_right_link]
    .filter((link): link is Link => link !== null && link.name !== '' && link.navigation.type !== 'disabled')
    .map(({ name, navigation }) => linkHtml(navigation, escapeHtml(name), place));
  const viewPoints = flatten(room.elements).flatMap((element) =>
    element.element === 'view_point' && !known.has(element.id) && (element.config.name || element.name)
      ? [
          `<a href="${escapeHtml(path)}#view_point=${element.id}">${escapeHtml(element.config.name || element.name)}</a>`,
        ]
      : [],
  );
  return textPage(
    language,
    `${room.title} – ${settings.name}`,
    `<main dir="auto"><h1>${escapeHtml(room.title)}</h1>
${room.description}
${elementsHtml(elsewhere(room.elements), place)}
${sectionsHtml(sections, room.elements, place)}
</main>
${list(texts.textLinks, links)}
${list(texts.viewPoints, viewPoints)}
<p class="enter"><a href="${escapeHtml(path)}">${escapeHtml(texts.textEnter)}</a></p>`,
  );
}
