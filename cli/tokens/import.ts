import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions } from '../report/import-options.ts';
import { endpointOption } from './endpoint-option.ts';
import type { TokenImport } from './send-codes.ts';

const NOTES = `

JSON fields: token; valid_from, valid_till, first_used_at and last_used_at (times such as 2026-03-10T19:55:00Z, or null);
valid_duration (minutes, or null); holder_name, holder_email, group and note. Omitted fields of existing tokens don't change;
new tokens use the duration of their structure. With --mode replace, existing tokens are reset to the values in the file.

The token column of exports from ticketing systems is detected by its heading in English, Dutch, German and French, as are
names and e-mail addresses of holders, groups and notes. If the column or the heading is ambiguous, the command shows the
first rows and prompts for them; without a terminal, it fails. Specify --column and --heading in this case.`;

export const importTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('import')
    .description(
      'import access tokens from CSV or JSON, including the output of list --csv; each file is imported as a whole',
    )
    .argument('<files...>', 'files or patterns; - for standard input')
    .addOption(endpointOption())
    .option('--column <column>', 'token column: its number, starting at 1, or its heading')
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
