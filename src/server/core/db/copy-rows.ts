import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CompiledQuery, type PostgresCursorConstructor, type QueryExecutorProvider } from 'kysely';
import { from } from 'pg-copy-streams';

/** Rows in COPY's text format, in chunks of any size. */
export type CopyText = AsyncIterable<Buffer>;

/** Maximum bytes buffered for PostgreSQL. */
const AHEAD = 1024 * 1024;

/**
 * Sends rows with COPY. Kysely exposes a transaction's connection only to cursors, so this implements a cursor: reading
 * from it waits until every row is stored, and returns their number.
 */
function Copying(statement: string, [rows]: [CopyText]) {
  const copy = from(statement, { highWaterMark: AHEAD });
  const stored = pipeline(Readable.from(rows, { objectMode: false, highWaterMark: AHEAD }), copy);
  return Object.assign(copy, { read: () => stored.then(() => [copy.rowCount]), close: async () => {} });
}

/** `Copying` as a constructor: Kysely's cursor type requires a class, generic in the row type. */
export const CopyCursor = Copying as unknown as PostgresCursorConstructor;

/**
 * Adds rows to a PostgreSQL table with COPY. A failure while reading the rows fails the statement.
 * @param statement such as `copy codes (code) from stdin`, never untrusted
 * @returns the number of rows
 */
export async function copyRows(db: QueryExecutorProvider, statement: string, rows: CopyText): Promise<number> {
  const stored = db.getExecutor().stream<number>(CompiledQuery.raw(statement, [rows]) as CompiledQuery<number>, 1);
  for await (const {
    rows: [count],
  } of stored)
    return count!;
  return 0;
}

/** Escapes a text for COPY. */
export const copyText = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (sign) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[sign]!)
    : text;
