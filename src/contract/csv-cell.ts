/** Formula prefixes in spreadsheets, also after escaping apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * Quotes a CSV cell so that no spreadsheet evaluates it: an apostrophe escapes a formula. Cells that already start with
 * apostrophes before a formula get another one, so removing one always restores the text.
 */
export const csvCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Unescapes an unquoted cell: removes the apostrophe before a formula. */
export const plainCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
