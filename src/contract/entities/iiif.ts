import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { languageTag, textTranslationsOf } from '../../../engine/document/translation-fields.ts';
import { mediaTextsSchema } from './media-texts.ts';

/** Maximum canvases of an import, and works per request that stores their files. */
export const MAX_CANVASES = 1000;
export const MAX_STORED_WORKS = 10;
/** Maximum characters of a manifest in a request. */
export const MAX_MANIFEST = 5_000_000;

const url = z.string().max(2048);
const pixels = z.number().nonnegative();

const sizeSchema = z.strictObject({ width: pixels.describe('Width in pixels.'), height: pixels.describe('Height.') });
export type IiifSize = z.output<typeof sizeSchema>;

const { title, description, credit, rights } = mediaTextsSchema.shape;

/** A work of a manifest: a canvas with its image, video or audio. */
export const iiifWorkSchema = z.strictObject({
  key: url.describe('ID of the canvas.'),
  kind: z.enum(['image', 'video', 'audio']).describe('Kind of the file.'),
  url: url.describe('URL of the file; empty if only an image service is named.'),
  service: z
    .strictObject({ id: url.describe('Base URL.'), version: z.literal([2, 3]).describe('Image API version.') })
    .nullable()
    .describe('Image service; null for none.'),
  size: sizeSchema.nullable().describe('Stated size of the image; null if unknown.'),
  title: title.describe('Label.'),
  description: description.describe('Summary, required statement, metadata, rights, provider, links and source.'),
  credit: credit.describe('Required statement.'),
  rights: rights.describe('License or rights statement.'),
  translations: textTranslationsOf({ title, description }).describe('Translations by language and field.'),
});
export type IiifWork = z.output<typeof iiifWorkSchema>;

/** Contents of a manifest or collection. */
export const iiifSourceSchema = z.object({
  id: z.string().describe('ID of the manifest or collection.'),
  title: z.string().describe('Its label.'),
  language: languageTag.nullable().describe('Language of the texts; null if unknown.'),
  languages: z.array(languageTag).describe('Languages of the translations.'),
  canvases: z.int().describe('Number of canvases, including those that are left out.'),
  works: z.array(iiifWorkSchema).describe('Works in order.'),
  remarks: z.array(z.string()).describe("What can't be imported, or differs from the manifest, line by line."),
});
export type IiifSource = z.output<typeof iiifSourceSchema>;

/** The stored file of a work. */
export const iiifFileSchema = z.object({
  key: z.string().describe('ID of the canvas.'),
  file_id: id.nullable().describe('Media ID; null if the file could not be stored.'),
  remarks: z.array(z.string()).describe('Why not, or how the file differs from the manifest.'),
});
export type IiifFile = z.output<typeof iiifFileSchema>;

/** The result of an import. */
export const iiifImportSchema = z.object({
  job: id.nullable().describe('Job ID for undoing the import; null for a dry run.'),
  room_id: id.nullable().describe('ID of the new space; null for a dry run.'),
  endpoint_id: id.nullable().describe('ID of the new structure; null without one, and for a dry run.'),
  hung: z.int().describe('Number of works in the space.'),
  remarks: z.array(z.string()).describe('Works that are left out, line by line.'),
});
export type IiifImport = z.output<typeof iiifImportSchema>;
