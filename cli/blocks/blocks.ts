import type { Client } from '../../src/contract/client.ts';
import type { Block } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { jsonText } from '../io/write-output.ts';
import { type ListOptions, listOptions, printList } from '../report/list.ts';
import { eachEntry } from '../report/pages.ts';
import { findByName, listCommand, removeEachCommand } from '../resource.ts';
import { updateBlock } from './update.ts';

const eachBlock = (client: Client): AsyncGenerator<Block> =>
  eachEntry((page) => client.blocks.list({ query: { ...page } }));

const findBlock = (client: Client, wanted: string) => findByName(eachBlock(client), wanted, 'block');

const showBlock: AddCommand = (blocks) => {
  blocks
    .command('show')
    .description('print a block with its content as JSON')
    .argument('<block>', 'ID or name')
    .option('--at <version>', 'version of the content; the newest one by default', Number)
    .addHelpText('after', examples('enfilade blocks show Desk', 'enfilade blocks show Desk --at 2'))
    .action(
      connected(async ({ client }, wanted: string, { at: version }: { at?: number }) => {
        const { id } = await findBlock(client, wanted);
        process.stdout.write(
          jsonText(await client.blocks.read({ params: { id }, query: { ...(version && { version }) } })),
        );
      }),
    );
};

const renameBlock: AddCommand = (blocks) => {
  blocks
    .command('rename')
    .description('rename a block')
    .argument('<block>', 'ID or name')
    .argument('<name>', 'new name')
    .addHelpText('after', examples('enfilade blocks rename Desk "Front desk"'))
    .action(
      connected(async ({ client }, wanted: string, name: string) => {
        const { id, updated_at } = await findBlock(client, wanted);
        const block = await client.blocks.update({ params: { id }, body: { name, updated_at } });
        process.stdout.write(`Block ${id}: ${block.name}\n`);
      }),
    );
};

const listPlaces: AddCommand = (blocks) => {
  const command = blocks
    .command('places')
    .description('list the places of a block in rooms')
    .argument('<block>', 'ID or name')
    .addHelpText('after', examples('enfilade blocks places Desk', 'enfilade blocks places Desk --csv --out places.csv'))
    .action(
      connected(async ({ client }, wanted: string, options: ListOptions) => {
        const { id, version: newest } = await findBlock(client, wanted);
        const places = eachEntry((page) => client.blocks.places({ params: { id }, query: page }));
        await printList(options, ['room_id', 'room', 'element_id', 'name', 'version', 'state'], places, (place) => ({
          ...place,
          state: [place.version < newest && 'to update', place.is_changed && 'changed'].filter(Boolean).join(', '),
        }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};

export const blocks = group('blocks', 'blocks: groups of elements that rooms share', [
  listCommand({
    description: 'list blocks by name',
    examples: ['blocks list', 'blocks list --json'],
    columns: ['id', 'name', 'version', 'element_count', 'places', 'outdated'],
    each: (client) => eachBlock(client),
  }),
  showBlock,
  renameBlock,
  listPlaces,
  updateBlock(findBlock),
  removeEachCommand({
    description: 'remove blocks; their places keep their elements; can be undone for 30 days in the bin',
    examples: ['blocks remove "Old desk"'],
    argument: ['blocks', 'IDs or names'],
    find: findBlock,
    remove: (client, id) => client.blocks.remove({ params: { id } }),
  }),
]);
