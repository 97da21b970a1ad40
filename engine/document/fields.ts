import { z } from 'zod';
import { isTimeZone } from './time-zone.ts';

/** Row and element ids: positive whole numbers that JSON carries exactly. */
export const id = z.int().positive();

/** One line of text: trimmed, without control characters. */
export const line = (max = 255) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Remove the control characters.')
    .refine((value) => value.isWellFormed(), 'Remove the broken (half) characters.');

/** Text of several lines. A NUL is refused because PostgreSQL cannot store it. */
export const text = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${max} characters.`)
    .refine((value) => !value.includes('\u0000'), 'Remove the NUL characters.')
    .refine((value) => value.isWellFormed(), 'Remove the broken (half) characters.');

/** Most tags of a piece of HTML: each costs time wherever it is read, whatever its length. */
const MAX_TAGS = 20_000;

/** Whether HTML has more tags than are read. A tag begins with a letter or slash; what only looks like one counts too. */
function hasTooManyTags(html: string): boolean {
  let left = MAX_TAGS;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
    if (/[a-z/]/i.test(html.charAt(at + 1)) && --left < 0) return true;
  return false;
}

/** HTML, with at most so many characters. */
export const html = (max: number) =>
  text(max).refine(
    (value) => !hasTooManyTags(value),
    'Use at most 20000 tags. Split the content into several elements, or simplify it.',
  );

/** A color as `#RGB` or `#RRGGBB`. */
export const hexColor = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'Use a HEX color such as #FF0000.');

/** A coordinate or length in units. */
export const coordinate = z.number().min(-1_000_000).max(1_000_000);
/** A length in units. */
export const length = z.number().min(0).max(1_000_000);
/** An angle in radians. */
export const radians = z.number().min(-1000).max(1000);
/** A factor of size. */
export const factor = z.number().min(-1000).max(1000);

/** A point or direction in units. */
export const vector = (fallback = 0) =>
  z
    .object({
      x: coordinate.default(fallback).describe('Along x, in units.'),
      y: coordinate.default(fallback).describe('Along y, in units.'),
      z: coordinate.default(fallback).describe('Along z, in units.'),
    })
    .prefault({});

/** A point or direction in units. */
export type Vector = z.output<ReturnType<typeof vector>>;

/** A time of day, 24 hours, `HH:mm`. */
export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a 24-hour time such as 19:55.');

/** Minutes as `Date.prototype.getTimezoneOffset()` gives them: UTC minus local time, −120 in Berlin's summer. */
export const utcOffset = z.int().min(-840).max(840);

/** Name of a time zone in the IANA database. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'Use the name of a time zone, such as Europe/Amsterdam.');

/**
 * Where a file or page is: an https address, or a path on this site. Scripts, data and other hosts without https are
 * refused, also in the spellings that browsers read as `//host`: with a backslash, or with a tab or line break inside.
 * A user name before the host is refused because it makes one host look like another.
 */
export const href = z
  .string()
  .trim()
  .max(2048, 'Use at most 2048 characters.')
  .regex(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
    /^(?:https:\/\/[^\s\u0000-\u001f\u007f/\\?#@:<>^|%[\]"]+(?::\d{1,5})?(?:[/?#][^\u0000-\u001f\u007f\\]*)?|\/(?!\/)[^\u0000-\u001f\u007f\\]*|)$/i,
    'Use an address that begins with https://.',
  )
  .refine((value) => value.isWellFormed(), 'Remove the broken (half) characters.');

/** A file of the media library as elements and templates carry it. */
const share = z.number().min(0).max(1);

/** What part of the whole sphere a panorama shows, from its left and from its top, from 0 to 1. */
export const panoramaPart = z.object({
  left: share.describe('Where it begins, from the left.'),
  top: share.describe('Where it begins, from the top.'),
  width: share.positive().describe('How wide it is.'),
  height: share.positive().describe('How high it is.'),
});
export type PanoramaPart = z.output<typeof panoramaPart>;

export const fileReference = z.object({
  id: id.describe('Id of the media file.'),
  name: line().describe('Name under which the file was uploaded.'),
  type: line(32).describe('What the file is: image, object, hdr, audio, video, font and so on.'),
  url: href.describe('Address of the file; it changes when the content does.'),
  mime: line(100).nullish().describe('Its media type, such as video/mp4.'),
  width: length.nullish().describe('Width in pixels, of images and videos.'),
  height: length.nullish().describe('Height in pixels, of images and videos.'),
  duration: z.number().min(0).max(31_536_000).nullish().describe('Seconds it plays, of audio and videos.'),
  lights: z.int().min(0).max(100_000).nullish().describe('How many lights a model brings.'),
  part: panoramaPart.nullish().describe('Which part of a 360° photo it is, of images whose camera noted that.'),
});
export type FileReference = z.output<typeof fileReference>;

/** Nullable with null as its default: "not set" has one spelling. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
