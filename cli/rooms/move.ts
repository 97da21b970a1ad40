import type { Client } from '../../src/contract/client.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { folderIdOf } from '../folders/find-folder.ts';
import { jsonText } from '../io/write-output.ts';
import { runBulk } from '../report/run-bulk.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { findRoom } from './find-room.ts';

/** Moves rooms in one job. @throws CliError naming the rooms that were not moved */
async function move(client: Client, ids: number[], folder_id: number | null, json: boolean): Promise<void> {
  const { changed, problems } = await runBulk(client, { action: 'rooms.folder', ids, fields: { folder_id } });
  process.stdout.write(json ? jsonText({ changed, problems }) : `moved ${changed.length}\n`);
  if (problems.length > 0) throw wrongError('Some rooms were not moved.', problems.join(' '));
}

export const moveRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('move')
    .description('move rooms to a folder; their content and structures stay unchanged')
    .argument('<rooms...>', 'IDs, public paths or names')
    .requiredOption('--folder <path>', 'path such as Museum/East, or ID; / for no folder')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples('enfilade rooms move 12 13 --folder Museum/East', 'enfilade rooms move "Old hall" --folder /'),
    );
  askFirst(command);
  command.action(
    connected(async ({ client }, wanted: string[], options: Safety & { folder: string; json: boolean }) => {
      const folder_id = await folderIdOf(client, options.folder);
      const ids: number[] = [];
      for (const each of wanted) ids.push(await findRoom(client, each));
      await withConsent(options, async (isTried) => {
        if (isTried)
          process.stdout.write(`move ${ids.length} to ${folder_id === null ? 'no folder' : options.folder}\n`);
        else await move(client, ids, folder_id, options.json);
        return true;
      });
    }),
  );
};
