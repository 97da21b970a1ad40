import type { Client } from '../../src/contract/client.ts';
import type { RoomLogEntry } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { findRoom } from './find-room.ts';

const LOG_COLUMNS = ['seq', 'at', 'user', 'origin', 'commands'];
/** Entries per request. */
const PER_PART = 500;
/** Commands per entry shown in a table. */
const NAMED = 5;

/** Entries of a room's log after one, in order. */
async function* entriesOf(client: Client, id: number, after: number): AsyncGenerator<RoomLogEntry> {
  for (let last = after; ; ) {
    const { entries, seq } = await client.rooms.log({ params: { id }, query: { after: last, limit: PER_PART } });
    yield* entries;
    last = entries.at(-1)?.seq ?? seq;
    if (last >= seq) return;
  }
}

/** A command in short form, such as `element.update 12 name, config.title`. */
function inShort(command: Record<string, unknown>): string {
  const { type, id, element, fields } = command as {
    type: string;
    id?: number;
    element?: { id: number; element: string };
    fields?: Record<string, unknown> & { config?: object };
  };
  const { config, ...others } = fields ?? {};
  const names = [...Object.keys(others), ...Object.keys(config ?? {}).map((name) => `config.${name}`)];
  return [type, element ? `${element.id} (${element.element})` : id, names.join(', ')]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/** The first commands of an entry in short form. */
function allInShort(commands: readonly Record<string, unknown>[]): string {
  const rest = commands.length - NAMED;
  return [...commands.slice(0, NAMED).map(inShort), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

export const logRoom: AddCommand = (rooms) => {
  const command = rooms
    .command('log')
    .description('print the changes to a room of the last 30 days, in order; --json includes all commands')
    .argument('<room>', 'ID, name, title or public path')
    .option('--after <seq>', 'print changes after this sequence number', '0')
    .addHelpText('after', examples('enfilade rooms log gallery', 'enfilade rooms log gallery --after 120 --json'))
    .action(
      connected(async ({ client }, room: string, { after, ...options }: ListOptions & { after: string }) => {
        if (!/^\d{1,15}$/.test(after))
          throw wrongError(`Invalid sequence number: "${after}".`, 'Use a whole number, 0 or higher.');
        const entries = entriesOf(client, await findRoom(client, room), Number(after));
        await printList(options, LOG_COLUMNS, entries, ({ seq, at, user, origin, commands }) => ({
          seq,
          at,
          user: user?.name ?? '',
          origin,
          commands: allInShort(commands),
        }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
