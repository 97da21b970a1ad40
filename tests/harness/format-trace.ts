import type { TraceRow } from '../../engine/scene/trace.ts';

const HEAD = ['time', 'event', 'element', 'detail'];

/** Formats rows as a table with aligned columns, with a trailing line break. */
export function formatTrace(rows: readonly TraceRow[]): string {
  const lines = [HEAD, ...rows.map(({ time, event, element, detail }) => [String(time), event, element, detail])];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const right = (column: number) => column === 0 || column === 2;
  const cell = (text: string, column: number) =>
    right(column) ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return lines.map((line) => `${line.map(cell).join('  ').trimEnd()}\n`).join('');
}
