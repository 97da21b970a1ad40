import { alternativeOf, creditOf } from '../../../../engine/document/alternative.ts';
import type { NestedElement } from '../../../../engine/document/element.ts';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { sourceOf } from '../../../../engine/document/source.ts';
import { traitsOf } from '../../../../engine/document/traits-of.ts';
import { isOpenAt } from '../../../../engine/document/window.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { linkHtml, safeAddress, type TwinPaths } from './twin-links.ts';
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
export interface TwinPlace extends TwinPaths {
  texts: TwinTexts;
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
  appearance?: string;
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
  const { title, text = '', appearance, navigation = UNLINKED } = element.config as ToldConfig;
  const shown = shownPicture(sourceOf(element));
  if (!shown) return '';
  const alternative = alternativeOf(element);
  const image = `<img src="${escapeHtml(shown)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
  if (appearance === 'plan') {
    const name = escapeHtml(element.name || title || alternative || place.texts.textUntitled);
    return `<figure>${image}<figcaption>${fillText(escapeHtml(place.texts.textPlan), { name })}</figcaption></figure>`;
  }
  const caption = [
    title && `<strong>${escapeHtml(title)}</strong>`,
    paragraph(text),
    escapeHtml(creditOf(element)),
  ].filter(Boolean);
  // A link is named by its image; the content of a dialog needs a text to open it.
  const isFolded = navigation.type === 'modal_content';
  return `<figure>${isFolded ? image : linkHtml(navigation, image, place)}${
    caption.length ? `<figcaption>${caption.join(' ')}</figcaption>` : ''
  }</figure>${isFolded ? linkHtml(navigation, escapeHtml(title || alternative || element.name), place) : ''}`;
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
  const { texts } = place;
  const { plays, reads } = traitsOf(element.element);
  const { title, sub_title, text = '', body = '', navigation = UNLINKED } = element.config as ToldConfig;
  switch (reads) {
    case 'picture':
      return picture(element, place);
    case 'words':
      return words(text, (html) => linkHtml(navigation, html, place));
    case 'page_part': {
      const link =
        navigation.type === 'disabled' ? '' : `<p>${linkHtml(navigation, escapeHtml(element.name), place)}</p>`;
      return `<div>${body}</div>${element.name ? link : ''}`;
    }
    case 'link':
      return `<p>${linkHtml(navigation, escapeHtml([title, sub_title].filter(Boolean).join(' – ')), place)}</p>`;
    case 'page': {
      const address = safeAddress(sourceOf(element));
      const label = fillText(texts.textFrame, { name: element.name || texts.textUntitled });
      return address ? `<p><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>` : '';
    }
    case 'thing': {
      const name = alternativeOf(element) || (navigation.type === 'disabled' ? '' : element.name);
      if (!name) return '';
      return `<p>${linkHtml(navigation, escapeHtml(fillText(texts.textModel, { name })), place)}</p>`;
    }
    case 'children':
      return group(element, place);
    default:
      return plays ? media(element, place) : '';
  }
}

/** Whether an element is only a patch over the tripod. */
export const isNadir = ({ element, config }: NestedElement): boolean =>
  element === 'image' && config.appearance === 'nadir';

/** Elements as script-free HTML in document order. Their HTML was sanitized when it was stored. */
export const elementsHtml = (elements: readonly NestedElement[], place: TwinPlace): string =>
  elements
    .filter((element) => isOpenAt(element, place.now) && !isNadir(element))
    .map((element) => elementHtml(element, place))
    .filter(Boolean)
    .join('\n');
