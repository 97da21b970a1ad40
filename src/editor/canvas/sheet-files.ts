/** File name endings of spreadsheets of works. */
export const SHEET_ENDINGS = ['.xlsx', '.csv', '.tsv'] as const;

/** Whether a file is a spreadsheet, by its name. */
export const isSheet = ({ name }: { name: string }): boolean =>
  SHEET_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
