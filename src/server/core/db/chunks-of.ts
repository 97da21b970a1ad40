/** Rows that one statement names or writes: far below the number of parameters that both databases accept. */
const ROWS_PER_STATEMENT = 500;

/** A list in parts that one statement can name or write. */
export function* chunksOf<T>(list: readonly T[]): Generator<T[]> {
  for (let start = 0; start < list.length; start += ROWS_PER_STATEMENT)
    yield list.slice(start, start + ROWS_PER_STATEMENT);
}
