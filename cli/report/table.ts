import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** Shortens a text to a number of terminal columns, ending in an ellipsis. */
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

const NO_ROWS = 'No entries.\n';

/** Rows that determine the column widths of a long table; later rows use the same widths where they fit. */
const MEASURED = 1000;

/** Maximum width of a cell on a terminal, where longer ones would wrap every line. Other outputs have full cells. */
const WIDEST = 48;

/** Computes the layout of rows: column widths, with numbers right-aligned. */
function layOut(columns: readonly string[], rows: readonly Row[]): { head: string; lineOf(row: Row): string } {
  const most = process.stdout.isTTY ? WIDEST : Number.POSITIVE_INFINITY;
  const cellsOf = (row: Row) =>
    columns.map((name) => shortened(String(row[name] ?? '').replace(/[\s\p{Cc}]+/gu, ' '), most));
  // Numeric columns, which may have missing values.
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
 * Rows as a table of aligned columns with a heading; numbers are right-aligned.
 * @returns lines, each with its line break; a message if there are no rows
 */
export function tableText(columns: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return NO_ROWS;
  const { head, lineOf } = layOut(columns, rows);
  return head + rows.map(lineOf).join('');
}

/** Streams the same table; the first rows determine the widths. */
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
