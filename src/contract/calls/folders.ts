import { z } from 'zod';
import { type Call, call } from '../call.ts';
import { folderName, folderSchema, mediaFolderSchema, stamp } from '../entities.ts';
import { idParams } from '../inputs.ts';

const { parent_id } = folderSchema.shape;

interface FolderCalls<S extends z.ZodType> {
  /** Path of the list. */
  path: string;
  /** Name of the area in the call table. */
  area: string;
  /** Rights to see, add, change and remove folders. */
  access: Record<'view' | 'create' | 'update' | 'delete', Call['access']>;
  schema: S;
  /** Plural noun of the items, which is also the field with their number. */
  items: string;
}

/** The calls of a tree of folders. */
const folderCalls = <S extends z.ZodType>({ path, area, access, schema, items }: FolderCalls<S>) => ({
  list: call({
    method: 'GET',
    path,
    summary: `Lists all folders for ${items} by name.`,
    access: access.view,
    output: z.array(schema),
  }),
  create: call({
    method: 'POST',
    path,
    summary: `Creates a folder for ${items}.`,
    access: access.create,
    body: z.strictObject({ name: folderName, parent_id: parent_id.default(null) }),
    output: schema,
    status: 201,
    done: 'The folder has been added.',
  }),
  update: call({
    method: 'PUT',
    path: `${path}/:id`,
    summary: `Renames a folder for ${items}, or moves it with its subfolders to another parent folder.`,
    edits: { read: `${area}.list`, moving: [items] },
    access: access.update,
    params: idParams,
    body: z.strictObject({
      name: folderName.optional(),
      parent_id: parent_id.optional(),
      updated_at: stamp.optional(),
    }),
    output: schema,
    done: 'The folder has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: `Removes a folder. Its ${items} and subfolders move to its parent folder.`,
    access: access.delete,
    params: idParams,
    output: z.null(),
    errors: ['invalid'],
    done: 'The folder has been removed.',
  }),
});

/** Folders for spaces. */
export const folders = folderCalls({
  path: '/backend/folders',
  area: 'folders',
  access: { view: 'rooms.view_any', create: 'rooms.create', update: 'rooms.update', delete: 'rooms.delete' },
  schema: folderSchema,
  items: 'spaces',
});

/** Folders for files of the media library. */
export const mediaFolders = folderCalls({
  path: '/backend/media-folders',
  area: 'mediaFolders',
  access: { view: 'media.view_any', create: 'media.create', update: 'media.create', delete: 'media.delete' },
  schema: mediaFolderSchema,
  items: 'files',
});
