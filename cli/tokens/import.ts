import { type AddCommand, connected, examples } from '../command.ts';
import { addImportOptions } from '../report/import-options.ts';
import { endpointOption } from './endpoint-option.ts';
import type { TokenImport } from './send-codes.ts';

const NOTES = `

Fields of JSON: token; valid_from, valid_till and first_used_at (times such as 2026-03-10T19:55:00Z, or null); valid_duration
(minutes, or null). What a row does not name stays as it is; a new token has no times then, and the duration of its structure.
With --mode replace, codes that are there begin anew, as the file says.`;

export const importTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('import')
    .description(
      'add access tokens from CSV (tokens in the first column, no heading) or JSON, or what list --csv writes; a file as a whole or not at all',
    )
    .argument('<files...>', 'files or patterns; - for standard input')
    .addOption(endpointOption())
    .addHelpText(
      'after',
      examples(
        'enfilade tokens import tokens.csv --endpoint museum',
        "enfilade tokens import 'tokens/*.csv' --endpoint museum/hall --dry-run",
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
