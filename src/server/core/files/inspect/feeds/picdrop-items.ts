import { type AtomFeed, type JsonFeed, parseFeed, type RdfFeed, type RssFeed } from 'feedsmith';
import { ApiError } from '../../../../../contract/errors.ts';
import { refuseComplex } from '../../../read-json.ts';
import { FEED_FIELD, MAX_ITEMS, type SourceItem } from './source-item.ts';
import { addressOf, externalIdOf, itemNameOf, messageOf, momentOf, pictureOf, plainOf } from './source-text.ts';

/** The error for content that isn't a feed. */
const noFeed = (sentence: string): ApiError => new ApiError('invalid', { [FEED_FIELD]: [sentence] });

/** An item's fields, common to all formats. */
interface Entry {
  id?: string;
  title?: string;
  /** HTML or plain text. */
  body?: string;
  link?: string;
  picture?: string;
  width?: number;
  height?: number;
  date?: string;
}

type Media = NonNullable<RssFeed.Item<string>['media']>;

/** Named character references in attributes. */
const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };
const decodeAttribute = (value: string): string =>
  value.replace(
    /&(?:(amp|quot|apos|lt|gt)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name?: string, ten?: string, hex?: string) => {
      const point = name ? undefined : Number.parseInt(ten ?? hex!, ten ? 10 : 16);
      return point === undefined
        ? NAMED[name!.toLowerCase()]!
        : point <= 0x10ffff
          ? String.fromCodePoint(point)
          : whole;
    },
  );

/** Attributes of a tag, with entities decoded. */
function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', quoted, single, bare] of tag.matchAll(
    /\s([\w:-]{1,40})\s*=\s*(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'>]{1,2048}))/g,
  ))
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), decodeAttribute(quoted ?? single ?? bare ?? '').trim());
  return attributes;
}

/** Attributes that lazy-loading pages use in place of `src`. */
const LATE = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'];

/** The largest image of a `srcset`. */
function largestOf(srcset: string | undefined): string | undefined {
  const sizes = (srcset ?? '').split(/,\s+/).map((entry) => {
    const [url, size = ''] = entry.trim().split(/\s+/);
    return { url, size: Number.parseFloat(size) || 0 };
  });
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.url || undefined;
}

/** Maximum side length of tracking pixels. */
const PIXEL = 3;
const isPixel = (attributes: Map<string, string>) =>
  ['width', 'height'].some((side) => {
    const style = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*([\\d.]+)px`).exec(attributes.get('style') ?? '')?.[1];
    const size = Number.parseFloat(attributes.get(side) ?? style ?? '');
    return Number.isFinite(size) && size <= PIXEL;
  });

/** The first image of a text, resolving lazy loading and skipping tracking pixels. */
function pictureIn(html: string | undefined): string | undefined {
  for (const [tag] of (html?.slice(0, 100_000) ?? '').matchAll(/<img\b[^<>]*>/gi)) {
    const attributes = attributesOf(tag);
    if (isPixel(attributes)) continue;
    const late = LATE.map((name) => attributes.get(name)).find(Boolean);
    const source = attributes.get('src');
    const isPlaceholder = !source || /^data:/i.test(source);
    const found =
      late ?? (isPlaceholder ? largestOf(attributes.get('srcset') ?? attributes.get('data-srcset')) : source);
    if (found && found.length <= 2048 && !/^data:/i.test(found)) return found;
  }
  return undefined;
}

/** Image file extensions, for media without a type. */
const IMAGE_ENDING = /\.(?:jpe?g|png|webp|avif|gif)(?:[?#]|$)/i;

/** Image from the Media RSS namespace: the largest image content, otherwise the largest thumbnail. */
function pictureOfMedia(media: Media | undefined): Pick<Entry, 'picture' | 'width' | 'height'> {
  const groups = media?.groups ?? [];
  const contents = [...(media?.contents ?? []), ...groups.flatMap(({ contents }) => contents ?? [])];
  const images = contents.filter(
    ({ url, type, medium }) =>
      url && ((medium ?? type) ? medium === 'image' || type?.startsWith('image/') : IMAGE_ENDING.test(url)),
  );
  const thumbnails = [
    ...(media?.thumbnails ?? []),
    ...[...contents, ...groups].flatMap((each) => each.thumbnails ?? []),
  ].filter(({ url }) => url);
  const sizeOf = ({ width = 0, height = 0 }: { width?: number; height?: number }) =>
    Math.max(width, 1) * Math.max(height, 1);
  const [found] = (images.length > 0 ? images : thumbnails).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return found?.url ? { picture: found.url, width: found.width, height: found.height } : {};
}

function ofRss({ items = [] }: Partial<RssFeed.Feed<string>>): Entry[] {
  return items
    .slice(0, MAX_ITEMS)
    .map(({ guid, title, description, content, link, enclosures, media, pubDate, dc }) => {
      const body = content?.encoded ?? description;
      const enclosure = enclosures?.find(({ type }) => type?.startsWith('image/'))?.url;
      return {
        id: guid?.value,
        title,
        body,
        link,
        date: pubDate ?? dc?.dates?.[0],
        picture: enclosure ?? pictureIn(body),
        ...(!enclosure && pictureOfMedia(media)),
      };
    });
}

function ofRdf({ items = [] }: Partial<RdfFeed.Feed<string>>): Entry[] {
  return items.slice(0, MAX_ITEMS).map(({ title, description, link, content, dc }) => {
    const body = content?.encoded ?? description;
    return { id: link, title, body, link, date: dc?.dates?.[0], picture: pictureIn(body) };
  });
}

function ofAtom({ entries = [] }: Partial<AtomFeed.Feed<string>>): Entry[] {
  return entries.slice(0, MAX_ITEMS).map(({ id, title, content, summary, links = [], published, updated, media }) => {
    const body = content?.value ?? summary?.value;
    const enclosure = links.find(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/'))?.href;
    return {
      id,
      title: title?.value,
      body,
      link: links.find(({ rel }) => rel === undefined || rel === 'alternate')?.href,
      date: published ?? updated,
      picture: enclosure ?? pictureIn(body),
      ...(!enclosure && pictureOfMedia(media)),
    };
  });
}

function ofJson({ items = [] }: Partial<JsonFeed.Feed<string>>): Entry[] {
  return items
    .slice(0, MAX_ITEMS)
    .map(({ id, title, content_html, content_text, summary, url, image, banner_image, attachments, ...item }) => ({
      id,
      title,
      body: content_html ?? content_text ?? summary,
      link: url ?? item.external_url,
      date: item.date_published ?? item.date_modified,
      picture:
        image ??
        attachments?.find(({ mime_type }) => mime_type?.startsWith('image/'))?.url ??
        banner_image ??
        pictureIn(content_html),
    }));
}

/** Maximum memory in bytes of a parsed JSON feed. */
const JSON_MEMORY = 128 * 1024 * 1024;

/** Decodes a feed: with the declared encoding, otherwise UTF-8 or Windows-1252. */
function decode(body: Buffer, type: string): string {
  const declared = /^[^>]{0,200}\bencoding\s*=\s*["']([\w-]{1,30})["']/.exec(
    body.subarray(0, 300).toString('latin1'),
  )?.[1];
  const label = /;\s*charset\s*=\s*"?([\w-]{1,30})/i.exec(type)?.[1] ?? declared;
  const mark = { fffe: 'utf-16le', feff: 'utf-16be' }[body.toString('hex', 0, 2)];
  try {
    return new TextDecoder(mark ?? label ?? 'utf-8', { fatal: label === undefined }).decode(body);
  } catch {
    // The declared encoding is unknown, or none is declared and it isn't UTF-8.
    return new TextDecoder(label === undefined ? 'windows-1252' : 'utf-8').decode(body);
  }
}

/** XML sections without markup declarations: start, end, and whether a declaration inside is only quoted. */
const SECTIONS = [
  { begin: '<![CDATA[', end: ']]>', isQuote: true },
  { begin: '<!--', end: '-->', isQuote: false },
  { begin: '<?', end: '?>', isQuote: false },
];

/** Removes CDATA sections; ones inside comments or processing instructions don't count. */
function outsideCdata(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const next = /<!\[CDATA\[|<!--|<\?/g;
    next.lastIndex = at;
    const found = next.exec(text);
    const section = SECTIONS.find(({ begin }) => begin === found?.[0]);
    const to = found && section ? text.indexOf(section.end, found.index + section.begin.length) : -1;
    if (!found || !section || to < 0) return `${parts.join('\n')}\n${text.slice(at)}`;
    const end = to + section.end.length;
    parts.push(text.slice(at, section.isQuote ? found.index : end));
    at = end;
  }
}

/**
 * The entries of a feed in any supported format.
 * @throws ApiError invalid, also for a feed that declares entities: they can read files and expand without limit
 */
function readEntries(body: Buffer, type: string): Entry[] {
  const whole = decode(body, type);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(outsideCdata(whole)))
    throw noFeed('This feed contains a DOCTYPE. Use the URL of an RSS, Atom or JSON feed.');
  // Quoted markup is shown as text; no parser must take it for a declaration.
  const text = whole.replace(/<!(?=DOCTYPE|ENTITY)/gi, '<! ');
  try {
    if (/^\s*[{[]/.test(text)) refuseComplex(text, { memory: JSON_MEMORY });
    const { format, feed } = parseFeed(text);
    if (format === 'rss') return ofRss(feed);
    if (format === 'atom') return ofAtom(feed);
    if (format === 'rdf') return ofRdf(feed);
    return ofJson(feed);
  } catch {
    throw noFeed('There is no feed at this URL. Use the URL of an RSS, Atom or JSON feed.');
  }
}

/** A downloaded feed. */
export interface FeedText {
  /** Final URL, the base of relative URLs. */
  url: string;
  /** Media type. */
  type: string;
  body: Uint8Array;
  /** Timestamp for items without a date. */
  now: string;
}

/**
 * The first items of a feed.
 * @throws ApiError invalid, naming the URL
 */
export function picdropItems({ url, type, body, now }: FeedText): SourceItem[] {
  const items = readEntries(Buffer.from(body), type).map((entry): SourceItem => {
    const link = addressOf(entry.link, url);
    const title = itemNameOf(plainOf(entry.title ?? ''));
    const file_url = pictureOf(entry.picture, url);
    return {
      external_id: externalIdOf(entry.id ?? '', link, `${title} ${entry.body ?? ''}`),
      name: title,
      message: messageOf(plainOf(entry.body ?? '')),
      file_url,
      width: file_url && entry.width ? entry.width : null,
      height: file_url && entry.height ? entry.height : null,
      link,
      created_at: momentOf(entry.date, now),
    };
  });
  const named = new Map<string, SourceItem>();
  for (const item of items) {
    const { external_id, link, name, message } = item;
    const same = named.get(external_id);
    // A feed that gives all of its items the same id still has several items.
    const isOther = same && (same.link !== link || same.name !== name) && `${link}${name}${message}` !== '';
    const id = isOther ? externalIdOf('', '', `${external_id} ${link} ${name}`) : external_id;
    if (!named.has(id)) named.set(id, { ...item, external_id: id });
  }
  return [...named.values()];
}
