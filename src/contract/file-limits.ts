const MEGABYTE = 1024 * 1024;

/** Limits of a file import: items, total bytes, and bytes per item. */
export const MAX_ITEMS_IN_FILE = 100_000;
export const MAX_IMPORT_FILE_BYTES = 200 * MEGABYTE;
export const MAX_ITEM_BYTES = 32 * MEGABYTE;

/** Maximum bytes of a file of access tokens: a table, and JSON. */
export const MAX_TOKEN_FILE_BYTES = { table: 64 * MEGABYTE, document: 400 * MEGABYTE } as const;

/** Limits of a spreadsheet of works: bytes, and works. */
export const MAX_SHEET_BYTES = 20 * MEGABYTE;
/** Maximum size of a file of translations. */
export const MAX_TRANSLATIONS_BYTES = 20 * MEGABYTE;
export const MAX_SHEET_WORKS = 2000;
