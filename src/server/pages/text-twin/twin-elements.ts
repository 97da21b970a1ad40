import { alternativeOf, creditOf } from '../../../../engine/document/alternative.ts';
import type { NestedElement } from '../../../../engine/document/element.ts';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { sourceOf } from '../../../../engine/document/source.ts';
import { traitsOf } from '../../../../engine/document/traits-of.ts';
import { isOpenAt } from '../../../../engine/document/window.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { linkHtml, safeAddress } from './twin-links.ts';
import { fillText, type TwinTexts } from './twin-texts.ts';

/** Width in pixels of our own images. */
const TWIN_IMAGE_WIDTH = 490;
/** Minimum length of texts that aren't headings. */
export const LONG = 50;
const IMAGE_ADDRESS = /^\/media\/[^?]+\.(?:png|jpe?g|webp)$/i;

/** URL of an image, resized if it is ours; null if it isn't allowed. */
export function shownPicture(given: string): string | null {
  const address = safeAddress(given);
  return address && IMAGE_ADDRESS.test(address) ? `${address}?width=${TWIN_IMAGE_WIDTH}` : address;
}

/** Context of the elements of a text page. */
export interface TwinPlace {
  texts: TwinTexts;
  /** Public path of the room. */
  path: string;
  /** The server's clock in seconds since 1970. */
  now: number;
  /** Items of a group's feed, as HTML. */
  itemsOf(feedId: number): string;
}

/** Plain text as a paragraph; empty if there is no text. */
export const paragraph = (text: string) =>
  text.trim() === '' ? '' : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
/** A short text as a heading, a long one as a paragraph. */
const words = (text: string, link: (html: string) => string) =>
  text.length < LONG ? `<h2>${link(escapeHtml(text))}</h2>` : `<p>${link(escapeHtml(text))}</p>`;

/** Settings that appear as text; each type has some of them. */
interface ToldConfig {
  title?: string;
  sub_title?: string;
  text?: string;
  body?: string;
  type?: string;
  id?: string;
  module_video?: { id: string } | null;
  feed_enabled?: boolean;
  feed_id?: number | null;
  navigation?: Navigation;
}

const UNLINKED: Navigation = { type: 'disabled', type_config: {} };

function picture(element: NestedElement, place: TwinPlace): string {
  const { title, text = '', navigation = UNLINKED } = element.config as ToldConfig;
  const shown = shownPicture(sourceOf(element));
  if (!shown) return '';
  const alternative = alternativeOf(element);
  const image = `<img src="${escapeHtml(shown)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
  const caption = [
    title && `<strong>${escapeHtml(title)}</strong>`,
    paragraph(text),
    escapeHtml(creditOf(element)),
  ].filter(Boolean);
  // A link is named by its image; the content of a dialog needs a text to open it.
  const isFolded = navigation.type === 'modal_content';
  return `<figure>${isFolded ? image : linkHtml(navigation, image, place.path)}${
    caption.length ? `<figcaption>${caption.join(' ')}</figcaption>` : ''
  }</figure>${isFolded ? linkHtml(navigation, escapeHtml(title || alternative || element.name), place.path) : ''}`;
}

/** A native player if the browser supports the format, otherwise a link to the platform. */
function media(element: NestedElement, { texts }: TwinPlace): string {
  const isSound = traitsOf(element.element).plays === 'sound';
  const name = alternativeOf(element) || texts.textUntitled;
  const label = escapeHtml(fillText(isSound ? texts.textSound : texts.textFilm, { name }));
  const linked = (address: string) => `<p><a href="${escapeHtml(address)}">${label}</a></p>`;
  const { type = '', id, module_video } = element.config as ToldConfig;
  // Media with a platform type use the video chosen there; others use its file.
  const chosen = type && (module_video?.id || id);
  if (chosen && type.startsWith('youtube'))
    return linked(`https://www.youtube.com/watch?v=${encodeURIComponent(chosen)}`);
  if (chosen && type.startsWith('vimeo')) return linked(`https://vimeo.com/${encodeURIComponent(chosen)}`);
  const address = safeAddress(sourceOf(element));
  const tag = isSound ? 'audio' : 'video';
  return address
    ? `<figure><${tag} controls preload="none" src="${escapeHtml(address)}"></${tag}><figcaption>${label}</figcaption></figure>`
    : '';
}

function group({ children, config, name }: NestedElement, place: TwinPlace): string {
  const { feed_enabled, feed_id } = config as ToldConfig;
  const items = feed_enabled && feed_id ? place.itemsOf(feed_id) : '';
  const inner = [elementsHtml(children, place), items].filter(Boolean).join('\n');
  return inner && `<section aria-label="${escapeHtml(name || place.texts.textUntitled)}">${inner}</section>`;
}

function elementHtml(element: NestedElement, place: TwinPlace): string {
  const { texts, path } = place;
  const { plays, reads } = traitsOf(element.element);
  const { title, sub_title, text = '', body = '', navigation = UNLINKED } = element.config as ToldConfig;
  switch (reads) {
    case 'picture':
      return picture(element, place);
    case 'words':
      return words(text, (html) => linkHtml(navigation, html, path));
    case 'page_part': {
      const link =
        navigation.type === 'disabled' ? '' : `<p>${linkHtml(navigation, escapeHtml(element.name), path)}</p>`;
      return `<div>${body}</div>${element.name ? link : ''}`;
    }
    case 'link':
      return `<p>${linkHtml(navigation, escapeHtml([title, sub_title].filter(Boolean).join(' – ')), path)}</p>`;
    case 'page': {
      const address = safeAddress(sourceOf(element));
      const label = fillText(texts.textFrame, { name: element.name || texts.textUntitled });
      return address ? `<p><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>` : '';
    }
    case 'thing': {
      const name = alternativeOf(element) || (navigation.type === 'disabled' ? '' : element.name);
      if (!name) return '';
      return `<p>${linkHtml(navigation, escapeHtml(fillText(texts.textModel, { name })), path)}</p>`;
    }
    case 'children':
      return group(element, place);
    default:
      return plays ? media(element, place) : '';
  }
}

/** Elements as script-free HTML in document order. Their HTML was sanitized when it was stored. */
export const elementsHtml = (elements: readonly NestedElement[], place: TwinPlace): string =>
  elements
    .filter((element) => isOpenAt(element, place.now))
    .map((element) => elementHtml(element, place))
    .filter(Boolean)
    .join('\n');
