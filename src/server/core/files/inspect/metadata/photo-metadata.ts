import { z } from 'zod';

const angle = (most: number) => z.number().min(-most).max(most).optional().catch(undefined);

/** Camera metadata of a photo. Values out of range are dropped. */
const photoMetadata = z.object({
  /** Compass direction of the image's center in degrees, from 0 to 360, clockwise. */
  heading: angle(360).transform((value) => value && (value + 360) % 360),
  /** Elevation of the image's center, and the camera's rotation around it, clockwise; in degrees. */
  pitch: angle(90),
  roll: angle(180),
  /** Suggested first view in degrees: its compass direction, and its horizontal field of view. */
  view_heading: angle(360),
  view_fov: z.number().min(1).max(170).optional().catch(undefined),
  /** Degrees north and east (WGS 84), and meters above sea level. */
  latitude: angle(90),
  longitude: angle(180),
  altitude: angle(20_000),
  /** Capture time, ISO 8601; without an offset if the camera recorded none. */
  taken_at: z.string().optional(),
});
export type PhotoMetadata = z.output<typeof photoMetadata>;

/** Bytes of EXIF to parse, the maximum of a JPEG segment. */
const MAX_EXIF = 64 * 1024;
/** Maximum entries of a directory to read; cameras write fewer than 100. */
const MAX_ENTRIES = 500;
/** Maximum values of an entry to read. */
const MAX_VALUES = 40;

/** Tags: https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E, tables 4, 9 and 15. */
const TAGS = {
  exif: 0x8769,
  gps: 0x8825,
  takenAt: 0x9003,
  offset: 0x9011,
  subSeconds: 0x9291,
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
  altitudeRef: 5,
  altitude: 6,
} as const;
/** Value types, and their sizes in bytes. */
const TYPE = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5 } as const;
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };

/** Values of an entry: text, or numbers. */
type Values = string | number[];

/**
 * Reads single directories of a TIFF structure. It follows no chain of directories, so that offsets can't form a loop.
 */
class Tiff {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#isLittle = bytes.toString('latin1', 0, 2) === 'II';
  }

  get isValid(): boolean {
    const order = this.#bytes.toString('latin1', 0, 2);
    return (order === 'II' || order === 'MM') && this.#short(2) === 42;
  }

  #has(at: number, size: number): boolean {
    return at >= 0 && at + size <= this.#bytes.length;
  }

  #short(at: number): number {
    if (!this.#has(at, 2)) return 0;
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  long(at: number): number {
    if (!this.#has(at, 4)) return 0;
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #values(at: number): Values | null {
    const [type, count] = [this.#short(at + 2), this.long(at + 4)];
    const size = SIZES[type];
    if (!size || count === 0 || count > MAX_VALUES) return null;
    const start = size * count <= 4 ? at + 8 : this.long(at + 8);
    if (!this.#has(start, size * count)) return null;
    if (type === TYPE.ascii)
      return this.#bytes
        .toString('latin1', start, start + count)
        .replace(/\0.*$/s, '')
        .trim();
    return Array.from({ length: count }, (_, index) => {
      const place = start + index * size;
      if (type === TYPE.byte) return this.#bytes[place]!;
      if (type === TYPE.short) return this.#short(place);
      if (type === TYPE.long) return this.long(place);
      return this.long(place) / this.long(place + 4);
    });
  }

  /** The entries of a directory by tag; the first of each. */
  directory(at: number): Map<number, Values> {
    const found = new Map<number, Values>();
    if (at < 8) return found;
    const count = Math.min(this.#short(at), MAX_ENTRIES);
    for (let index = 0; index < count; index++) {
      const entry = at + 2 + index * 12;
      if (!this.#has(entry, 12)) break;
      const tag = this.#short(entry);
      const values = found.has(tag) ? null : this.#values(entry);
      if (values !== null) found.set(tag, values);
    }
    return found;
  }
}

const textIn = (entries: Map<number, Values>, tag: number): string => {
  const value = entries.get(tag);
  return typeof value === 'string' ? value : '';
};
const numbersIn = (entries: Map<number, Values>, tag: number): number[] => {
  const value = entries.get(tag);
  return Array.isArray(value) ? value : [];
};

/** Degrees from degrees, minutes and seconds; negative in the south and west. */
function coordinateOf(parts: readonly number[], reference: string, negative: string): number | undefined {
  if (parts.length !== 3 || reference === '') return undefined;
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  return (degrees + minutes / 60 + seconds / 3600) * (reference.startsWith(negative) ? -1 : 1);
}

/** A position; none without a fix, which cameras record as 0° 0°. */
function positionOf(gps: Map<number, Values>): Pick<PhotoMetadata, 'latitude' | 'longitude' | 'altitude'> {
  const latitude = coordinateOf(numbersIn(gps, TAGS.latitude), textIn(gps, TAGS.latitudeRef), 'S');
  const longitude = coordinateOf(numbersIn(gps, TAGS.longitude), textIn(gps, TAGS.longitudeRef), 'W');
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return {};
  const [altitude] = numbersIn(gps, TAGS.altitude);
  const isBelow = numbersIn(gps, TAGS.altitudeRef)[0] === 1;
  return { latitude, longitude, ...(altitude !== undefined && { altitude: isBelow ? -altitude : altitude }) };
}

/** A capture time: `2026:05:01 12:30:00`, with its fraction of a second and its offset. */
function timeOf(exif: Map<number, Values>): string | undefined {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(textIn(exif, TAGS.takenAt)) ?? [];
  if (year === undefined) return undefined;
  const fraction = /^\d{1,9}$/.exec(textIn(exif, TAGS.subSeconds))?.[0].slice(0, 3);
  const offset = /^[+-]\d\d:\d\d$/.exec(textIn(exif, TAGS.offset))?.[0] ?? '';
  const at = `${year}-${month}-${day}T${time}${fraction ? `.${fraction}` : ''}${offset}`;
  return Number.isNaN(Date.parse(at)) ? undefined : at;
}

function readExif(exif: Buffer): Partial<PhotoMetadata> {
  const head = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = new Tiff(exif.subarray(head, head + MAX_EXIF));
  if (!tiff.isValid) return {};
  const first = tiff.directory(tiff.long(4));
  const within = (tag: number) => tiff.directory(numbersIn(first, tag)[0] ?? 0);
  const taken_at = timeOf(within(TAGS.exif));
  return { ...positionOf(within(TAGS.gps)), ...(taken_at !== undefined && { taken_at }) };
}

/** Photo fields by the name of their panorama field: https://developers.google.com/streetview/spherical-metadata */
const PANORAMA_FIELDS = {
  heading: 'PoseHeadingDegrees',
  pitch: 'PosePitchDegrees',
  roll: 'PoseRollDegrees',
  view_heading: 'InitialViewHeadingDegrees',
  view_fov: 'InitialHorizontalFOVDegrees',
} as const;

/**
 * Reads direction, position and time of a photo.
 * @param exif untrusted EXIF, with or without its `Exif` header
 * @param fields fields of the panorama namespace of its XMP
 * @returns undefined if nothing is recorded
 */
export function photoOf(exif: Buffer | undefined, fields: ReadonlyMap<string, string>): PhotoMetadata | undefined {
  const angles = Object.entries(PANORAMA_FIELDS).flatMap(([name, field]) => {
    const text = fields.get(field);
    return text ? [[name, Number(text)]] : [];
  });
  const { data } = photoMetadata.safeParse({ ...Object.fromEntries(angles), ...(exif && readExif(exif)) });
  const known = Object.entries(data ?? {}).filter(([, value]) => value !== undefined);
  return known.length > 0 ? (Object.fromEntries(known) as PhotoMetadata) : undefined;
}
