import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { languageTag } from '../../../engine/document/translation-fields.ts';
import { call } from '../call.ts';
import {
  MAX_ARCHIVE_FILES,
  MAX_CHANGED_MEDIA,
  MAX_KEYWORDS,
  mediaSchema,
  mediaTextsSchema,
  mediaUsesSchema,
  mediaVersionSchema,
  translatedMediaTexts,
  wantedMediaType,
  workSheetSchema,
} from '../entities.ts';
import { idList, idParams, idText, search } from '../inputs.ts';

const flag = z.enum(['0', '1']).optional();
const size = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();

export const MEDIA_ORDERS = ['-created', 'created', 'name', '-name', '-bytes', 'bytes'] as const;

const query = z.strictObject({
  search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, starting at 1.'),
  filters: z
    .string()
    .max(2000)
    .optional()
    .describe('Base64 of a JSON list such as [{"type": "image"}, {"type": "current_user"}].'),
});

/** The filters of the list of all files. */
const fullQuery = query.extend({
  per_page: z.coerce.number().int().min(1).max(100).default(30).describe('Number of entries per page.'),
  sort: z
    .enum(MEDIA_ORDERS)
    .optional()
    .describe(
      'Sort order: by upload time, name or size; newest first by default. Equal files are adjacent by default.',
    ),
  folder_id: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Filter by folder, including its subfolders; 0 for files in no folder.'),
  used: flag.describe('Filter by use: 1 for files in use, 0 for others.'),
  without_alt: flag.describe('Set to 1 for images without alternative text.'),
  duplicates: flag.describe('Set to 1 for files with the same content as another file.'),
  same_as: idText.optional().describe('ID of a file: only files with the same content, this one included.'),
  keyword: line(100).optional().describe('Filter by keyword.'),
  transcripts: flag.describe('Set to 1 to return the transcripts and their translations, too.'),
  min_bytes: size.describe('Minimum size in bytes.'),
  max_bytes: size.describe('Maximum size in bytes.'),
});

const mediaPage = z.object({
  data: z.array(mediaSchema),
  last_page: z.int(),
  total: z.int().describe('Number of files on all pages.'),
});

const list = <Q extends z.ZodType>(path: string, summary: string, asked: Q) =>
  call({
    method: 'GET',
    path,
    summary: `Lists ${summary}, newest first by default. \`filters\` is the Base64 of a JSON list of {type} objects.`,
    access: 'media.view_any',
    query: asked,
    output: mediaPage,
  });

/** Comma-separated ids. */
const ids = idList(100).optional().describe('Comma-separated file IDs, at most 100; returned as one page.');

const changes = mediaTextsSchema.partial().extend({
  name: line().min(1, 'Enter a name.').optional().describe('File name.'),
  folder_id: mediaSchema.shape.folder_id.optional(),
});

const words = mediaTextsSchema.shape.keywords.optional();

export const media = {
  list: list('/backend/media', 'files of all types', fullQuery.extend({ ids })),
  images: list('/backend/images', 'images', query),
  files: list('/backend/files', 'files other than images and models', query),
  objects: list('/backend/objects', 'models', query),
  read: call({
    method: 'GET',
    path: '/backend/media/:id',
    summary: 'Returns a file.',
    access: 'media.view_any',
    params: idParams,
    output: mediaSchema,
  }),
  content: call({
    method: 'GET',
    path: '/backend/media/:id/content',
    summary: 'Returns the content of a file. Sites and models with several files are returned as a deterministic ZIP.',
    access: 'media.view_any',
    params: idParams,
    output: z.string(),
    download: 'application/octet-stream',
  }),
  original: call({
    method: 'GET',
    path: '/backend/media/:id/original',
    summary: 'Returns the original upload, byte for byte, with its metadata, format and name.',
    access: 'media.view_any',
    params: idParams,
    output: z.file(),
    download: 'application/octet-stream',
  }),
  upload: call({
    method: 'POST',
    path: '/backend/media',
    summary: 'Uploads a file. Its type is detected from the content.',
    access: 'media.create',
    body: z.object({
      accept: wantedMediaType
        .optional()
        .describe('Required media type. Other files are rejected. `iframe` is an alias of `site`.'),
    }),
    // Not a field of the form: a file whose fields may still come isn't checked before all of it is there.
    query: z.strictObject({
      folder_id: idText
        .optional()
        .describe('Folder of a new file; equal files that are stored already stay where they are.'),
    }),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file', 'timeout', 'quota'],
    status: 201,
  }),
  drawTurntable: call({
    method: 'POST',
    path: '/backend/media/:id/turntable',
    summary:
      "Stores a browser's rendering of a model: 24 views in a grid of six columns. Only the first rendering is stored.",
    access: 'media.create',
    params: idParams,
    body: z.object({
      url: line(1000).optional().describe('URL of the drawn file. If it has been replaced since, nothing is stored.'),
    }),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file'],
  }),
  readWorks: call({
    method: 'POST',
    path: '/backend/media/works',
    summary:
      'Reads works from a spreadsheet (XLSX, CSV or TSV, up to 2,000 rows), and finds their images in the media library by name, ID or URL. Columns: image, title, artist, year, size or width and height, text. Empty cells take the texts of the file. Nothing is stored.',
    access: 'media.view_any',
    body: z.object({}),
    files: ['file'],
    output: workSheetSchema,
    errors: ['bad_file', 'timeout'],
  }),
  keywords: call({
    method: 'GET',
    path: '/backend/media/keywords',
    summary: 'Lists the keywords of all files, with the number of files of each, most frequent first; at most 1,000.',
    access: 'media.view_any',
    output: z.array(
      z.object({ keyword: z.string().describe('Keyword.'), files: z.int().describe('Number of files with it.') }),
    ),
  }),
  uses: call({
    method: 'GET',
    path: '/backend/media/:id/uses',
    summary: 'Lists the uses of a file: spaces with their elements, templates, blocks, feeds and the organization.',
    access: 'media.view_any',
    params: idParams,
    output: mediaUsesSchema,
  }),
  replace: call({
    method: 'POST',
    path: '/backend/media/:id/replace',
    summary:
      'Replaces the content of a file with another one of the same type. ID, name, texts, folder and all uses stay; the URL changes. The replaced content is stored as an earlier version. Requires the right to create media, and for files that others uploaded, or with an API key, also the right to delete media.',
    access: 'session',
    params: idParams,
    body: z.object({}),
    files: ['file'],
    output: mediaSchema,
    errors: ['forbidden', 'in_use', 'bad_file', 'timeout', 'quota'],
  }),
  versions: call({
    method: 'GET',
    path: '/backend/media/:id/versions',
    summary: 'Lists the earlier versions of a file, latest first; at most 10 are stored.',
    access: 'media.view_any',
    params: idParams,
    output: z.array(mediaVersionSchema),
  }),
  restore: call({
    method: 'POST',
    path: '/backend/media/:id/restore',
    summary:
      'Restores an earlier version of a file. The current content becomes an earlier version. Requires the same rights as replacing it.',
    access: 'session',
    params: idParams,
    body: z.strictObject({ version_id: id.describe('Version ID.') }),
    output: mediaSchema,
    errors: ['not_found', 'forbidden', 'in_use'],
  }),
  update: call({
    method: 'PUT',
    edits: {
      read: 'media.read',
      moving: ['turntable_url', 'optimized', 'loudness', 'true_peak', 'gain', 'translations', 'transcript_languages'],
    },
    path: '/backend/media/:id',
    summary:
      'Updates the name, the texts and the folder of a file. Rooms that use it keep their own texts. The stored file and its URL stay the same.',
    access: 'media.create',
    params: idParams,
    body: changes,
    output: mediaSchema,
    errors: ['not_found'],
  }),
  translate: call({
    method: 'POST',
    path: '/backend/media/:id/translate',
    summary:
      'Sets translations of the texts of a file in one language. An empty text removes its translation. New elements take them with the texts; existing ones keep their own.',
    access: 'media.create',
    params: idParams,
    body: z.strictObject({
      language: languageTag.describe('Language of the translations, as BCP 47 tag.'),
      texts: translatedMediaTexts.describe('Texts by field.'),
    }),
    output: mediaSchema,
    done: 'The translations have been saved.',
  }),
  updateMany: call({
    method: 'POST',
    path: '/backend/media/update',
    summary:
      'Updates names, texts, folders and keywords of many files: all of them, or, if one fails, none. Omitted fields don’t change.',
    access: 'media.create',
    body: z.strictObject({
      files: z
        .array(
          changes.extend({
            id: id.describe('File ID.'),
            add_keywords: words.describe('Keywords to add.'),
            remove_keywords: words.describe('Keywords to remove.'),
          }),
        )
        .min(1, 'Choose a file.')
        .max(MAX_CHANGED_MEDIA, `Change at most ${MAX_CHANGED_MEDIA} files at once.`)
        .describe(`Changed files; after the change, each has at most ${MAX_KEYWORDS} keywords.`),
    }),
    output: z.array(mediaSchema),
    errors: ['not_found'],
  }),
  merge: call({
    method: 'POST',
    path: '/backend/media/:id/merge',
    summary:
      'Merges files with the same content into one: their uses move to it, their earlier versions become its own (the latest 10 stay), and the others are removed. Files in the published version of a space, or in places that the caller may not see, stay.',
    access: 'media.delete',
    params: idParams,
    body: z.strictObject({
      ids: z.array(id).min(1, 'Choose a file.').max(100, 'Choose at most 100 files at once.').describe('File IDs.'),
    }),
    output: z.object({
      removed: z.array(id).describe('IDs of the removed files.'),
      problems: z.array(z.string()).describe('Reasons why others stay.'),
    }),
    errors: ['not_found'],
  }),
  archive: call({
    method: 'GET',
    path: '/backend/media/archive',
    summary:
      'Returns files as a deterministic ZIP of at most 2 GB: the original upload where it is stored, the served file otherwise.',
    access: 'media.view_any',
    query: z.strictObject({
      ids: idList(MAX_ARCHIVE_FILES).describe(`Comma-separated file IDs, at most ${MAX_ARCHIVE_FILES}.`),
    }),
    output: z.file(),
    download: 'application/zip',
    errors: ['not_found', 'too_large'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/media/:id',
    summary:
      'Deletes an unused file. Requires the right to delete media. Users with the right to create media may delete their own uploads, but not with an API key.',
    access: 'session',
    scope: 'delete',
    params: idParams,
    query: z.strictObject({ force: z.enum(['0', '1']).default('0') }),
    output: z.null(),
    errors: ['forbidden', 'in_use'],
  }),
  optimize: call({
    method: 'POST',
    path: '/backend/media/optimize',
    summary:
      'Plans lighter versions of images and models that have none, fast starts of MP4 files, and the measurement of the loudness of audio and videos: uploads by earlier versions, and files that were kept as they are. New uploads are planned automatically.',
    access: 'media.create',
    body: z.strictObject({
      ids: z.array(z.int().positive()).min(1).max(1000).optional().describe('File IDs; all files by default.'),
    }),
    output: z.strictObject({ planned: z.int().describe('Number of planned files.') }),
    errors: ['not_found', 'not_set_up'],
  }),
  optimizing: call({
    method: 'GET',
    path: '/backend/media/optimizing',
    summary: 'Returns the progress of lighter versions: numbers of files, and bytes of the converted ones.',
    access: 'media.view_any',
    output: z.strictObject({
      waiting: z.int().describe('Files that wait for their conversion.'),
      done: z.int().describe('Files with a lighter version.'),
      kept: z.int().describe('Files that are kept as they are.'),
      bytes_before: z.int().describe('Bytes of the files with a lighter version.'),
      bytes: z.int().describe('Bytes of their lighter versions.'),
    }),
  }),
};
