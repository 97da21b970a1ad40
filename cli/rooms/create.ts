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
    .description('create a room and a structure for each row of a table; running it again updates them')
    .requiredOption('--template <file>', 'room document with {column} placeholders')
    .requiredOption(
      '--rows <file>',
      'CSV with a heading; its columns name and path identify each room and its structure; - for standard input',
    )
    .option('--map <file>', 'JSON that maps additional columns to fields')
    .addHelpText(
      'after',
      `${examples(
        'enfilade rooms create --template gallery.json --rows venues.csv --dry-run',
        'enfilade rooms create --template gallery.json --rows venues.csv --map map.json',
      )}

A mapping: {"Seats": "config.duration", "City": "elements[Sign].config.text"}
To undo a run, use enfilade undo with the job number that it prints.`,
    )
    .action(
      connected(async ({ client }, options: Options) => {
        const { isRecord } = await import('../../engine/document/field-paths.ts');
        const { importFile } = await import('../imports/import-file.ts');
        const { rowsOf } = await import('../io/csv.ts');
        const { readMapping, roomsOf } = await import('./factory.ts');
        const template = await readJson(options.template);
        if (!isRecord(template))
          throw wrongError(`${fileNameOf(options.template)} isn't a room.`, 'Use a JSON object.');
        const mapping = options.map === undefined ? {} : readMapping(await readJson(options.map));
        const items = () => roomsOf(template, rowsOf(options.rows), mapping, fileNameOf(options.rows));
        await importFile(items, options, (request, idempotencyKey) =>
          client.imports.roomsFile({ ...request, idempotencyKey }),
        );
      }),
    );
  addImportOptions(command);
};
