import { z } from 'zod';
import { fileReference } from '../../../engine/document/fields.ts';

/** Kinds of media file: the six of the specification, plus sites, subtitles and motion capture. */
export const MEDIA_TYPES = [
  'image',
  'object',
  'hdr',
  'audio',
  'video',
  'font',
  'site',
  'text_track',
  'motion',
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** An angle in degrees. */
const degrees = z.number().min(-360).max(360);

/** The kind of media file in a query; `iframe` is an alias of `site`. */
export const wantedMediaType = z
  .enum([...MEDIA_TYPES, 'iframe'])
  .transform((type) => (type === 'iframe' ? 'site' : type))
  .pipe(z.enum(MEDIA_TYPES));

export const mediaSchema = fileReference.extend({
  type: z.enum(MEDIA_TYPES).describe('Media type, detected from the content.'),
  mime: z.string().describe('MIME type.'),
  bytes: z.int().describe('Size in bytes.'),
  // Not part of file references, which visitors receive.
  heading: degrees.nullish().describe('Compass direction of the center of a 360° photo in degrees, if recorded.'),
  pitch: degrees.nullish().describe('Pitch of the camera of a 360° photo in degrees, if recorded.'),
  roll: degrees.nullish().describe('Roll of the camera of a 360° photo in degrees, if recorded.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('Detected details: animation clips, triangles, duration, warnings.'),
  turntable_url: z
    .string()
    .nullable()
    .describe("URL of the model's 24 views: a grid of six columns, 200 × 150 pixels each; null for none."),
  original: z
    .strictObject({
      name: z.string().describe('File name.'),
      bytes: z.int().describe('Size in bytes.'),
      hash: z.string().describe('SHA-256 hash, hexadecimal.'),
    })
    .nullable()
    .describe('The original upload, before its metadata was removed and its format converted; null if not stored.'),
  created_at: z.string().describe('Upload time in UTC.'),
});
export type Media = z.output<typeof mediaSchema>;
