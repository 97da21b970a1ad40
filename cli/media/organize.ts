import type { Client } from '../../src/contract/client.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { folderIdOf } from '../folders/find-folder.ts';
import { jsonText } from '../io/write-output.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { filesWithIds, mediaIdOf } from './each-media.ts';

export const usesOfMedia: AddCommand = (media) => {
  media
    .command('uses')
    .description('list the uses of a file')
    .argument('<id>', 'file ID')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade media uses 7'))
    .action(
      connected(async ({ client }, id: string, { json }: { json: boolean }) => {
        const found = await client.media.uses({ params: { id: mediaIdOf(id) } });
        if (json) return void process.stdout.write(jsonText(found));
        for (const { kind, id: used, name, elements } of found.uses) {
          const names = elements.map((element) => element.name || `element ${element.id}`).join(', ');
          process.stdout.write(`${kind} ${used}: ${name}${names && ` (${names})`}\n`);
        }
        if (found.hidden > 0) process.stdout.write(`${found.hidden} more that you have no access to\n`);
        if (found.uses.length + found.hidden === 0) process.stdout.write('Not in use.\n');
      }),
    );
};

type Change = Omit<Parameters<Client['media']['updateMany']>[0]['body']['files'][number], 'id'>;

/** Changes many files in the same way, some at a time. */
async function changeEach(client: Client, ids: readonly string[], change: Change): Promise<void> {
  const { MAX_CHANGED_MEDIA } = await import('../../src/contract/entities.ts');
  const files = [...new Set(ids.map(mediaIdOf))].map((id) => ({ id, ...change }));
  for (let start = 0; start < files.length; start += MAX_CHANGED_MEDIA)
    await client.media.updateMany({ body: { files: files.slice(start, start + MAX_CHANGED_MEDIA) } });
  process.stdout.write(`Changed ${files.length}.\n`);
}

export const moveMedia: AddCommand = (media) => {
  media
    .command('move')
    .description('move files to a folder of the media library')
    .argument('<ids...>', 'file IDs')
    .requiredOption('--folder <folder>', 'path such as Museum/East, or ID; / for no folder')
    .addHelpText('after', examples('enfilade media move 7 8 9 --folder Museum/East'))
    .action(
      connected(async ({ client }, ids: string[], { folder }: { folder: string }) =>
        changeEach(client, ids, { folder_id: await folderIdOf(client, folder, 'mediaFolders') }),
      ),
    );
};

const wordsOf = (text = ''): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

export const keywordsOfMedia: AddCommand = (media) => {
  media
    .command('keywords')
    .description('add keywords to files, and remove others')
    .argument('<ids...>', 'file IDs')
    .option('--add <words>', 'keywords to add, separated by commas')
    .option('--remove <words>', 'keywords to remove, separated by commas')
    .addHelpText('after', examples('enfilade media keywords 7 8 --add "wide, blue" --remove draft'))
    .action(
      connected(async ({ client }, ids: string[], { add, remove }: { add?: string; remove?: string }) => {
        const change = { add_keywords: wordsOf(add), remove_keywords: wordsOf(remove) };
        if (change.add_keywords.length + change.remove_keywords.length === 0)
          throw usageError('Nothing to change.', 'Add --add or --remove.');
        await changeEach(client, ids, change);
      }),
    );
};

export const mergeMedia: AddCommand = (media) => {
  const command = media
    .command('merge')
    .description(
      'keep one of several files with the same content: whatever uses the others uses it, and they are removed',
    )
    .argument('<id>', 'ID of the file to keep')
    .argument('<others...>', 'IDs of the others')
    .addHelpText('after', examples('enfilade media list --duplicates', 'enfilade media merge 7 8 9'))
    .action(
      connected(async ({ client }, wanted: string, others: string[], safety: Safety) => {
        const [kept] = await filesWithIds(client, [wanted]);
        const files = await filesWithIds(client, others);
        await withConsent(safety, async (isTried) => {
          if (isTried) {
            for (const { id, name } of files) process.stdout.write(`Would merge ${id}: ${name}\n`);
            return true;
          }
          const { removed, problems } = await client.media.merge({
            params: { id: kept!.id },
            body: { ids: files.map(({ id }) => id) },
          });
          process.stdout.write(`Removed ${removed.length}.\n`);
          for (const problem of problems) process.stderr.write(`${problem}\n`);
          return true;
        });
      }),
    );
  askFirst(command);
};
