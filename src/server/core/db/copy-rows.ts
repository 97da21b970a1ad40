import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CompiledQuery, type PostgresCursorConstructor, type QueryExecutorProvider } from 'kysely';
import { from } from 'pg-copy-streams';

/** Rows in the text form of COPY, in pieces of any size. */
export type CopyText = AsyncIterable<Buffer>;

/** Bytes that wait for PostgreSQL to take them. */
const AHEAD = 1024 * 1024;

/**
 * Sends rows by COPY. Kysely hands the connection of a transaction to nothing but a cursor, so this looks like one: reading
 * from it waits until every row is stored, and gives their number.
 */
function Copying(statement: string, [rows]: [CopyText]) {
  const copy = from(statement, { highWaterMark: AHEAD });
  const stored = pipeline(Readable.from(rows, { objectMode: false, highWaterMark: AHEAD }), copy);
  return Object.assign(copy, { read: () => stored.then(() => [copy.rowCount]), close: async () => {} });
}

/** The same, for Kysely to make with `new`: its type for cursors asks for a class, and for rows of any type. */
export const CopyCursor = Copying as unknown as PostgresCursorConstructor;

/**
 * Adds rows to a table of PostgreSQL by COPY, which takes them as fast as it can store them. What fails on the way, reading
 * the rows included, fails the statement.
 * @param statement such as `copy codes (code) from stdin`, from our own code
 * @returns how many rows
 */
export async function copyRows(db: QueryExecutorProvider, statement: string, rows: CopyText): Promise<number> {
  const stored = db.getExecutor().stream<number>(CompiledQuery.raw(statement, [rows]) as CompiledQuery<number>, 1);
  for await (const {
    rows: [count],
  } of stored)
    return count!;
  return 0;
}

/** A text as COPY reads it. */
export const copyText = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replace(/[\\\t\n\r]/g, (sign) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[sign]!)
    : text;
