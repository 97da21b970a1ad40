import { createInterface } from 'node:readline/promises';
import type { ImportTable } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { hasTerminal } from '../safety/consent.ts';

/** Options that say how to read a table. */
export interface TableOptions {
  column?: string;
  heading?: 'yes' | 'no';
}

/** The options in API format. */
export const choiceOf = ({ column, heading }: TableOptions) => ({
  ...(column !== undefined && { column }),
  ...(heading !== undefined && { heading: heading === 'yes' }),
});

/** Characters shown per cell. */
const SHOWN_CELL = 24;

/** The first rows of a table and its interpretation. */
export function tableText({ columns, rows, column, heading }: ImportTable): string {
  const shown = rows.map(
    ({ line, cells }) => `  ${line}: ${cells.map((cell) => cell.slice(0, SHOWN_CELL)).join(' | ')}`,
  );
  const name = heading && column !== null ? columns[column - 1]?.name : null;
  const read = [
    column === null ? 'token column unclear' : `tokens in column ${column}${name ? ` (${name})` : ''}`,
    heading === null ? 'heading unclear' : heading ? 'the first line is a heading' : 'no heading',
  ];
  return [`  First rows (${read.join(', ')}):`, ...shown].join('\n');
}

/**
 * Asks on the terminal how to read a table.
 * @throws CliError without a terminal or an answer
 */
export async function askAboutTable(table: ImportTable, file: string, given: TableOptions): Promise<TableOptions> {
  const unclear = () =>
    wrongError(
      `${file} was not imported: the token column or the heading is ambiguous.\n${tableText(table)}`,
      'Add --column with a number or name, and --heading yes or no.',
      [],
    );
  if (!hasTerminal()) throw unclear();
  process.stderr.write(`${file}\n${tableText(table)}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The line reader intercepts Ctrl-C; it must still end the command.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const ask = (question: string) => Promise.race([lines.question(question), ended]);
  try {
    const heading =
      table.heading === null ? (await ask('Is the first line a heading? [y/n] ')).trim().toLowerCase() : null;
    if (heading !== null && !/^(?:y|yes|n|no)$/.test(heading)) throw unclear();
    const column =
      table.column === null ? (await ask(`Which column holds the tokens? [1-${table.columns.length}] `)).trim() : null;
    if (column === '') throw unclear();
    return {
      ...given,
      ...(heading !== null && { heading: heading.startsWith('y') ? ('yes' as const) : ('no' as const) }),
      ...(column !== null && { column }),
    };
  } finally {
    lines.close();
  }
}
