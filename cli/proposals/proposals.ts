import { Option } from 'commander';
import type { Client } from '../../src/contract/client.ts';
import type { Proposal, ProposalReview } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { eachEntry } from '../report/pages.ts';
import { listCommand } from '../resource.ts';
import { findRoom } from '../rooms/find-room.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { PROPOSAL_STATES } from '../words.ts';

function idOf(wanted: string): number {
  if (/^[1-9]\d{0,14}$/.test(wanted)) return Number(wanted);
  throw usageError(`Invalid proposal: "${wanted}".`, 'Use its number. `enfilade proposals list` shows it.');
}

/** A proposal with its changes, one per line: key, text, and whether it conflicts. */
function printReview(review: ProposalReview, isJson: boolean): void {
  if (isJson) {
    process.stdout.write(jsonText(review));
    return;
  }
  const { id, name, room_title, state, changes } = review;
  const lines = changes.map(({ key, text, is_conflict }) => `  ${text}${is_conflict ? ' (conflict)' : ''} [${key}]\n`);
  const none = state === 'open' ? '  no changes\n' : '';
  process.stdout.write(`Proposal ${id}: ${name}, for ${room_title}, ${state}\n${lines.join('') || none}`);
}

const createProposal: AddCommand = (proposals) => {
  proposals
    .command('create')
    .description(
      'create a proposal for a room; prints the ID of the room with its content, which is edited as any other',
    )
    .argument('<room>', 'ID, name, title or public path')
    .requiredOption('--name <name>', 'name of the proposal')
    .option('--note <text>', 'reason for the change', '')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade proposals create gallery --name "Autumn hang"'))
    .action(
      connected(
        async ({ client }, room: string, { json, name, note }: { name: string; note: string; json: boolean }) => {
          const params = { id: await findRoom(client, room) };
          const made = await client.proposals.create({ params, body: { name, note } });
          const text = `Proposal ${made.id}: ${made.name}. Edit room ${made.branch_id}.\n`;
          process.stdout.write(json ? jsonText(made) : text);
        },
      ),
    );
};

const showProposal: AddCommand = (proposals) => {
  proposals
    .command('show')
    .description('print the changes that merging a proposal makes to its room')
    .argument('<proposal>', 'number of the proposal')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade proposals show 3'))
    .action(
      connected(async ({ client }, wanted: string, { json }: { json: boolean }) => {
        printReview(await client.proposals.read({ params: { id: idOf(wanted) } }), json);
      }),
    );
};

/** Merges the reviewed changes, unless either side has changed since. */
async function merge(client: Client, review: ProposalReview, without: readonly string[], isTried: boolean) {
  const known = new Set(review.changes.map(({ key }) => key));
  const unknown = without.filter((key) => !known.has(key));
  if (unknown.length > 0)
    throw wrongError(
      `The proposal has no such change: ${unknown.join(', ')}.`,
      'Use the keys in brackets that `enfilade proposals show` prints.',
    );
  const left = new Set(without);
  const changes = review.changes.filter(({ key }) => !left.has(key));
  if (isTried) {
    printReview({ ...review, changes }, false);
    return changes.length > 0;
  }
  const { id, seq, branch_seq } = review;
  const body = { seq, without: [...without], ...(branch_seq !== null && { branch_seq }) };
  const merged = await client.proposals.merge({ params: { id }, body });
  process.stdout.write(
    `Proposal ${id} merged into ${merged.room_title}: ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}.\n`,
  );
  return true;
}

const mergeProposal: AddCommand = (proposals) => {
  const command = proposals
    .command('merge')
    .description('merge a proposal into its room as one change; it wins where both changed')
    .argument('<proposal>', 'number of the proposal')
    .option('--without <keys...>', 'changes to leave out, by key')
    .addHelpText(
      'after',
      examples('enfilade proposals merge 3 --dry-run', 'enfilade proposals merge 3 --without "12 position" --yes'),
    )
    .action(
      connected(async ({ client }, wanted: string, options: Safety & { without?: string[] }) => {
        const review = await client.proposals.read({ params: { id: idOf(wanted) } });
        await withConsent(options, (isTried) => merge(client, review, options.without ?? [], isTried));
      }),
    );
  askFirst(command);
};

const discardProposal: AddCommand = (proposals) => {
  const command = proposals
    .command('discard')
    .description('discard a proposal; its content is deleted')
    .argument('<proposal>', 'number of the proposal')
    .addHelpText('after', examples('enfilade proposals discard 3 --yes'))
    .action(
      connected(async ({ client }, wanted: string, options: Safety) => {
        const params = { id: idOf(wanted) };
        await withConsent(options, async (isTried) => {
          const { id, name } = isTried
            ? await client.proposals.read({ params })
            : await client.proposals.discard({ params });
          process.stdout.write(`${isTried ? 'would discard' : 'discarded'} ${id} ${name}\n`);
          return true;
        });
      }),
    );
  askFirst(command);
};

export const proposals = group('proposals', 'proposed changes of rooms, to be reviewed and merged', [
  listCommand({
    description: 'list proposals, newest first',
    examples: ['proposals list --state open', 'proposals list --json'],
    columns: ['id', 'name', 'state', 'room_id', 'room_title', 'branch_id', 'by', 'at'],
    options: () => [new Option('--state <state>', 'only proposals in this state').choices(PROPOSAL_STATES)],
    each: (client, { state }: { state?: Proposal['state'] }) =>
      eachEntry((page) => client.proposals.list({ query: { ...page, state } })),
    row: ({ user, ...proposal }: Proposal) => ({ ...proposal, by: user?.name ?? '' }),
  }),
  showProposal,
  createProposal,
  mergeProposal,
  discardProposal,
]);
