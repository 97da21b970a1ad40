import { parse } from 'csv-parse/browser/esm/sync';

/** Rows of cells copied from a spreadsheet. */
export function pastedRows(text: string): string[][] {
  try {
    return parse(text, { delimiter: '\t', relax_quotes: true, relax_column_count: true, skip_empty_lines: false });
  } catch {
    // A cell begins with a quotation mark that belongs to its text.
    return text.split(/\r?\n/).map((line) => line.split('\t'));
  }
}

/** Text of a pasted cell as one line. */
export const cellText = (text: string): string =>
  text.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space)).trim();
