import type { Command, Option } from 'commander';
import type { Client } from '../src/contract/client.ts';
import type { ImportKind } from '../src/contract/entities.ts';
import { type AddCommand, connected, examples } from './command.ts';
import { usageError, wrongError } from './failure.ts';
import type { SendFile } from './imports/import-file.ts';
import type { Column, Item } from './io/read-items.ts';
import { type Exported, type ExportOptions, exportItems, exportOne, exportOptions } from './report/export-items.ts';
import { addImportOptions, type ImportOptions } from './report/import-options.ts';
import { type ListOptions, listOptions, printList, sortOption } from './report/list.ts';
import { askFirst, type Safety, withConsent } from './safety/consent.ts';

/*
 * The commands shared by all kinds of entities. Each noun declares its differences; other commands are
 * written by hand.
 */

interface Help {
  description: string;
  /** Command lines without `enfilade`. */
  examples: readonly string[];
  /** Further paragraphs of the help. */
  notes?: string;
}

const helpOf = ({ examples: lines, notes }: Help) =>
  examples(...lines.map((line) => `enfilade ${line}`)) + (notes ? `\n\n${notes}` : '');

/** The columns of a table, formatted for help. */
export const columnsHelp = (columns: Record<string, Column>) =>
  `Columns of a table (an empty cell leaves its field unchanged): ${Object.keys(columns).join(', ')}`;

export interface ListDeclaration<Entry, Query> extends Help {
  /** Columns of the table on a terminal. */
  columns: readonly string[];
  /** Columns of `--csv`; defaults to `columns`. */
  csvColumns?: readonly string[];
  /** Values of `--sort`; without them there is no such option. */
  orders?: readonly string[];
  /** Additional options. */
  options?: () => readonly Option[];
  each(client: Client, query: Query): AsyncIterable<Entry> | Promise<Iterable<Entry>>;
  /** An entry as a row; the entry itself by default. */
  row?(entry: Entry): Record<string, unknown>;
}

/** `list`: prints a table, JSON or CSV. */
export const listCommand =
  <Entry extends object, Query extends object>(declared: ListDeclaration<Entry, Query>): AddCommand =>
  (parent) => {
    const command = parent.command('list').description(declared.description).addHelpText('after', helpOf(declared));
    for (const option of declared.options?.() ?? []) command.addOption(option);
    if (declared.orders) command.addOption(sortOption(declared.orders));
    for (const option of listOptions()) command.addOption(option);
    command.action(
      connected(async ({ client }, options: ListOptions & Query) => {
        const columns = (options.csv && declared.csvColumns) || declared.columns;
        const entries = await declared.each(client, options);
        await printList(options, columns, entries, declared.row ?? ((entry) => entry as Record<string, unknown>));
      }),
    );
  };

export interface ExportDeclaration<Entry> extends Help {
  /** Name of the argument, and the kinds of references it accepts. */
  argument: readonly [name: string, reference: string];
  /** Whether exporting everything requires `--all`; otherwise omitting the argument is enough. */
  needsAll?: boolean;
  columns: Record<string, Column>;
  each(client: Client): AsyncIterable<Entry> | Promise<Iterable<Entry>>;
  find(client: Client, wanted: string): Promise<Entry>;
  exported(entry: Entry): Exported | Promise<Exported>;
}

/** `export`: writes documents or a table that `import` accepts. */
export const exportCommand =
  <Entry>(declared: ExportDeclaration<Entry>): AddCommand =>
  (parent) => {
    const [name, reference] = declared.argument;
    const command = parent
      .command('export')
      .description(declared.description)
      .argument(`[${name}]`, declared.needsAll ? reference : `${reference}; all by default`)
      .addHelpText('after', helpOf(declared));
    if (declared.needsAll) command.option('--all', 'export all', false);
    for (const option of exportOptions()) command.addOption(option);
    command.action(
      connected(async ({ client }, wanted: string | undefined, options: ExportOptions & { all?: boolean }) => {
        if (options.all && wanted !== undefined)
          throw usageError(`--all and a ${name} can't be combined.`, 'Use one of them.');
        if (declared.needsAll && !options.all && wanted === undefined)
          throw usageError(`No ${name} specified.`, 'Specify one, or use --all.');
        const columns = Object.keys(declared.columns);
        if (wanted !== undefined) {
          const found = await declared.find(client, wanted);
          return exportOne(await declared.exported(found), columns, options);
        }
        const items = async function* () {
          for await (const entry of await declared.each(client)) yield declared.exported(entry);
        };
        await exportItems(items(), columns, options);
      }),
    );
  };

export interface ImportDeclaration extends Help {
  columns: Record<string, Column>;
  /** Turns an item of a file into a document; by default, table rows already are documents. */
  read?: (item: Item) => Item;
  send(client: Client): (...request: Parameters<SendFile>) => ReturnType<SendFile>;
}

/** `import`: adds and changes entities from files, all or nothing. */
export const importCommand =
  (declared: ImportDeclaration): AddCommand =>
  (parent) => {
    const { columns, notes, read } = declared;
    const command = parent
      .command('import')
      .description(declared.description)
      .argument('<files...>', 'files or patterns; - for JSON or CSV from standard input')
      .addHelpText('after', helpOf({ ...declared, notes: notes ?? columnsHelp(columns) }));
    addImportOptions(command);
    command.action(
      connected(async ({ client }, files: string[], options: ImportOptions) => {
        const { importFile } = await import('./imports/import-file.ts');
        const { eachItem } = await import('./imports/read-files.ts');
        await importFile(() => eachItem(files, columns, read), options, declared.send(client));
      }),
    );
  };

interface RemoveDeclaration<Entry> extends Help {
  /** Name of the argument, and the kinds of references it accepts. */
  argument: readonly [name: string, reference: string];
  find(client: Client, wanted: string): Promise<Entry>;
}

/** Adds `remove`, which resolves all entities before it removes the first one. */
function addRemove<Entry>(
  parent: Command,
  declared: RemoveDeclaration<Entry>,
  remove: (client: Client, found: readonly Entry[], isTried: boolean, json: boolean) => Promise<boolean>,
  hasJson = false,
): void {
  const [name, reference] = declared.argument;
  const command = parent
    .command('remove')
    .description(declared.description)
    .argument(`<${name}...>`, reference)
    .addHelpText('after', helpOf(declared));
  if (hasJson) command.option('--json', 'print JSON', false);
  askFirst(command);
  command.action(
    connected(async ({ client }, given: string[], options: Safety & { json?: boolean }) => {
      const found: Entry[] = [];
      for (const wanted of given) found.push(await declared.find(client, wanted));
      await withConsent(options, (isTried) => remove(client, found, isTried, options.json ?? false));
    }),
  );
}

/** `remove`: removes entities in one job that can be undone. */
export const removeCommand =
  (declared: RemoveDeclaration<{ id: number }> & { kind: ImportKind }): AddCommand =>
  (parent) => {
    const { kind } = declared;
    const removeAll: Parameters<typeof addRemove<{ id: number }>>[2] = async (client, found, isTried, json) => {
      const { removeThings } = await import('./safety/remove-things.ts');
      return removeThings(client, { kind, ids: found.map(({ id }) => id), json }, isTried);
    };
    addRemove(parent, declared, removeAll, true);
  };

/** `remove`: removes entities one by one; this can't be undone. */
export const removeEachCommand =
  <Entry extends { id: number; name: string }>(
    declared: RemoveDeclaration<Entry> & { remove(client: Client, id: number): Promise<unknown> },
  ): AddCommand =>
  (parent) => {
    addRemove(parent, declared, async (client, found, isTried) => {
      for (const { id, name } of found) {
        if (!isTried) await declared.remove(client, id);
        process.stdout.write(`${isTried ? 'would remove' : 'removed'} ${id} ${name}\n`);
      }
      return true;
    });
  };

/**
 * The entity with this id or name.
 * @throws CliError if there is none, or several have the name
 */
export async function findByName<Entry extends { id: number; name: string }>(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  wanted: string,
  noun: string,
): Promise<Entry> {
  const named: Entry[] = [];
  for await (const entry of entries) {
    if (String(entry.id) === wanted) return entry;
    if (entry.name === wanted) named.push(entry);
  }
  if (named.length === 1) return named[0]!;
  if (named.length === 0)
    throw wrongError(`No ${noun} named "${wanted}".`, `Run \`enfilade ${noun}s list\` to list them.`);
  throw wrongError(`Several ${noun}s are named "${wanted}".`, `Use an ID: ${named.map(({ id }) => id).join(', ')}.`);
}
