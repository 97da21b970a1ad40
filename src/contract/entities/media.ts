import { z } from 'zod';
import { fileReference, id } from '../../../engine/document/fields.ts';
import { textTranslationsSchema } from '../../../engine/document/translation-fields.ts';
import { authorSchema } from './author.ts';
import { mediaTextsSchema } from './media-texts.ts';

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

/** States of a lighter version. */
const optimizationStates = z.enum(['waiting', 'done', 'kept']);
export type OptimizationState = z.output<typeof optimizationStates>;

/** The lighter version of a file. */
const optimizedMedia = z.strictObject({
  state: optimizationStates.describe(
    '`waiting` for its conversion, `done`, or `kept` as it is. Lighter versions are served at the same URL to clients that accept their format; MP4 audio and videos with their index at the start to all clients.',
  ),
  reason: z.string().describe('Why the file is kept as it is, or why the last attempt failed; empty if neither.'),
  bytes: z.int().nullable().describe('Size of the lighter version in bytes; null for none.'),
  gpu_bytes_before: z
    .int()
    .nullable()
    .describe(
      "Memory on the GPU in bytes of a model's textures with mipmaps, or of an environment and its filtered copy; null for other files.",
    ),
  gpu_bytes: z.int().nullable().describe('The same for the lighter version.'),
  loudness_reason: z
    .string()
    .describe('Why the loudness of audio or a video is not measured; empty if it is, and for other files.'),
  levels: z
    .strictObject({
      triangles: z.array(z.int()).describe('Triangles of the model, and of its coarser levels.'),
      reason: z.string().describe('Why there are no coarser levels; empty if there are some.'),
    })
    .nullable()
    .describe(
      'Levels of detail of a model: rooms draw a coarser one while the model is small on screen. Null for other files, and for models that have not been converted.',
    ),
});
export type OptimizedMedia = z.output<typeof optimizedMedia>;

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
  ...mediaTextsSchema.shape,
  transcript: mediaTextsSchema.shape.transcript.optional().describe('Transcript; left out of lists by default.'),
  transcript_languages: z
    .array(z.string())
    .nullable()
    .describe('Languages into which the transcript is translated; null without a transcript.'),
  translations: textTranslationsSchema,
  details: z
    .record(z.string(), z.unknown())
    .describe('Detected details: animation clips, triangles, duration, warnings.'),
  loudness: z
    .number()
    .nullish()
    .describe(
      'Integrated loudness in LUFS (ITU-R BS.1770-4) of audio and videos; left out until it is measured. `gain` is derived from it.',
    ),
  true_peak: z.number().nullish().describe('Maximum true peak in dBTP; left out until it is measured.'),
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
  optimized: optimizedMedia
    .nullable()
    .describe(
      'The lighter version for visitors, or one of audio or a video that starts fast; null for files that have not been converted.',
    ),
  folder_id: id.nullable().describe('Folder of the file; null for none.'),
  uploaded_by: authorSchema.nullable().describe('User who uploaded it; null for a visitor or a removed user.'),
  created_at: z.string().describe('Upload time in UTC.'),
});
export type Media = z.output<typeof mediaSchema>;

/** Maximum earlier versions of a file. */
export const MAX_MEDIA_VERSIONS = 10;

/** An earlier version of a replaced file. */
export const mediaVersionSchema = z.object({
  id: id.describe('Version ID.'),
  url: z.string().describe('URL of the content.'),
  mime: z.string().describe('MIME type.'),
  bytes: z.int().describe('Size in bytes.'),
  width: z.number().nullable().describe('Width in pixels; null for files without one.'),
  height: z.number().nullable().describe('Height in pixels; null for files without one.'),
  uploaded_by: authorSchema.nullable().describe('User who uploaded it; null for a visitor or a removed user.'),
  created_at: z.string().describe('Time at which it was replaced, in UTC.'),
});
export type MediaVersion = z.output<typeof mediaVersionSchema>;

/** Kinds of uses; `published` is the published or scheduled state of a space. */
export const MEDIA_USE_KINDS = ['room', 'published', 'template', 'block', 'feed', 'organization'] as const;

/** A use of a file. */
export const mediaUseSchema = z.object({
  kind: z.enum(MEDIA_USE_KINDS).describe('Kind of use; `published` is the published or scheduled state of a space.'),
  id: id.describe('ID of the space, template, block, feed or organization.'),
  name: z.string().describe('Its name.'),
  elements: z
    .array(z.object({ id: id.describe('Element ID.'), name: z.string().describe('Element name.') }))
    .describe('Elements of a space that use the file.'),
});
export type MediaUse = z.output<typeof mediaUseSchema>;

export const mediaUsesSchema = z.object({
  uses: z.array(mediaUseSchema).describe('Uses that the caller may see.'),
  hidden: z.int().describe('Number of further uses, which the caller may not see.'),
});
export type MediaUses = z.output<typeof mediaUsesSchema>;

/** Maximum files per change of many. */
export const MAX_CHANGED_MEDIA = 200;

/** Maximum files and bytes of an archive. */
export const MAX_ARCHIVE_FILES = 500;
export const MAX_ARCHIVE_BYTES = 2_000_000_000;
