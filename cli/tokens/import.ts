import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions } from '../report/import-options.ts';
import { endpointOption } from './endpoint-option.ts';
import type { TokenImport } from './send-codes.ts';

const NOTES = `

Fields of JSON: token; valid_from, valid_till and first_used_at (times such as 2026-03-10T19:55:00Z, or null); valid_duration
(minutes, or null). What a row does not name stays as it is; a new token has no times then, and the duration of its structure.
With --mode replace, tokens that are there begin anew, as the file says.

Exports of ticketing systems are recognized by their column names in English, Dutch, German and French, with the columns for name
and e-mail address of the holder. Where the column or the heading is not certain, the first rows are shown and asked about on a
terminal; elsewhere the command fails and names --column and --heading.`;

export const importTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('import')
    .description('add access tokens from CSV or JSON, or what list --csv writes; a file as a whole or not at all')
    .argument('<files...>', 'files or patterns; - for standard input')
    .addOption(endpointOption())
    .option('--column <column>', 'column of the tokens: its number from 1, or its name in the heading')
    .addOption(new Option('--heading <answer>', 'whether the first line is a heading').choices(['yes', 'no']))
    .addHelpText(
      'after',
      examples(
        'enfilade tokens import tokens.csv --endpoint museum',
        "enfilade tokens import 'tokens/*.csv' --endpoint museum/hall --dry-run",
        'enfilade tokens import orders.csv --endpoint museum --column Barcode',
        'enfilade tokens import orders.csv --endpoint museum --column 3 --heading yes',
        'enfilade tokens import tokens.json --endpoint museum      # with times, as tokens export writes them',
        'generate-tokens | enfilade tokens import - --endpoint museum --json',
      ).concat(NOTES),
    )
    .action(
      connected(async (connection, patterns: string[], options: TokenImport) => {
        const { importCodes } = await import('./send-codes.ts');
        await importCodes(connection, patterns, options);
      }),
    );
  addImportOptions(command);
};
