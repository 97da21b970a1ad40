import { openAsBlob } from 'node:fs';
import type { ImportReport } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import type { Connection } from '../connection.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { type Problem, wrongError } from '../failure.ts';
import { CountedFile } from '../io/counted-file.ts';
import { fileOnDisk, filesOf, nameOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { type ImportOptions, importOptions } from '../report/import-options.ts';
import { Progress } from '../report/progress.ts';
import { endpointOption } from './endpoint-option.ts';

type Options = ImportOptions & { endpoint: string };

/** What the server says of a file of codes, with the lines that it names. */
function problemsOf(error: ApiError, file: string): Problem[] {
  return Object.values(error.msg)
    .flat()
    .map((text) => {
      const [, line, field, reason] = /^Line (\d+)(?:, ([\w.]+))?: (.*)$/.exec(text) ?? [];
      return line ? { file, line: Number(line), column: field ?? 'column 1', reason: reason! } : { file, reason: text };
    });
}

async function sendFile({ client }: Connection, id: number, file: string, options: Options): Promise<ImportReport> {
  const { path, bytes } = await fileOnDisk(file);
  const progress = new Progress(bytes, { quiet: options.json });
  const content = new CountedFile(await openAsBlob(path), 'codes.csv', (count) => progress.add(count));
  try {
    return await client.accessTokens.importFile({
      params: { id },
      body: { mode: options.mode, prune: options.prune, dry_run: options.dryRun },
      files: { access_tokens_file: content },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !error.msg.access_tokens_file) throw error;
    throw wrongError(
      `${nameOf(file)} was not imported: nothing of it is on the server.`,
      'Correct these lines and import the file again.',
      problemsOf(error, nameOf(file)),
    );
  } finally {
    progress.end();
  }
}

const count = (number: number) => number.toLocaleString('en');

function summary(file: string, report: ImportReport, isDry: boolean): string {
  const { accepted, duplicates, duplicate_lines, updated, removed, warnings } = report;
  const done = (what: string, number: number) =>
    number > 0 ? `, ${isDry ? 'would ' : ''}${what}${isDry ? '' : 'd'} ${count(number)}` : '';
  const lines = [
    `${nameOf(file)}: ${isDry ? 'would create' : 'created'} ${count(accepted)}, unchanged ${count(duplicates - updated)}` +
      `${done('update', updated)}${done('remove', removed)}`,
  ];
  if (duplicates > 0) {
    const shown = duplicate_lines.slice(0, 10).join(', ');
    lines.push(`  there already, or twice in the file: lines ${shown}${duplicates > 10 ? ' and more' : ''}`);
  }
  return [...lines, ...warnings.map((text) => `  ${text}`), ''].join('\n');
}

const NOTES = `

Fields of JSON: token; valid_from, valid_till and first_used_at (times such as 2026-03-10T19:55:00Z, or null); valid_duration
(minutes, or null). What a code does not name stays as it is; a new code has no times then, and the duration of its structure.
With --mode replace, codes that are there begin anew, as the file says.`;

export const importTokens: AddCommand = (tokens) => {
  const command = tokens
    .command('import')
    .description(
      'add personal codes from CSV (codes in the first column, no heading) or JSON; a file as a whole or not at all',
    )
    .argument('<files...>', 'files or patterns; - for standard input')
    .addOption(endpointOption())
    .addHelpText(
      'after',
      examples(
        'enfilade tokens import codes.csv --endpoint museum',
        "enfilade tokens import 'codes/*.csv' --endpoint museum/hall --dry-run",
        'enfilade tokens import codes.json --endpoint museum      # with times, as tokens export writes them',
        'generate-codes | enfilade tokens import - --endpoint museum --json',
      ).concat(NOTES),
    )
    .action(
      connected(async (connection, patterns: string[], options: Options) => {
        const files = await filesOf(patterns);
        const { id } = await findEndpoint(connection.client, options.endpoint);
        const reports: object[] = [];
        for (const file of files) {
          const report = await sendFile(connection, id, file, options);
          reports.push({ file: nameOf(file), dry_run: options.dryRun, ...report });
          if (!options.json) process.stdout.write(summary(file, report, options.dryRun));
        }
        if (options.json) process.stdout.write(jsonText(reports));
      }),
    );
  for (const option of importOptions()) command.addOption(option);
};
