import { alternativeOf, alternativePath, creditOf, longTextsOf } from '../../../../engine/document/alternative.ts';
import type { Element, NestedElement } from '../../../../engine/document/element.ts';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { sourceOf } from '../../../../engine/document/source.ts';
import { traitsOf } from '../../../../engine/document/traits-of.ts';
import { isOpenAt } from '../../../../engine/document/window.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { LanguageMarks } from './twin-languages.ts';
import { linkHtml, safeAddress, type TwinPaths } from './twin-links.ts';
import type { TwinTexts } from './twin-texts.ts';

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
  language: Language;
  texts: TwinTexts;
  /** Marks texts that stay in the room's main language. */
  marksOf: LanguageMarks;
  /** Whether content of other hosts may load; otherwise it is linked. */
  hasThirdParties: boolean;
  /** The server's clock in seconds since 1970. */
  now: number;
  /** Items of a group's feed, as HTML. */
  itemsOf(feedId: number): string;
}

/** Plain text as a paragraph; empty if there is no text. @param marks attributes for its language */
export const paragraph = (text: string, marks = '') =>
  text.trim() === '' ? '' : `<p${marks}>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;
/** A short text as a heading, a long one as a paragraph. */
const words = (text: string, marks: string, link: (html: string) => string) =>
  text.length < LONG ? `<h2${marks}>${link(escapeHtml(text))}</h2>` : `<p${marks}>${link(escapeHtml(text))}</p>`;

/** A subtitle track of a file or a platform. */
interface TwinTrack {
  language: string;
  link?: string;
  type?: 'subtitles' | 'captions';
  id?: string;
  name?: string;
}

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
  text_tracks?: readonly TwinTrack[];
  audio_description?: string;
  feed_enabled?: boolean;
  feed_id?: number | null;
  navigation?: Navigation;
}

/** A longer text that opens on request; empty if there is none. @param marks attributes for its language */
export const disclosure = (label: string, text: string, marks: string): string =>
  text.trim() === '' ? '' : `<details><summary>${escapeHtml(label)}</summary>${paragraph(text, marks)}</details>`;

/** The detailed description and the transcript of an element, each labeled with its name. */
export function longTextsHtml(element: Pick<Element, 'id' | 'config'>, name: string, place: TwinPlace): string {
  const { description, transcript } = longTextsOf(element);
  const { language, texts, marksOf } = place;
  const marks = (path: string) => marksOf(element.id, path);
  return (
    disclosure(fillText(language, texts.descriptionOf, { name }), description, marks('config.long_description')) +
    disclosure(fillText(language, texts.transcriptOf, { name }), transcript, marks('config.transcript'))
  );
}

/** Path of the content of a dialog that an element opens. */
const DIALOG = 'config.navigation.type_config.content';

const UNLINKED: Navigation = { type: 'disabled', type_config: {} };

/** Whether a URL is of another host, whose content must not load by itself. */
const isWithheld = (address: string, { hasThirdParties }: TwinPlace): boolean =>
  !hasThirdParties && !address.startsWith('/');

/** Subtitle tracks of this site. Those of other hosts load only if the video's host allows this site to read it. */
function tracksHtml({ text_tracks = [] }: ToldConfig): string {
  const tracks = text_tracks.map(({ language, link, type = 'subtitles', id = '', name }) => {
    const address = safeAddress(link ?? id);
    // IDs of platforms aren't paths.
    if (address === null || !/^\//.test(link ?? id)) return '';
    return `<track kind="${type}" srclang="${escapeHtml(language)}" label="${escapeHtml(name || language)}" src="${escapeHtml(address)}">`;
  });
  return tracks.join('');
}

/** The audio description of a video; a link if it is on another host that must not load by itself. */
function audioDescription({ audio_description = '' }: ToldConfig, name: string, place: TwinPlace): string {
  const address = safeAddress(audio_description);
  if (address === null) return '';
  const label = escapeHtml(`${place.texts.audioDescription}: ${name}`);
  if (isWithheld(address, place)) return `<p><a href="${escapeHtml(address)}">${label}</a></p>`;
  return `<figure><audio controls preload="none" src="${escapeHtml(address)}" aria-label="${label}"></audio><figcaption>${label}</figcaption></figure>`;
}

const spanOf = (html: string, marks: string): string => (marks ? `<span${marks}>${html}</span>` : html);

function picture(element: NestedElement, place: TwinPlace): string {
  const { title, text = '', appearance, navigation = UNLINKED } = element.config as ToldConfig;
  const shown = shownPicture(sourceOf(element));
  if (!shown) return '';
  const alternative = alternativeOf(element);
  const shownName = alternative || title || element.name || place.texts.textUntitled;
  const name = escapeHtml(shownName);
  const longTexts = longTextsHtml(element, title || shownName, place);
  const { id } = element;
  const marksOf = (...paths: string[]) => place.marksOf(id, ...paths);
  const marks = marksOf(alternativePath(element));
  const withheld = isWithheld(shown, place);
  const image = withheld
    ? `<a href="${escapeHtml(shown)}"${marks}>${name}</a>`
    : `<img src="${escapeHtml(shown)}" alt="${escapeHtml(alternative)}"${marks} loading="lazy">`;
  if (appearance === 'plan') {
    const plan = { name: escapeHtml(element.name || title || alternative || place.texts.textUntitled) };
    return `<figure>${image}<figcaption>${fillText(place.language, escapeHtml(place.texts.textPlan), plan)}</figcaption></figure>${longTexts}`;
  }
  const caption = [
    title && `<strong${marksOf('config.title')}>${escapeHtml(title)}</strong>`,
    paragraph(text, marksOf('config.text')),
    spanOf(escapeHtml(creditOf(element)), marksOf('config.author', 'config.date')),
  ].filter(Boolean);
  // A link is named by its image; the content of a dialog needs a text to open it, and a link can't contain another.
  const isFolded = navigation.type === 'modal_content' || (withheld && navigation.type !== 'disabled');
  return `<figure>${isFolded || withheld ? image : linkHtml(navigation, image, place)}${
    caption.length ? `<figcaption>${caption.join(' ')}</figcaption>` : ''
  }</figure>${isFolded ? linkHtml(navigation, escapeHtml(title || alternative || element.name), place, marksOf(DIALOG)) : ''}${longTexts}`;
}

/** Media with its audio description, detailed description and transcript. */
function media(element: NestedElement, place: TwinPlace): string {
  const name = alternativeOf(element) || place.texts.textUntitled;
  const player = playerHtml(element, name, place);
  return (
    player && player + audioDescription(element.config as ToldConfig, name, place) + longTextsHtml(element, name, place)
  );
}

/** A native player if the browser supports the format, otherwise a link to the platform. */
function playerHtml(element: NestedElement, name: string, place: TwinPlace): string {
  const { language, texts } = place;
  const isSound = traitsOf(element.element).plays === 'sound';
  const label = escapeHtml(fillText(language, isSound ? texts.textSound : texts.textFilm, { name }));
  const linked = (address: string) => `<p><a href="${escapeHtml(address)}">${label}</a></p>`;
  const config = element.config as ToldConfig;
  const { type = '', id, module_video } = config;
  // Media with a platform type use the video chosen there; others use its file.
  const chosen = type && (module_video?.id || id);
  if (chosen && type.startsWith('youtube'))
    return linked(`https://www.youtube.com/watch?v=${encodeURIComponent(chosen)}`);
  if (chosen && type.startsWith('vimeo')) return linked(`https://vimeo.com/${encodeURIComponent(chosen)}`);
  const address = safeAddress(sourceOf(element));
  if (address && isWithheld(address, place)) return linked(address);
  const tag = isSound ? 'audio' : 'video';
  return address
    ? `<figure><${tag} controls preload="none" src="${escapeHtml(address)}">${isSound ? '' : tracksHtml(config)}</${tag}><figcaption>${label}</figcaption></figure>`
    : '';
}

function group({ children, config, name }: NestedElement, place: TwinPlace): string {
  const { feed_enabled, feed_id } = config as ToldConfig;
  const items = feed_enabled && feed_id ? place.itemsOf(feed_id) : '';
  const inner = [elementsHtml(children, place), items].filter(Boolean).join('\n');
  return inner && `<section aria-label="${escapeHtml(name || place.texts.textUntitled)}">${inner}</section>`;
}

function elementHtml(element: NestedElement, place: TwinPlace): string {
  const { language, texts } = place;
  const marksOf = (...paths: string[]) => place.marksOf(element.id, ...paths);
  const { plays, reads } = traitsOf(element.element);
  const { title, sub_title, text = '', body = '', navigation = UNLINKED } = element.config as ToldConfig;
  switch (reads) {
    case 'picture':
      return picture(element, place);
    case 'words':
      return words(text, marksOf('config.text'), (html) => linkHtml(navigation, html, place, marksOf(DIALOG)));
    case 'page_part': {
      const link =
        navigation.type === 'disabled'
          ? ''
          : `<p>${linkHtml(navigation, escapeHtml(element.name), place, marksOf(DIALOG))}</p>`;
      return `<div${marksOf('config.body')}>${body}</div>${element.name ? link : ''}`;
    }
    case 'link':
      return `<p${marksOf('config.title', 'config.sub_title')}>${linkHtml(navigation, escapeHtml([title, sub_title].filter(Boolean).join(' – ')), place)}</p>`;
    case 'page': {
      const address = safeAddress(sourceOf(element));
      const name = alternativeOf(element) || element.name || texts.textUntitled;
      const label = fillText(language, texts.textFrame, { name });
      return address
        ? `<p><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>${longTextsHtml(element, name, place)}`
        : '';
    }
    case 'thing': {
      const name = alternativeOf(element) || (navigation.type === 'disabled' ? '' : element.name);
      if (!name) return '';
      const label = escapeHtml(fillText(language, texts.textModel, { name }));
      return `<p>${linkHtml(navigation, label, place)}</p>${longTextsHtml(element, name, place)}`;
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
