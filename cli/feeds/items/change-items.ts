import type { Client } from '../../../src/contract/client.ts';
import type { Share } from '../../../src/contract/entities.ts';
import { type AddCommand, connected, examples } from '../../command.ts';
import { usageError, wrongError } from '../../failure.ts';
import { filesOf, readText, STANDARD_INPUT } from '../../io/read-file.ts';
import { jsonText } from '../../io/write-output.ts';
import { eachEntry } from '../../report/pages.ts';
import { askFirst, type Safety, withConsent } from '../../safety/consent.ts';

/** Items per request. */
const PER_CALL = 1000;

/** A command that applies one change to several items. */
interface ItemChange {
  name: string;
  description: string;
  /** Past participle for the message, such as "approved". */
  done: string;
  /** Whether it applies to removed items. */
  ofRemoved: boolean;
  change(client: Client, ids: number[]): Promise<{ changed: number }>;
}

/** The items with these ids. @throws CliError listing missing ids */
async function findItems(client: Client, ids: ReadonlySet<number>, ofRemoved: boolean): Promise<Share[]> {
  const query = ofRemoved ? { state: 'removed' as const } : {};
  const found: Share[] = [];
  for await (const item of eachEntry((page) => client.feeds.listItems({ query: { ...page, ...query } })))
    if (ids.has(item.id)) found.push(item);
  const known = new Set(found.map(({ id }) => id));
  const missing = [...ids].filter((id) => !known.has(id));
  if (missing.length === 0) return found;
  throw wrongError(
    `${missing.length === 1 ? 'Item' : 'Items'} not found: ${missing.join(', ')}.`,
    `Run \`enfilade feeds items list${ofRemoved ? ' --state removed' : ''}\` to list IDs.`,
  );
}

const lineOf = ({ id, state, name, message }: Share): string =>
  `  ${id}  ${state}  ${[name, message.replace(/\s+/g, ' ').slice(0, 60)].filter(Boolean).join(': ')}\n`;

/** Creates the command for an item change. */
export const itemCommand =
  ({ name, description, done, ofRemoved, change }: ItemChange): AddCommand =>
  (items) => {
    const command = items
      .command(name)
      .description(description)
      .argument('<ids...>', 'item IDs; - to read them from standard input, one per line')
      .option('--json', 'print JSON', false)
      .addHelpText(
        'after',
        examples(`enfilade feeds items ${name} 12 13`, `enfilade feeds items ${name} - --yes < ids.txt`),
      )
      .action(
        connected(async ({ client }, given: string[], options: Safety & { json: boolean }) => {
          const [input] = await filesOf(given.length === 1 ? given.filter((id) => id === STANDARD_INPUT) : []);
          const texts = input ? (await readText(input)).split(/\s+/).filter(Boolean) : given;
          const wrong = texts.find((text) => !/^\d{1,15}$/.test(text));
          if (wrong !== undefined)
            throw usageError(`Invalid ID: "${wrong}".`, 'Use an ID from enfilade feeds items list.');
          const found = await findItems(client, new Set(texts.map(Number)), ofRemoved);
          await withConsent(options, async (isTried) => {
            if (isTried) {
              process.stdout.write(`${found.length} to be ${done}:\n${found.map(lineOf).join('')}`);
              return found.length > 0;
            }
            let changed = 0;
            for (let from = 0; from < found.length; from += PER_CALL)
              changed += (
                await change(
                  client,
                  found.slice(from, from + PER_CALL).map(({ id }) => id),
                )
              ).changed;
            process.stdout.write(options.json ? jsonText({ changed }) : `${changed} ${done}.\n`);
            return true;
          });
        }),
      );
    askFirst(command);
  };

export const approveItems = itemCommand({
  name: 'approve',
  description: 'show items to visitors, which approves waiting ones',
  done: 'shown',
  ofRemoved: false,
  change: (client, ids) => client.feeds.updateItems({ body: { ids, state: 'shown' } }),
});

export const hideItems = itemCommand({
  name: 'hide',
  description: 'hide items from visitors',
  done: 'hidden',
  ofRemoved: false,
  change: (client, ids) => client.feeds.updateItems({ body: { ids, state: 'hidden' } }),
});

export const removeItems = itemCommand({
  name: 'remove',
  description: 'remove items; they stay in the bin for 30 days',
  done: 'removed',
  ofRemoved: false,
  change: (client, ids) => client.feeds.removeItems({ body: { ids } }),
});

export const restoreItems = itemCommand({
  name: 'restore',
  description: 'restore removed items to their previous state',
  done: 'restored',
  ofRemoved: true,
  change: (client, ids) => client.feeds.restoreItems({ body: { ids } }),
});
