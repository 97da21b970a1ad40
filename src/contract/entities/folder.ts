import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { stamp } from './stamp.ts';

/** Maximum levels of folders. */
export const MAX_FOLDER_LEVELS = 8;

/** Maximum folders of an organization. */
export const MAX_FOLDERS = 1000;

export const folderId = id.nullable().describe('Folder of the space; null for none.');

export const folderName = line(120)
  .min(1, 'Enter a name.')
  .refine((name) => !name.includes('/'), 'Use a name without slashes.')
  .describe('Name, unique in its parent folder.');

const folderShape = {
  id: id.describe('Folder ID.'),
  parent_id: id.nullable().describe('Parent folder; null at the top.'),
  name: folderName,
  updated_at: stamp,
};

/** A folder for spaces. */
export const folderSchema = z.object({
  ...folderShape,
  spaces: z.int().describe('Number of spaces in the folder, without subfolders.'),
});
export type Folder = z.output<typeof folderSchema>;

/** A folder for files of the media library. */
export const mediaFolderSchema = z.object({
  ...folderShape,
  files: z.int().describe('Number of files in the folder, without subfolders.'),
});
export type MediaFolder = z.output<typeof mediaFolderSchema>;
