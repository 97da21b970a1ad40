import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** A text that takes no more than so many columns of a terminal: what is beyond becomes an ellipsis. */
export function shortened(text: string, most: number): string {
  if (stringWidth(text) <= most) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > most) break;
    kept += segment;
  }
  return `${kept}…`;
}

type Row = Record<string, unknown>;

const NO_ROWS = 'There are none.\n';

/** Rows by which the columns of a long table are measured: those behind them have the same widths, where they fit. */
const MEASURED = 1000;

/** Columns of a cell on a terminal, where a longer one would break every line. Elsewhere cells are whole. */
const WIDEST = 48;

/** How rows are written as lines below each other: each column as wide as it needs, numbers on the right. */
function layOut(columns: readonly string[], rows: readonly Row[]): { head: string; lineOf(row: Row): string } {
  const most = process.stdout.isTTY ? WIDEST : Number.POSITIVE_INFINITY;
  const cellsOf = (row: Row) =>
    columns.map((name) => shortened(String(row[name] ?? '').replace(/[\s\p{Cc}]+/gu, ' '), most));
  // Numbers, some of which may be missing.
  const isNumber = columns.map(
    (name) =>
      rows.some((row) => typeof row[name] === 'number') && rows.every((row) => typeof (row[name] ?? 0) === 'number'),
  );
  const lines = [[...columns], ...rows.map(cellsOf)];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column]!))));
  const pad = (text: string, column: number) => {
    const space = ' '.repeat(Math.max(0, widths[column]! - stringWidth(text)));
    return isNumber[column] ? space + text : text + space;
  };
  const line = (cells: readonly string[]) => `${cells.map(pad).join('  ').trimEnd()}\n`;
  return { head: line(columns), lineOf: (row) => line(cellsOf(row)) };
}

/**
 * Rows as a table of aligned columns with a heading; numbers stand on the right.
 * @returns lines, each with its line break; a sentence where there are no rows
 */
export function tableText(columns: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return NO_ROWS;
  const { head, lineOf } = layOut(columns, rows);
  return head + rows.map(lineOf).join('');
}

/** The same while the rows come, measured by the first of them. */
export async function* tableLines(
  columns: readonly string[],
  rows: Iterable<Row> | AsyncIterable<Row>,
): AsyncGenerator<string> {
  const first: Row[] = [];
  let lineOf: ((row: Row) => string) | undefined;
  for await (const row of rows) {
    if (lineOf) yield lineOf(row);
    else if (first.push(row) === MEASURED) {
      yield tableText(columns, first);
      lineOf = layOut(columns, first).lineOf;
    }
  }
  if (!lineOf) yield tableText(columns, first);
}
