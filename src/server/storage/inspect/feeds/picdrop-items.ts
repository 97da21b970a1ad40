import { type AtomFeed, type JsonFeed, parseFeed, type RdfFeed, type RssFeed } from 'feedsmith';
import { ApiError } from '../../../../contract/errors.ts';
import { refuseComplex } from '../../../base/read-json.ts';
import { FEED_FIELD, MOST_ITEMS, type SourceItem } from './source-item.ts';
import { addressOf, externalIdOf, itemNameOf, messageOf, momentOf, pictureOf, plainOf } from './source-text.ts';

/** Refuses what is no feed. */
const noFeed = (sentence: string): ApiError => new ApiError('invalid', { [FEED_FIELD]: [sentence] });

/** What all formats say of an item. */
interface Entry {
  id?: string;
  title?: string;
  /** HTML or text. */
  body?: string;
  link?: string;
  picture?: string;
  width?: number;
  height?: number;
  date?: string;
}

type Media = NonNullable<RssFeed.Item<string>['media']>;

/** The picture that a text shows first. */
function pictureIn(html: string | undefined): string | undefined {
  for (const [tag] of (html?.slice(0, 100_000) ?? '').matchAll(/<img\b[^<>]*>/gi)) {
    const source = /\bsrc\s*=\s*["']([^"']{1,2048})["']/i.exec(tag)?.[1];
    if (source) return source;
  }
  return undefined;
}

/** Picture of the Media RSS namespace: content that is one, otherwise a thumbnail. */
function pictureOfMedia(media: Media | undefined): Pick<Entry, 'picture' | 'width' | 'height'> {
  const contents = [...(media?.contents ?? []), ...(media?.groups ?? []).flatMap(({ contents }) => contents ?? [])];
  const content = contents.find(({ url, type, medium }) => url && (medium === 'image' || type?.startsWith('image/')));
  const found = content ?? media?.thumbnails?.[0];
  return found?.url ? { picture: found.url, width: found.width, height: found.height } : {};
}

function ofRss({ items = [] }: Partial<RssFeed.Feed<string>>): Entry[] {
  return items
    .slice(0, MOST_ITEMS)
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
  return items.slice(0, MOST_ITEMS).map(({ title, description, link, content, dc }) => {
    const body = content?.encoded ?? description;
    return { id: link, title, body, link, date: dc?.dates?.[0], picture: pictureIn(body) };
  });
}

function ofAtom({ entries = [] }: Partial<AtomFeed.Feed<string>>): Entry[] {
  return entries.slice(0, MOST_ITEMS).map(({ id, title, content, summary, links = [], published, updated, media }) => {
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
    .slice(0, MOST_ITEMS)
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

/** Bytes that a feed of JSON may take once it is read. */
const JSON_MEMORY = 128 * 1024 * 1024;

/** The text of a feed in the encoding that it is in. */
function decode(body: Buffer, type: string): string {
  const declared = /^[^>]{0,200}\bencoding\s*=\s*["']([\w-]{1,30})["']/.exec(
    body.subarray(0, 300).toString('latin1'),
  )?.[1];
  const label = /;\s*charset\s*=\s*"?([\w-]{1,30})/i.exec(type)?.[1] ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/**
 * The entries of a feed in any of the formats that there are.
 * @throws ApiError invalid, also for a feed that declares entities: they can name files and unfold without end
 */
function readEntries(body: Buffer, type: string): Entry[] {
  const text = decode(body, type);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw noFeed('This feed has a DOCTYPE. Use an address of RSS, Atom or JSON Feed.');
  try {
    if (/^\s*[{[]/.test(text)) refuseComplex(text, { memory: JSON_MEMORY });
    const { format, feed } = parseFeed(text);
    if (format === 'rss') return ofRss(feed);
    if (format === 'atom') return ofAtom(feed);
    if (format === 'rdf') return ofRdf(feed);
    return ofJson(feed);
  } catch {
    throw noFeed('There is no feed at this address. Use an address of RSS, Atom or JSON Feed.');
  }
}

/** What is read of a feed elsewhere. */
export interface FeedText {
  /** Where it stands in the end, for addresses that are relative to it. */
  url: string;
  /** Its media type. */
  type: string;
  body: Uint8Array;
  /** Stamp for items without a date. */
  now: string;
}

/**
 * The first items of a feed.
 * @throws ApiError invalid, naming the address
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
  return [...new Map(items.map((item) => [item.external_id, item])).values()];
}
