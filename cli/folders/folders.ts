import { type AddCommand, connected, examples, group } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { listCommand, removeEachCommand } from '../resource.ts';
import { allFolders, type FolderArea, findFolder, folderIdOf } from './find-folder.ts';

const FOLDER = 'path such as Museum/East, or ID';

const print = (folder: { id: number; name: string }, json: boolean) =>
  process.stdout.write(json ? jsonText(folder) : `Folder ${folder.id}: ${folder.name}\n`);

/** Folders of one kind. */
interface Kind {
  /** Name of the group. */
  noun: string;
  area: FolderArea;
  /** Plural noun of the items in the folders. */
  items: string;
  /** Field with their number. */
  count: 'spaces' | 'files';
}

const createFolder =
  ({ noun, area }: Kind): AddCommand =>
  (folders) => {
    folders
      .command('create')
      .description('create a folder; its parent folder must exist')
      .argument('<path>', 'path of the new folder, such as Museum/East')
      .option('--json', 'print JSON', false)
      .addHelpText('after', examples(`enfilade ${noun} create Museum`, `enfilade ${noun} create "Museum/East wing"`))
      .action(
        connected(async ({ client }, path: string, { json }: { json: boolean }) => {
          const names = path.split('/').filter(Boolean);
          const parent_id = await folderIdOf(client, names.slice(0, -1).join('/'), area);
          print(await client[area].create({ body: { name: names.at(-1) ?? '', parent_id } }), json);
        }),
      );
  };

const renameFolder =
  ({ noun, area }: Kind): AddCommand =>
  (folders) => {
    folders
      .command('rename')
      .description('rename a folder')
      .argument('<folder>', FOLDER)
      .argument('<name>', 'new name')
      .option('--json', 'print JSON', false)
      .addHelpText('after', examples(`enfilade ${noun} rename Museum/East "East wing"`))
      .action(
        connected(async ({ client }, wanted: string, name: string, { json }: { json: boolean }) => {
          const { id } = await findFolder(client, wanted, area);
          print(await client[area].update({ params: { id }, body: { name } }), json);
        }),
      );
  };

const moveFolder =
  ({ noun, area }: Kind): AddCommand =>
  (folders) => {
    folders
      .command('move')
      .description('move a folder with its subfolders to another parent folder')
      .argument('<folder>', FOLDER)
      .argument('<parent>', `${FOLDER}; / for the top level`)
      .option('--json', 'print JSON', false)
      .addHelpText(
        'after',
        examples(`enfilade ${noun} move Museum/East Archive`, `enfilade ${noun} move Museum/East /`),
      )
      .action(
        connected(async ({ client }, wanted: string, parent: string, { json }: { json: boolean }) => {
          const { id } = await findFolder(client, wanted, area);
          const parent_id = await folderIdOf(client, parent, area);
          print(await client[area].update({ params: { id }, body: { parent_id } }), json);
        }),
      );
  };

/** The commands of folders of one kind. */
const folderGroup = (kind: Kind): AddCommand => {
  const { noun, area, items, count } = kind;
  return group(noun, `folders for ${items}`, [
    listCommand({
      description: `list folders with their paths and the number of ${items} in each`,
      examples: [`${noun} list`, `${noun} list --json`],
      columns: ['id', 'path', count],
      each: (client) => allFolders(client, area),
    }),
    createFolder(kind),
    renameFolder(kind),
    moveFolder(kind),
    removeEachCommand({
      description: `remove folders; their ${items} and subfolders move to the parent folder`,
      examples: [`${noun} remove Museum/East`],
      argument: ['folders', FOLDER],
      find: (client, wanted) => findFolder(client, wanted, area),
      remove: (client, id) => client[area].remove({ params: { id } }),
    }),
  ]);
};

export const folders: AddCommand = folderGroup({
  noun: 'folders',
  area: 'folders',
  items: 'rooms',
  count: 'spaces',
});

export const mediaFolders: AddCommand = folderGroup({
  noun: 'media-folders',
  area: 'mediaFolders',
  items: 'files',
  count: 'files',
});
