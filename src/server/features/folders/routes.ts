import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { type ListedFolder, listFolders } from './queries.ts';
import { createFolder, removeFolder, updateFolder } from './service.ts';
import { type FolderKind, MEDIA_FOLDERS, SPACE_FOLDERS } from './table.ts';

/** The handlers of a kind of folders. @param shown a folder as in responses */
function handlersOf<F extends { id: number }>(kind: FolderKind, shown: (folder: ListedFolder) => F) {
  const list = async ({ db, organizationId }: CallContext): Promise<F[]> =>
    (await listFolders(db, kind, organizationId)).map(shown);
  const one = async (context: CallContext, id: number): Promise<F> =>
    orNotFound((await list(context)).find((folder) => folder.id === id));
  type One = { params: { id: number } };
  return {
    list,
    create: async (context: CallContext, { body }: { body: Parameters<typeof createFolder>[2] }) =>
      one(context, await createFolder(kind, context, body)),
    update: async (context: CallContext, { params, body }: One & { body: Parameters<typeof updateFolder>[3] }) => {
      await updateFolder(kind, context, params.id, body);
      return one(context, params.id);
    },
    remove: async (context: CallContext, { params }: One) => {
      await removeFolder(kind, context, params.id);
      return null;
    },
  };
}

export const folders: Handlers<'folders'> = handlersOf(SPACE_FOLDERS, ({ items, ...folder }) => ({
  ...folder,
  spaces: items,
}));

export const mediaFolders: Handlers<'mediaFolders'> = handlersOf(MEDIA_FOLDERS, ({ items, ...folder }) => ({
  ...folder,
  files: items,
}));
