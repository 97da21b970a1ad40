import { formOf } from '../../../harness/api-app.ts';
import { otherPicture } from '../../../harness/media-requests.ts';
import type { Fixture, Request, Said } from './changing-requests.ts';

const group = { id: 1, element: 'group', children: [{ id: 2, element: 'text' }] };

/** The calls of folders. */
const foldersOf = (
  area: 'folders' | 'mediaFolders',
  entity: 'folder' | 'media_folder',
  part: 'folder' | 'mediaFolder',
): typeof changingParts => ({
  [`${area}.create`]: () => ({
    right: { body: { name: 'New' } },
    wrong: { body: { name: 'New', parent_id: 999_999 } },
    said: { action: 'create', entity, before: null, after: { name: 'New' } },
  }),
  [`${area}.update`]: ({ [part]: folder }) => ({
    right: { params: { id: folder }, body: { name: 'Other' } },
    wrong: { params: { id: folder }, body: { parent_id: folder } },
    said: { action: 'update', entity, before: { name: 'Folder' }, after: { name: 'Other' } },
  }),
  [`${area}.remove`]: ({ [part]: folder }) => ({
    right: { params: { id: folder } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity, before: { name: 'Folder' }, after: null },
  }),
});

/** The same for files, blocks, proposals and folders. */
export const changingParts: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  ...foldersOf('folders', 'folder', 'folder'),
  ...foldersOf('mediaFolders', 'media_folder', 'mediaFolder'),
  'media.update': ({ media }) => ({
    right: { params: { id: media }, body: { title: 'Night' } },
    wrong: { params: { id: media }, body: { name: '' } },
    said: { action: 'update', entity: 'media', before: { title: '' }, after: { title: 'Night' } },
  }),
  'media.updateMany': ({ media, mediaFolder }) => ({
    right: { body: { files: [{ id: media, folder_id: mediaFolder }] } },
    wrong: { body: { files: [{ id: media, folder_id: 999_999 }] } },
    said: { action: 'update', entity: 'media', before: { folder_id: null }, after: { folder_id: mediaFolder } },
  }),
  'media.replace': ({ media }) => ({
    right: {
      params: { id: media },
      form: formOf({}, otherPicture()),
    },
    wrong: { params: { id: media }, form: formOf({}, { field: 'file', name: 'x.png', content: new Blob(['x']) }) },
    said: { action: 'update', entity: 'media', before: null },
  }),
  'media.remove': ({ media }) => ({
    right: { params: { id: media }, query: 'force=1' },
    wrong: { params: { id: media } },
    said: { action: 'update', entity: 'room', after: { file_removed: 'pixel.png' } },
  }),
  'blocks.create': () => ({
    right: { body: { name: 'New', element: group } },
    wrong: { body: { name: 'New', element: { id: 1, element: 'text' } } },
    said: { action: 'create', entity: 'block', before: null, after: { name: 'New', element_count: 2 } },
  }),
  'blocks.update': ({ block }) => ({
    right: { params: { id: block }, body: { element: group } },
    wrong: {
      params: { id: block },
      body: { element: { ...group, children: [{ id: 2, element: 'image', file_id: 9 }] } },
    },
    said: { action: 'update', entity: 'block', before: { content_version: 1 }, after: { content_version: 2 } },
  }),
  'blocks.remove': ({ block }) => ({
    right: { params: { id: block } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'block', before: { name: 'Desk' }, after: null },
  }),
  'proposals.create': ({ room }) => ({
    right: { params: { id: room }, body: { name: 'Autumn' } },
    wrong: { params: { id: room }, body: { name: '' } },
    said: { action: 'update', entity: 'room', after: { proposal: 'Autumn' } },
  }),
  'proposals.merge': ({ proposal }) => ({
    right: { params: { id: proposal }, body: {} },
    wrong: { params: { id: proposal }, body: { seq: 999_999 } },
    said: { action: 'update', entity: 'room', after: { merged: 'Winter' } },
  }),
  'proposals.discard': ({ proposal }) => ({
    right: { params: { id: proposal } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'room', after: { discarded: 'Winter' } },
  }),
};
