import { DAY } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { escapeHtml } from '../../base/html/escape.ts';
import { linkHtml, safeAddress } from './twin-links.ts';
import { fill, type TwinTexts } from './twin-texts.ts';

/** Width at which pictures of ours are shown, in pixels. */
const WIDTH = 490;
/** Texts of at least so many characters are no headings. */
export const LONG = 50;
const PICTURE = /^\/media\/[^?]+\.(?:png|jpe?g|webp)$/i;

/** Address at which a picture is shown, ours in a fitting width; null where it may not be. */
export function shownPicture(given: string): string | null {
  const address = safeAddress(given);
  return address && PICTURE.test(address) ? `${address}?width=${WIDTH}` : address;
}

/** What the elements of a text page have in common. */
export interface TwinPlace {
  texts: TwinTexts;
  /** Public path of the room. */
  path: string;
  /** The server's clock in seconds since 1970. */
  now: number;
  /** Items of the feed that fills a group, as HTML. */
  itemsOf(feedId: number): string;
}

/** Whether an element's window of the day is open. */
export function isThere({ visible_between, utc_offset }: Element, now: number): boolean {
  if (!visible_between) return true;
  const { from, till } = visible_between;
  const local = now - (utc_offset ?? 0) * 60;
  const second = local - Math.floor(local / DAY) * DAY;
  return from <= till ? from <= second && second < till : second >= from || second < till;
}

/** Plain text as a paragraph; nothing where it says nothing. */
export const paragraph = (text: string) =>
  text.trim() === '' ? '' : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
/** A text as it reads best: short ones are headings. */
const words = (text: string, link: (html: string) => string) =>
  text.length < LONG ? `<h2>${link(escapeHtml(text))}</h2>` : `<p>${link(escapeHtml(text))}</p>`;

function picture(element: Extract<Element, { element: 'image' }>, place: TwinPlace): string {
  const { file_url, title, text, author, date, navigation } = element.config;
  const shown = shownPicture(file_url || element.file?.url || '');
  if (!shown) return '';
  const alternative = title || element.name;
  const image = `<img src="${escapeHtml(shown)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
  const source = [author, date].filter(Boolean).join(', ');
  const caption = [title && `<strong>${escapeHtml(title)}</strong>`, paragraph(text), escapeHtml(source)].filter(
    Boolean,
  );
  // The name of a link is its picture's; a dialog's own content is opened by words.
  const isFolded = navigation.type === 'modal_content';
  return `<figure>${isFolded ? image : linkHtml(navigation, image, place.path)}${
    caption.length ? `<figcaption>${caption.join(' ')}</figcaption>` : ''
  }</figure>${isFolded ? linkHtml(navigation, escapeHtml(alternative), place.path) : ''}`;
}

/** What plays: in the browser's own player where it can, otherwise a link to its platform. */
function media(element: Element, { texts }: TwinPlace): string {
  const name = element.name || texts.textUntitled;
  const label = escapeHtml(fill(element.element === 'audio' ? texts.textSound : texts.textFilm, { name }));
  const player = (tag: 'audio' | 'video', address: string) =>
    `<figure><${tag} controls preload="none" src="${escapeHtml(address)}"></${tag}><figcaption>${label}</figcaption></figure>`;
  const linked = (address: string) => `<p><a href="${escapeHtml(address)}">${label}</a></p>`;
  switch (element.element) {
    case 'audio': {
      const address = safeAddress(element.config.file_url || element.file?.url || '');
      return address ? player('audio', address) : '';
    }
    case 'native_video': {
      const { direct_url, src, file_url, module_video } = element.config;
      const given = direct_url || src || file_url || element.file?.url || module_video?.source_files[0]?.link;
      const address = safeAddress(given ?? '');
      return address ? player('video', address) : '';
    }
    case 'video':
    case 'live_stream': {
      const { type, id } = element.config;
      const chosen = (element.element === 'video' && element.config.module_video?.id) || id;
      if (chosen && type.startsWith('youtube'))
        return linked(`https://www.youtube.com/watch?v=${encodeURIComponent(chosen)}`);
      if (chosen && type.startsWith('vimeo')) return linked(`https://vimeo.com/${encodeURIComponent(chosen)}`);
      const film = element.element === 'video' ? element.config.file_url || element.file?.url : element.config.src;
      const address = safeAddress(film ?? '');
      return address ? player('video', address) : '';
    }
    default:
      return '';
  }
}

function elementHtml(element: Element, place: TwinPlace): string {
  const { texts, path } = place;
  switch (element.element) {
    case 'image':
      return picture(element, place);
    case 'text':
      return words(element.config.text, (html) => linkHtml(element.config.navigation, html, path));
    case 'html':
    case 'rich_text': {
      const { body, navigation } = element.config;
      const link =
        navigation.type === 'disabled' ? '' : `<p>${linkHtml(navigation, escapeHtml(element.name), path)}</p>`;
      return `<div>${body}</div>${element.name ? link : ''}`;
    }
    case 'button': {
      const { title, sub_title, navigation } = element.config;
      return `<p>${linkHtml(navigation, escapeHtml([title, sub_title].filter(Boolean).join(' – ')), path)}</p>`;
    }
    case 'iframe': {
      const address = safeAddress(element.config.file_url || element.file?.url || element.config.src);
      const label = fill(texts.textFrame, { name: element.name || texts.textUntitled });
      return address ? `<p><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>` : '';
    }
    case 'model': {
      if (!element.name) return '';
      const label = escapeHtml(fill(texts.textModel, { name: element.name }));
      return `<p>${linkHtml(element.config.navigation, label, path)}</p>`;
    }
    case 'group': {
      const { feed_enabled, feed_id } = element.config;
      const items = feed_enabled && feed_id !== null ? place.itemsOf(feed_id) : '';
      const inner = [elementsHtml(element.children, place), items].filter(Boolean).join('\n');
      const label = escapeHtml(element.name || texts.textUntitled);
      return inner && `<section aria-label="${label}">${inner}</section>`;
    }
    default:
      return media(element, place);
  }
}

/** Elements as HTML without scripts, in the order of the document. Its HTML parts were cleaned when they were stored. */
export const elementsHtml = (elements: readonly Element[], place: TwinPlace): string =>
  elements
    .filter((element) => isThere(element, place.now))
    .map((element) => elementHtml(element, place))
    .filter(Boolean)
    .join('\n');
