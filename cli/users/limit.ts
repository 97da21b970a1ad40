import type { Client } from '../../src/contract/client.ts';
import type { Member } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { usageError } from '../failure.ts';
import { findFolder } from '../folders/find-folder.ts';
import { jsonText } from '../io/write-output.ts';

interface Options {
  folder: string[];
  structure: string[];
  none: boolean;
  json: boolean;
}

const add = (value: string, before: string[]) => [...before, value];

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Access of a user, in words. */
export const limitsText = ({ limits }: Pick<Member, 'limits'>): string =>
  limits === null
    ? 'all'
    : `${counted(limits.folder_ids.length, 'folder')}, ${counted(limits.endpoint_ids.length, 'structure')}`;

/** @param findUser finds a user by e-mail address or ID */
export const limitUser =
  (findUser: (client: Client, wanted: string) => Promise<Member>): AddCommand =>
  (users) => {
    users
      .command('limit')
      .description('limit a user to some folders and structures, with everything below them')
      .argument('<user>', 'e-mail address or ID')
      .option('--folder <path>', 'folder whose spaces the user sees; repeatable', add, [])
      .option('--structure <path>', 'structure that the user sees; repeatable', add, [])
      .option('--none', 'remove the limits: the user sees the whole organization', false)
      .option('--json', 'print JSON', false)
      .addHelpText(
        'after',
        examples(
          'enfilade users limit kim@example.com --folder "Clients/Museum" --structure museum',
          'enfilade users limit kim@example.com --none',
        ),
      )
      .action(
        connected(async ({ client }, wanted: string, { folder, structure, none, json }: Options) => {
          if (none === folder.length + structure.length > 0)
            throw usageError('Nothing to limit.', 'Specify --folder, --structure, or only --none.');
          const { id } = await findUser(client, wanted);
          const folder_ids: number[] = [];
          for (const path of folder) folder_ids.push((await findFolder(client, path)).id);
          const endpoint_ids: number[] = [];
          for (const path of structure) endpoint_ids.push((await findEndpoint(client, path)).id);
          const limits = none ? null : { folder_ids, endpoint_ids };
          const user = await client.users.update({ params: { id }, body: { limits } });
          process.stdout.write(json ? jsonText(user) : `User ${user.id}: ${limitsText(user)}\n`);
        }),
      );
  };
