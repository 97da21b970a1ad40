import { readFile } from 'node:fs/promises';
import ExifReader from 'exifreader';
import {
  MAX_KEYWORDS,
  type MediaTexts,
  mediaTextsSchema,
  NO_TEXTS,
} from '../../../../../contract/entities/media-texts.ts';

/** A value of XMP: text, or an array or a set of translations. */
interface XmpTag {
  value: unknown;
  description: string;
  attributes?: Record<string, string>;
}
type Texts = Partial<Record<keyof MediaTexts, string | readonly string[]>>;

/** Descriptions that cameras write into all images. */
const OF_CAMERAS =
  /^(?:olympus|sony dsc|minolta|kodak|samsung|konica|dcim\b|dji|gopro|default|digital (?:still )?camera)/i;

/** The texts of an XMP value: all items of an array, or the default translation. */
function textsOfXmp(tag: XmpTag | undefined): string[] {
  if (!tag) return [];
  if (!Array.isArray(tag.value)) return [typeof tag.value === 'string' ? tag.value : tag.description];
  const items = tag.value as XmpTag[];
  const isTranslated = items.some(({ attributes }) => attributes?.lang !== undefined);
  const first = items.find(({ attributes }) => attributes?.lang === 'x-default') ?? items[0];
  return (isTranslated ? [first!] : items).map(({ description }) => description);
}

/**
 * XMP properties: https://developer.adobe.com/xmp/docs/xmp-namespaces/, and
 * https://www.iptc.org/std/photometadata/specification/IPTC-PhotoMetadata for the last two.
 */
function textsInXmp(xmp: Record<string, XmpTag>): Texts {
  const one = (name: string) => textsOfXmp(xmp[name])[0];
  const extended = one('ExtDescrAccessibility');
  return {
    title: one('title') ?? one('Headline'),
    description: one('description') ?? extended,
    creator: textsOfXmp(xmp.creator).join(', '),
    credit: one('Credit'),
    rights: one('rights'),
    date: one('DateCreated'),
    alt: one('AltTextAccessibility') ?? extended,
    long_description: extended,
    keywords: textsOfXmp(xmp.subject),
  };
}

type Values = Record<string, { description?: string } | { description?: string }[] | undefined>;

const all = (found: Values[string]): string[] => [found ?? []].flat().map(({ description }) => description ?? '');

/** IPTC-IIM datasets, as the reader names them: https://www.iptc.org/std/IIM/4.2/specification/IIMV4.2.pdf */
function textsInIptc(iptc: Values): Texts {
  const one = (name: string) => all(iptc[name])[0];
  return {
    title: one('Object Name') || one('Headline'),
    description: one('Caption/Abstract'),
    creator: all(iptc['By-line']).join(', '),
    credit: one('Credit'),
    rights: one('Copyright Notice'),
    // CCYYMMDD.
    date: one('Date Created')?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    keywords: all(iptc.Keywords),
  };
}

function textsInExif(exif: Values): Texts {
  const description = all(exif.ImageDescription)[0] ?? '';
  return {
    description: OF_CAMERAS.test(description.trim()) ? '' : description,
    creator: all(exif.Artist)[0],
    rights: all(exif.Copyright)[0],
  };
}

/** A text without control characters and markers of invalid bytes. */
const clean = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFD]+/gu, (found) => (found.includes('\n') ? '\n' : ' '))
    .trim();

/** A date without its time: cameras record seconds, captions show days. Other texts, such as `c. 1642`, stay as they are. */
const day = (value: string): string =>
  value.replace(/^(\d{4})[-:](\d\d)(?:[-:](\d\d))?(?:[T ].*)?$/s, (_, ...parts: (string | undefined)[]) =>
    parts.slice(0, 3).filter(Boolean).join('-'),
  );

const MULTILINE: ReadonlySet<keyof MediaTexts> = new Set(['description', 'rights', 'long_description', 'transcript']);

/** The first text of several sources, shortened to the limit of its field. */
function merged(sources: readonly Texts[]): MediaTexts {
  const texts: Record<string, unknown> = { ...NO_TEXTS };
  for (const name of Object.keys(NO_TEXTS) as (keyof MediaTexts)[]) {
    if (name === 'keywords') continue;
    const [found = ''] = sources.flatMap((source) => clean(String(source[name] ?? '')) || []);
    const field = mediaTextsSchema.shape[name];
    const isLine = !MULTILINE.has(name);
    const shown = isLine ? (name === 'date' ? day(found) : found).replace(/\s+/g, ' ') : found;
    texts[name] = [...shown].slice(0, field.maxLength ?? undefined).join('');
  }
  const words = sources.map(({ keywords }) => keywords ?? []).find(({ length }) => length > 0) ?? [];
  const keywords = mediaTextsSchema.shape.keywords.element;
  texts.keywords = [...new Set([...words].map((word) => clean(word).replace(/\s+/g, ' ')))]
    .filter((word) => keywords.safeParse(word).success)
    .slice(0, MAX_KEYWORDS);
  return mediaTextsSchema.parse(texts);
}

/** Label of a C2PA manifest store in JUMBF: ISO/IEC 19566-5, and https://spec.c2pa.org, section 11.1. */
const MANIFEST = Buffer.from('6332706100110010800000aa00389b71', 'hex');

/** Texts of an image, and whether it contains Content Credentials (C2PA). */
export interface ImageTexts {
  texts: MediaTexts;
  hasCredentials: boolean;
}

/**
 * Reads the texts of an image: XMP first, then IPTC, then EXIF. Unreadable metadata counts as none.
 * @param file path of the upload, with its metadata
 */
export async function readTexts({ path }: { path: string }): Promise<ImageTexts> {
  const bytes = await readFile(path);
  const tags = await ExifReader.load(bytes, {
    expanded: true,
    async: true,
    includeTags: { exif: ['ImageDescription', 'Artist', 'Copyright'], iptc: true, xmp: true, png: true },
  }).catch(() => null);
  const properties = Object.entries<unknown>(tags?.xmp ?? {}).filter(([name]) => name !== '_raw');
  const xmp = Object.fromEntries(properties as [string, XmpTag][]);
  const sources = [
    textsInXmp(xmp),
    textsInIptc((tags?.iptc ?? {}) as Values),
    textsInExif((tags?.exif ?? {}) as Values),
  ];
  return { texts: merged(sources), hasCredentials: bytes.includes(MANIFEST) };
}
