/** Rows per statement: far below the parameter limit of both databases. */
const ROWS_PER_STATEMENT = 500;

/** Splits a list into chunks for single statements. */
export function* chunksOf<T>(list: readonly T[]): Generator<T[]> {
  for (let start = 0; start < list.length; start += ROWS_PER_STATEMENT)
    yield list.slice(start, start + ROWS_PER_STATEMENT);
}
