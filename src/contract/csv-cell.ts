/** What spreadsheets take for the beginning of a formula, also behind the apostrophes that take that from it. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * A text as a CSV cell that no spreadsheet computes: one apostrophe more stands before what would be a formula. A text
 * that has apostrophes there already gets one more as well, so that taking one away gives each text back as it was.
 */
export const csvCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** The text of an unquoted cell: the apostrophe before a formula is none of it. */
export const plainCell = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
