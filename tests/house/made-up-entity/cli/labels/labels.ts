import type { z } from 'zod';
import type { LABEL_ORDERS } from '../../src/contract/calls/labels.ts';
import type { Client } from '../../src/contract/client.ts';
import type { Label } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import { wrongError } from '../failure.ts';
import type { Column } from '../io/read-items.ts';
import { eachEntry } from '../report/pages.ts';
import { columnsHelp, exportCommand, findByName, listCommand, removeEachCommand } from '../resource.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

type LabelOrder = (typeof LABEL_ORDERS)[number];
const ORDERS: readonly LabelOrder[] = ['name', '-name', 'edited', '-edited'];

const COLUMNS: Record<string, Column> = { name: 'text', color: 'text', note: 'text' };

const eachLabel = (client: Client, sort?: LabelOrder): AsyncGenerator<Label> =>
  eachEntry((page) => client.labels.list({ query: { ...page, sort } }));

const findLabel = (client: Client, wanted: string) => findByName(eachLabel(client), wanted, 'label');

const importLabels: AddCommand = (labels) => {
  const command = labels
    .command('import')
    .description('add labels, and change those that exist, by their names')
    .argument('<files...>', 'files or patterns; - for JSON or CSV from standard input')
    .addHelpText('after', `${examples('enfilade labels import labels.csv --dry-run')}\n\n${columnsHelp(COLUMNS)}`);
  askFirst(command);
  command.action(
    connected(async ({ client }, files: string[], options: Safety) => {
      const { eachItem } = await import('../imports/read-files.ts');
      const { labelSchema } = await import('../../src/contract/entities.ts');
      const fields = labelSchema.omit({ id: true, updated_at: true });
      const bodies: z.output<typeof fields>[] = [];
      for await (const { value, file, line } of eachItem(files, COLUMNS)) {
        const { data, error } = fields.safeParse(value);
        if (error) throw wrongError(`${file}, line ${line}: ${error.issues[0]!.message}`, 'Nothing was imported.');
        bodies.push(data);
      }
      await withConsent(options, async (isTried) => {
        const known = new Map<string, number>();
        for await (const { id, name } of eachLabel(client)) known.set(name, id);
        for (const body of bodies) {
          const id = known.get(body.name);
          if (!isTried) await (id ? client.labels.update({ params: { id }, body }) : client.labels.create({ body }));
          process.stdout.write(`${isTried ? 'would ' : ''}${id ? 'update' : 'create'} ${body.name}\n`);
        }
        return bodies.length > 0;
      });
    }),
  );
};

export const labels = group('labels', 'labels', [
  listCommand({
    description: 'list labels by name',
    examples: ['labels list', 'labels list --csv --out labels.csv'],
    columns: ['id', ...Object.keys(COLUMNS)],
    csvColumns: Object.keys(COLUMNS),
    orders: ORDERS,
    each: (client, { sort }: { sort?: LabelOrder }) => eachLabel(client, sort),
  }),
  exportCommand({
    description: 'write a label, or all of them, as JSON or CSV',
    examples: ['labels export "Urgent" --out urgent.json', 'labels export --csv --out labels.csv'],
    argument: ['label', 'ID or name'],
    columns: COLUMNS,
    each: (client) => eachLabel(client),
    find: findLabel,
    exported: ({ id, name, color, note }) => ({
      document: { name, color, note },
      row: { name, color, note },
      file: `label-${id}`,
    }),
  }),
  importLabels,
  removeEachCommand({
    description: 'remove labels; this cannot be undone',
    examples: ['labels remove "Urgent"'],
    argument: ['labels', 'IDs or names'],
    find: findLabel,
    remove: (client, id) => client.labels.remove({ params: { id } }),
  }),
]);
