import { z } from 'zod';
import { GAIN_LIMITS } from './loudness.ts';
import { isTimeZone } from './time-zone.ts';

/** Row and element ids: positive integers within JSON's exact range. */
export const id = z.int().positive();

/** One line of text: trimmed, without control characters. */
export const line = (max = 255) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Remove the control characters.')
    .refine((value) => value.isWellFormed(), 'Remove the invalid characters (lone surrogates).');

/** Multiline text. NUL is rejected because PostgreSQL can't store it. */
export const text = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${max} characters.`)
    .refine((value) => !value.includes('\u0000'), 'Remove the NUL characters.')
    .refine((value) => value.isWellFormed(), 'Remove the invalid characters (lone surrogates).');

/** Maximum tags in an HTML field: each costs time to parse, whatever the length of the text. */
const MAX_TAGS = 20_000;

/** Whether HTML has too many tags. Counts every `<` followed by a letter or slash, tag or not. */
function hasTooManyTags(html: string): boolean {
  let left = MAX_TAGS;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1))
    if (/[a-z/]/i.test(html.charAt(at + 1)) && --left < 0) return true;
  return false;
}

/** HTML of at most `max` characters. */
export const html = (max: number) =>
  text(max).refine(
    (value) => !hasTooManyTags(value),
    'Use at most 20,000 tags. Split the content into several elements, or simplify it.',
  );

/** A color as `#RGB` or `#RRGGBB`. */
export const hexColor = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'Use a HEX color such as #FF0000.');

/** A coordinate in units. */
export const coordinate = z.number().min(-1_000_000).max(1_000_000);
/** A length in units. */
export const length = z.number().min(0).max(1_000_000);
/** An angle in radians. */
export const radians = z.number().min(-1000).max(1000);
/** A scale factor. */
export const factor = z.number().min(-1000).max(1000);

/** A point or direction in units; omitted values are 0. */
export const vector = z
  .object({
    x: coordinate.default(0).describe('Value along x, in units.'),
    y: coordinate.default(0).describe('Value along y, in units.'),
    z: coordinate.default(0).describe('Value along z, in units.'),
  })
  .prefault({});

export type Vector = z.output<typeof vector>;

/** A 24-hour time, `HH:mm`. */
export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a 24-hour time such as 19:55.');

/** Minutes as in `Date.prototype.getTimezoneOffset()`: UTC minus local time, −120 in Berlin in summer. */
export const utcOffset = z.int().min(-840).max(840);

/** An IANA time zone name. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'Use an IANA time zone, such as Europe/Amsterdam.');

/**
 * URL of a file or page: https, or a path on this site. Scripts, data URLs and other hosts without https are rejected,
 * including spellings that browsers parse as `//host`: with a backslash, or with a tab or line break inside. User info is
 * rejected because it can disguise the host.
 */
export const href = z
  .string()
  .trim()
  .max(2048, 'Use at most 2048 characters.')
  .regex(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters.
    /^(?:https:\/\/[^\s\u0000-\u001f\u007f/\\?#@:<>^|%[\]"]+(?::\d{1,5})?(?:[/?#][^\u0000-\u001f\u007f\\]*)?|\/(?!\/)[^\u0000-\u001f\u007f\\]*|)$/i,
    'Use a URL that starts with https://.',
  )
  .refine((value) => value.isWellFormed(), 'Remove the invalid characters (lone surrogates).');

/** A fraction from 0 to 1. */
export const share = z.number().min(0).max(1);

/** The part of the full sphere that a panorama covers: fractions from the left and the top. */
export const panoramaPart = z.object({
  left: share.describe('Left edge, as a fraction of the full width.'),
  top: share.describe('Top edge, as a fraction of the full height.'),
  width: share.positive().describe('Width, as a fraction of the full width.'),
  height: share.positive().describe('Height, as a fraction of the full height.'),
});
export type PanoramaPart = z.output<typeof panoramaPart>;

/** A media file as referenced by elements and templates. */
export const fileReference = z.object({
  id: id.describe('Media file ID.'),
  name: line().describe('Original file name.'),
  type: line(32).describe('Media type, such as image, object, hdr, audio, video or font.'),
  url: href.describe('File URL. It changes with the content.'),
  mime: line(100).nullish().describe('MIME type, such as video/mp4.'),
  width: length.nullish().describe('Width in pixels (images and videos).'),
  height: length.nullish().describe('Height in pixels (images and videos).'),
  duration: z.number().min(0).max(31_536_000).nullish().describe('Duration in seconds (audio and videos).'),
  splats: z.int().min(0).nullish().describe('Number of Gaussian splats (models).'),
  lights: z.int().min(0).max(100_000).nullish().describe('Number of lights (models).'),
  gain: z
    .number()
    .min(GAIN_LIMITS.min)
    .max(GAIN_LIMITS.max)
    .nullish()
    .describe('Gain in dB that evens out the loudness (audio and videos). Left out until it is measured.'),
  part: panoramaPart
    .nullish()
    .describe('Area of the full 360° photo that the image covers, if its metadata contains it.'),
});
export type FileReference = z.output<typeof fileReference>;

/** Nullable, default null: "not set" has one representation. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/**
 * The error of a discriminated union for a missing or unknown type; other errors keep their message.
 * @param field name of the discriminator
 * @param what its noun, such as `link type`
 */
export const typeErrorOf = (field: string, what: string) => ({
  error: ({ code, input, options }: { code: string; input?: unknown; options?: unknown }): string | undefined => {
    if (code !== 'invalid_union' || typeof input !== 'object' || input === null) return undefined;
    const given: unknown = (input as Record<string, unknown>)[field];
    const known = Array.isArray(options) ? ` Use one of ${options.join(', ')}.` : '';
    if (given === undefined) return `The ${what} is missing.${known}`;
    return `There is no ${what} ${JSON.stringify(String(given).slice(0, 64))}.${known}`;
  },
});
