import { type Element, type ElementType, flatElementSchema } from '../../../engine/document/element.ts';
import { href } from '../../../engine/document/fields.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { videoAt } from '../session/video-address.ts';

/** An element to add. */
export interface ElementContent {
  kind: 'element';
  type: ElementType;
  name: string;
  fields: object;
  config: object;
}

/** Interpretation of pasted text. */
export type Content =
  /** A file to copy into the library from its URL. @param linked element that plays it from there instead */
  | { kind: 'file'; url: string; name: string; linked: ElementContent | null }
  | ElementContent
  /** A URL that no element supports. */
  | { kind: 'refused'; why: string };

/** Default sizes in units, for content without one. */
const PAGE_SIZE = { width: 800, height: 600 };
const VIDEO_SIZE = { width: 800, height: 450 };
const TEXT_SIZE = { width: 400 };

/** Maximum characters of a text element, and of a name derived from it. */
const [MAX_TEXT, MAX_NAME] = [50_000, 60];

/** Links to files: images and models are copied into the library, because drawing them needs their site's consent. */
const COPIED = /\.(?:jpe?g|png|webp|avif|gif|heic|glb)$/i;
const AUDIO = /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac)$/i;
/** Videos are streamed from their site; HLS playlists play live as well. */
const VIDEO = /\.(?:mp4|m4v|mov|webm|m3u8)$/i;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A list item as word processors copy it to plain text: a bullet, a number or a letter, and a tab. */
const LIST_ITEM =
  /^\s*(?:(?<bullet>[·•◦▪▫■□●○§‣–o*-])|(?:(?<digits>\d{1,3})|(?<roman>[ivx]{1,4})|[a-z])[.)])\t\s*(?<words>.*)$/u;

type Item = { [name in 'bullet' | 'digits' | 'roman' | 'words']?: string };

/** What the items of one level have in common: word processors mark each level differently, and don't indent it. */
const kindOf = ({ bullet, digits, roman }: Item): string => bullet ?? (digits ? '1' : roman ? 'i' : 'a');

/** List items as nested lists: another kind of item is a level deeper, until one of an outer level follows. */
function listOf(items: readonly Item[]): string {
  const levels: { kind: string; tag: 'ul' | 'ol' }[] = [];
  let html = '';
  const close = () => (html += `</li></${levels.pop()!.tag}>`);
  for (const item of items) {
    const kind = kindOf(item);
    const tag = item.bullet ? 'ul' : 'ol';
    const level = levels.findIndex((each) => each.kind === kind);
    if (level < 0) {
      levels.push({ kind, tag });
      html += `<${tag}>`;
    } else {
      while (levels.length > level + 1) close();
      html += '</li>';
    }
    html += `<li>${escaped(item.words!.trim())}`;
  }
  while (levels.length > 0) close();
  return html;
}

/** Lines of text as HTML: lists for list items, and a paragraph for other lines. */
function blockOf(lines: readonly string[]): string {
  const runs: ({ items: Item[] } | { texts: string[] })[] = [];
  for (const line of lines) {
    const item: Item | undefined = LIST_ITEM.exec(line)?.groups;
    const last = runs.at(-1);
    if (item) {
      if (last && 'items' in last) last.items.push(item);
      else runs.push({ items: [item] });
    } else if (last && 'texts' in last) last.texts.push(escaped(line.trim()));
    else runs.push({ texts: [escaped(line.trim())] });
  }
  return runs.map((run) => ('items' in run ? listOf(run.items) : `<p>${run.texts.join('<br>')}</p>`)).join('');
}

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => blockOf(part.split('\n')))
    .join('');

/** An attribute of a tag; undefined if it is missing. */
function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.replaceAll('&amp;', '&').trim();
}

/** A page element for a URL, or the reason why there is none. */
function pageAt(address: string, size: { width: number; height: number }): Content | null {
  const url = URL.parse(address);
  const { success, error } = href.safeParse(url?.href ?? address);
  if (!success) return { kind: 'refused', why: sayMessage(error.issues[0]!.message) };
  return url && { kind: 'element', type: 'iframe', name: url.hostname, fields: size, config: { src: url.href } };
}

/** The page of embed code, in the size that the code states; null for other text. */
function embeddedPage(text: string): Content | null {
  const [tag] = /^(?:<(?!iframe\b)[^>]*>\s*)*(<iframe\b[^>]*>)/i.exec(text)?.slice(1) ?? [];
  const src = tag && attributeOf(tag, 'src');
  if (!src) return null;
  const sideOf = (name: 'width' | 'height') => {
    const side = Number(attributeOf(tag, name)?.replace(/px$/i, ''));
    return side > 0 ? side : PAGE_SIZE[name];
  };
  return pageAt(src.startsWith('//') ? `https:${src}` : src, { width: sideOf('width'), height: sideOf('height') });
}

/** File name of a URL, decoded if possible. */
function fileNameOf({ pathname, hostname }: URL): string {
  const name = pathname.split('/').at(-1) || hostname;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The content of a link to an image, model, audio or video file; null for other links. */
function fileAt(url: URL): Content | null {
  const { href: address, pathname } = url;
  const name = fileNameOf(url);
  if (COPIED.test(pathname)) return { kind: 'file', url: address, name, linked: null };
  const isAudio = AUDIO.test(pathname);
  if (!isAudio && !VIDEO.test(pathname)) return null;
  const { success, error } = href.safeParse(address);
  if (!success) return { kind: 'refused', why: sayMessage(error.issues[0]!.message) };
  const title = name.replace(/\.[^.]+$/, '').slice(0, MAX_NAME);
  if (isAudio) {
    const config = { file_url: address };
    return {
      kind: 'file',
      url: address,
      name,
      linked: { kind: 'element', type: 'audio', name: title, fields: {}, config },
    };
  }
  const config = { direct_url: address, controls: true };
  return { kind: 'element', type: 'native_video', name: title, fields: VIDEO_SIZE, config };
}

/**
 * Interprets pasted or dropped text: URLs and embed code become an image, model, audio, video or page, anything else is
 * text.
 */
export function contentOf(pasted: string): Content | null {
  const text = pasted.replaceAll('\r\n', '\n').trim();
  if (text === '') return null;
  const embedded = embeddedPage(text);
  if (embedded) return embedded;
  const video = videoAt(text);
  if (video && 'problem' in video) return { kind: 'refused', why: video.problem };
  if (video) {
    const name = video.type === 'youtube' ? 'YouTube video' : 'Vimeo video';
    return { kind: 'element', type: 'video', name, fields: VIDEO_SIZE, config: { ...video } };
  }
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  if (url) {
    return fileAt(url) ?? pageAt(url.href, PAGE_SIZE);
  }
  const short = text.slice(0, MAX_TEXT);
  const [line] = short.split('\n');
  const name = (LIST_ITEM.exec(line!)?.groups?.words ?? line!).slice(0, MAX_NAME);
  return { kind: 'element', type: 'rich_text', name, fields: TEXT_SIZE, config: { body: paragraphs(short) } };
}

/** An element for pasted content, on the surface at a spot. */
export function elementOf(content: ElementContent, id: number, { position, turn }: Spot): Element {
  const { type, name, fields, config } = content;
  const { x, y, z } = position;
  const place = { position_x: Math.floor(x), position_y: Math.floor(y), position_z: Math.floor(z), rotation_y: turn };
  return flatElementSchema.parse({ id, element: type, name, ...fields, ...place, config });
}
