import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportReport, ImportTable } from '../../src/contract/entities.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { MAX_TOKEN_FILE_BYTES } from '../../src/contract/file-limits.ts';
import { shortText } from '../../src/contract/short-text.ts';
import type { Connection } from '../connection.ts';
import { findEndpoint } from '../endpoints/find-endpoint.ts';
import { type Problem, wrongError } from '../failure.ts';
import { CountedFile } from '../io/counted-file.ts';
import { isTable } from '../io/is-table.ts';
import { fileNameOf, fileOnDisk, filesOf } from '../io/read-file.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';
import { Progress } from '../report/progress.ts';
import { withConsent } from '../safety/consent.ts';
import { noteArrival } from '../stopping.ts';
import { askAboutTable, choiceOf, type TableOptions, tableText } from './ask-about-table.ts';
import { TOKEN_COLUMNS } from './list.ts';

/** Options of an access token import. */
export type TokenImport = ImportOptions & { endpoint: string } & TableOptions;

/** Converts a server error about a token file, with its line numbers. */
function problemsOf(error: ApiError, file: string): Problem[] {
  return Object.values(error.msg)
    .flat()
    .map((text) => {
      const [, line, field = 'column 1', reason = text] = /^Line (\d+)(?:, ([\w.]+))?: (.*)$/.exec(text) ?? [];
      return line ? { file, line: Number(line), column: field, reason } : { file, reason: text };
    });
}

/** Rows of an exported token table as JSON for the server; an empty cell clears a field. */
async function* itemsOf(file: string): AsyncGenerator<string> {
  // Most token files need no CSV parser, so it is loaded on demand.
  const { rowsOf } = await import('../io/csv.ts');
  for await (const { line, cells } of rowsOf(file, TOKEN_COLUMNS)) {
    const { id: _id, valid_duration, ...texts } = cells;
    const item: Record<string, unknown> = { ...texts };
    for (const [name, text] of Object.entries(texts)) if (name !== 'token' && text === '') item[name] = null;
    if (valid_duration !== undefined) item.valid_duration = valid_duration === '' ? null : Number(valid_duration);
    if (Number.isNaN(item.valid_duration))
      throw wrongError(`${fileNameOf(file)} was not imported.`, 'Correct the cell.', [
        {
          file: fileNameOf(file),
          line,
          column: 'valid_duration',
          reason: `"${shortText(String(valid_duration))}" is not a number`,
        },
      ]);
    yield `${JSON.stringify(item)}\n`;
  }
}

/** A token file on disk in server format; exported CSV is converted to JSON first. */
async function codesOnDisk(file: string): Promise<{ path: string; bytes: number }> {
  const given = await fileOnDisk(file, MAX_TOKEN_FILE_BYTES.document);
  let head = '';
  for await (const text of textHead(given.path)) head += text;
  const cells = head
    .split(/\r?\n/, 1)[0]!
    .split(',')
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  if (cells.length < 2 || !cells.includes('token') || !cells.every((cell) => TOKEN_COLUMNS.includes(cell))) {
    if (given.bytes > MAX_TOKEN_FILE_BYTES.table && (await isTable(given.path)))
      throw wrongError(
        `${fileNameOf(file)} is larger than ${MAX_TOKEN_FILE_BYTES.table / 1024 / 1024} MB.`,
        'Split it into several files.',
      );
    return given;
  }
  const path = join(temporaryFolder(), 'codes.ndjson');
  await pipeline(Readable.from(itemsOf(given.path)), createWriteStream(path));
  return { path, bytes: (await stat(path)).size };
}

/** Maximum length of a heading in bytes. */
const TOKENS_HEAD_BYTES = 1024;

async function* textHead(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of createReadStream(path, { end: TOKENS_HEAD_BYTES - 1 }))
    yield decoder.decode(chunk as Buffer, { stream: true });
}

/** The server needs to know how to read a table. */
class UnclearTable extends Error {
  readonly table: ImportTable;

  constructor(table: ImportTable) {
    super('The table is ambiguous.');
    this.table = table;
  }
}

/** Sends a file; if the server needs to know how to read it, asks on the terminal. */
async function sendAnswered(
  connection: Connection,
  id: number,
  file: string,
  options: TokenImport,
): Promise<ImportReport> {
  try {
    return await sendFile(connection, id, file, options);
  } catch (error) {
    if (!(error instanceof UnclearTable)) throw error;
    Object.assign(options, await askAboutTable(error.table, fileNameOf(file), options));
    return sendFile(connection, id, file, options);
  }
}

async function sendFile({ client }: Connection, id: number, file: string, options: TokenImport): Promise<ImportReport> {
  const { path, bytes } = await codesOnDisk(file);
  const progress = new Progress(bytes, { quiet: options.json });
  let sent = 0;
  const content = new CountedFile(await openAsBlob(path), 'tokens.csv', (count) => {
    progress.add(count);
    sent += count;
    noteArrival(sent >= bytes && !options.dryRun);
  });
  try {
    return await client.accessTokens.importFile({
      params: { id },
      body: { mode: options.mode, prune: options.prune, dry_run: options.dryRun, ...choiceOf(options) },
      files: { access_tokens_file: content },
    });
  } catch (error) {
    if (error instanceof ApiError && error.table) throw new UnclearTable(error.table);
    if (!(error instanceof ApiError) || !(error.msg.access_tokens_file || error.msg.column)) throw error;
    throw wrongError(
      `${fileNameOf(file)} was not imported.`,
      'Correct these lines and import the file again.',
      problemsOf(error, fileNameOf(file)),
    );
  } finally {
    noteArrival(false);
    progress.end();
  }
}

const count = (number: number) => number.toLocaleString('en');

function summary(file: string, report: ImportReport, isDry: boolean): string {
  const { job, accepted, duplicates, duplicate_lines, updated, removed, normalized, normalized_lines, warnings } =
    report;
  const isSame = accepted + updated + removed === 0;
  const same = duplicates === 1 ? '1 token' : `${count(duplicates)} tokens`;
  const done = (what: string, number: number) =>
    number > 0 ? `, ${isDry ? 'would ' : ''}${what}${isDry ? '' : 'd'} ${count(number)}` : '';
  const lines = [
    ...(isDry && report.table ? [tableText(report.table)] : []),
    isSame
      ? `${fileNameOf(file)}: ${isDry ? 'no changes' : 'nothing changed'} (${same} checked)`
      : `${fileNameOf(file)}: ${isDry ? 'would create' : 'created'} ${count(accepted)}, unchanged ${count(duplicates - updated)}` +
        `${done('update', updated)}${done('remove', removed)}`,
  ];
  if (normalized > 0)
    lines.push(
      `  normalized invisible characters, spaces or dashes in ${normalized === 1 ? 'line' : 'lines'} ${normalized_lines.slice(0, 10).join(', ')}${normalized > 10 ? ' and more' : ''}`,
    );
  if (duplicates > 0) {
    const shown = duplicate_lines.slice(0, 10).join(', ');
    lines.push(
      `  existing, or duplicate in the file: ${duplicates === 1 ? 'line' : 'lines'} ${shown}${duplicates > 10 ? ' and more' : ''}`,
    );
  }
  const undo = job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`];
  return [...lines, ...warnings.map((text) => `  ${text}`), ...undo, ''].join('\n');
}

/** Imports access token files one by one, with confirmation. */
export async function importCodes(
  connection: Connection,
  patterns: readonly string[],
  options: TokenImport,
): Promise<void> {
  const files = await filesOf(patterns);
  const { id } = await findEndpoint(connection.client, options.endpoint);
  // The answers for a file apply to its second upload too.
  const answers = files.map(() => ({ ...options }));
  await withConsent(options, async (isTried) => {
    const reports: ImportReport[] = [];
    const told = () =>
      reports.map((report, index) => ({ file: fileNameOf(files[index]!), dry_run: isTried, ...report }));
    for (const [index, file] of files.entries()) {
      const each = answers[index]!;
      const report = await sendAnswered(connection, id, file, Object.assign(each, { dryRun: isTried }));
      reports.push(report);
      if (!options.json) process.stdout.write(summary(file, report, isTried));
    }
    if (options.json) process.stdout.write(jsonText(told()));
    return reports.some(({ accepted, updated, removed }) => accepted + updated + removed > 0);
  });
}
