const width = (text: string) => [...text].length;

/**
 * Rows as a table of aligned columns with a heading; numbers stand on the right.
 * @returns lines, each with its line break; a sentence where there are no rows
 */
export function tableText(columns: readonly string[], rows: readonly Record<string, unknown>[]): string {
  if (rows.length === 0) return 'There are none.\n';
  const isNumber = columns.map((name) => rows.every((row) => typeof row[name] === 'number'));
  const cells = rows.map((row) => columns.map((name) => String(row[name] ?? '').replace(/\s+/g, ' ')));
  const lines = [[...columns], ...cells];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => width(line[column]!))));
  const pad = (text: string, column: number) => {
    const space = ' '.repeat(widths[column]! - width(text));
    return isNumber[column] ? space + text : text + space;
  };
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}
