import type { Client } from '../../src/contract/client.ts';
import type { AdminTemplate } from '../../src/contract/entities.ts';
import { type AddCommand, connected, examples, group } from '../command.ts';
import type { Column } from '../io/read-items.ts';
import { jsonText } from '../io/write-output.ts';
import type { Exported } from '../report/export-items.ts';
import { eachEntry } from '../report/pages.ts';
import { exportCommand, findByName, importCommand, listCommand, removeCommand } from '../resource.ts';
import { TEMPLATE_ORDERS, type TemplateOrder } from '../words.ts';

/** Columns of a table of templates. */
const COLUMNS: Record<string, Column> = {
  name: 'text',
  description: 'text',
  model_type: 'text',
  hotspot_style: 'text',
  font_color: 'text',
  accent_color: 'text',
  width: 'number',
  height: 'number',
  depth: 'number',
};

const eachTemplate = (client: Client, sort?: TemplateOrder): AsyncGenerator<AdminTemplate> =>
  eachEntry((page) => client.templates.list({ query: { ...page, sort } }));

const findTemplate = (client: Client, wanted: string) => findByName(eachTemplate(client), wanted, 'template');

/** A template as a document, without response-only fields. */
async function exported(template: AdminTemplate): Promise<Exported> {
  const { templateSchema } = await import('../../engine/document/template.ts');
  const { normalizeSlug } = await import('../../src/contract/slug.ts');
  const fields = Object.keys(templateSchema.shape).map((name) => [name, template[name as keyof AdminTemplate]]);
  return {
    document: Object.fromEntries(fields),
    row: template,
    file: `${normalizeSlug(template.name) || 'template'}-${template.id}`,
  };
}

const copyTemplate: AddCommand = (templates) => {
  templates
    .command('copy')
    .description('copy a template; the copy uses the same files')
    .argument('<template>', 'ID or name')
    .option('--name <name>', 'name of the copy')
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples('enfilade templates copy "White room" --name "White room, winter"'))
    .action(
      connected(async ({ client }, wanted: string, { name, json }: { name?: string; json: boolean }) => {
        const { id } = await findTemplate(client, wanted);
        const copy = await client.templates.copy({ params: { id }, body: { name } });
        process.stdout.write(json ? jsonText({ id: copy.id, name: copy.name }) : `Template ${copy.id}: ${copy.name}\n`);
      }),
    );
};

export const templates = group('templates', 'templates: reusable shells of rooms', [
  listCommand({
    description: 'list templates by name',
    examples: ['templates list', 'templates list --csv --out templates.csv'],
    columns: ['id', ...Object.keys(COLUMNS)],
    csvColumns: Object.keys(COLUMNS),
    orders: TEMPLATE_ORDERS,
    each: (client, { sort }: { sort?: TemplateOrder }) => eachTemplate(client, sort),
  }),
  exportCommand({
    description: 'export a template, or all of them, as JSON or CSV',
    examples: [
      'templates export "White room" --out white.json',
      'templates export --all --out templates.json',
      'templates export --all --out templates/      # a file each',
      'templates export --all --csv --out templates.csv',
    ],
    argument: ['template', 'ID or name'],
    needsAll: true,
    columns: COLUMNS,
    each: (client) => eachTemplate(client),
    find: findTemplate,
    exported,
  }),
  importCommand({
    description: 'create and update templates by name, from JSON documents or CSV tables, all or none',
    examples: ['templates import templates.json --dry-run', 'templates import templates.csv'],
    columns: COLUMNS,
    send: (client) => (request, idempotencyKey) => client.imports.templatesFile({ ...request, idempotencyKey }),
  }),
  copyTemplate,
  removeCommand({
    description: 'remove unused templates; can be undone for 30 days',
    examples: ['templates remove "Old shell"'],
    argument: ['templates', 'IDs or names'],
    kind: 'templates',
    find: findTemplate,
  }),
]);
