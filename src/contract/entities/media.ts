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

/** The kind of media file in a query; `iframe` is an alias of `site`. */
export const wantedMediaType = z
  .enum([...MEDIA_TYPES, 'iframe'])
  .transform((type) => (type === 'iframe' ? 'site' : type))
  .pipe(z.enum(MEDIA_TYPES));

export const mediaSchema = fileReference.extend({
  type: z.enum(MEDIA_TYPES).describe('What the file is, by its content.'),
  mime: z.string().describe('Its media type.'),
  bytes: z.int().describe('Size in bytes.'),
  details: z.record(z.string(), z.unknown()).describe('What was found in it: clips, triangles, duration, warnings.'),
  turntable_url: z
    .string()
    .nullable()
    .describe('Address of 24 views of a model from all sides, six in a row, 200 × 150 pixels each; null for none.'),
  original: z
    .strictObject({
      name: z.string().describe('Its file name.'),
      bytes: z.int().describe('Its size in bytes.'),
      hash: z.string().describe('Its SHA-256, hexadecimal.'),
    })
    .nullable()
    .describe('The upload before metadata was stripped and formats were converted; null where it was not stored.'),
  created_at: z.string().describe('When it was uploaded.'),
});
export type Media = z.output<typeof mediaSchema>;
