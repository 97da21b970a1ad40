import { type AddCommand, connected, examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { fileNameOf, readJson } from '../io/read-file.ts';
import { addImportOptions, type ImportOptions } from '../report/import-options.ts';

interface Options extends ImportOptions {
  template: string;
  rows: string;
  map?: string;
}

export const createRooms: AddCommand = (rooms) => {
  const command = rooms
    .command('create')
    .description('make a room, and a structure that shows it, from each row of a table; run again, they are updated')
    .requiredOption('--template <file>', 'document of a room; {column} in its texts is filled in')
    .requiredOption(
      '--rows <file>',
      'CSV with a heading; name and path name the room and its structure; - for standard input',
    )
    .option('--map <file>', 'JSON of further columns and the fields that they set')
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms create --template gallery.json --rows venues.csv --dry-run',
        'enfilade rooms create --template gallery.json --rows venues.csv --map map.json',
      )}

A mapping: {"Seats": "config.duration", "City": "elements[Sign].config.text"}
enfilade undo undoes what one run made, with the number that it prints.`,
    )
    .action(
      connected(async ({ client }, options: Options) => {
        const { isRecord } = await import('../../engine/document/field-paths.ts');
        const { importFile } = await import('../imports/import-file.ts');
        const { rowsOf } = await import('../io/csv.ts');
        const { readMapping, roomsOf } = await import('./factory.ts');
        const template = await readJson(options.template);
        if (!isRecord(template))
          throw wrongError(`${fileNameOf(options.template)} is no room.`, 'A room is a JSON object.');
        const mapping = options.map === undefined ? {} : readMapping(await readJson(options.map));
        const items = () => roomsOf(template, rowsOf(options.rows), mapping, fileNameOf(options.rows));
        await importFile(items, options, (request, idempotencyKey) =>
          client.imports.roomsFile({ ...request, idempotencyKey }),
        );
      }),
    );
  addImportOptions(command);
};
