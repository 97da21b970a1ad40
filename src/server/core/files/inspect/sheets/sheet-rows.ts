import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { layoutOf } from '../codes/code-rows.ts';
import { damaged } from '../inspection.ts';
import { encodingOf, utf16Of } from '../text-encoding.ts';
import { type SheetRow, xlsxRows } from './xlsx.ts';

/** The text of a CSV file: UTF-8, UTF-16, or a legacy encoding by its letters. */
function textOf(bytes: Buffer): string {
  try {
    return utf16Of(bytes) ?? new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(encodingOf(bytes)).decode(bytes);
  }
}

function csvRows(bytes: Buffer): SheetRow[] {
  const text = textOf(bytes).replace(/\r\n?/g, '\n');
  if (text.includes('\0')) throw damaged("This isn't a spreadsheet. Save it as XLSX or CSV.");
  const { delimiter, hasSepLine } = layoutOf(text);
  const rows: SheetRow[] = [];
  let begins = 1;
  try {
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      on_record: (record: string[], { lines }) => {
        rows.push({ row: begins, cells: record.map((cell) => cell.trim()), faults: [] });
        begins = lines + 1;
        return null;
      },
    });
    return hasSepLine ? rows.slice(1) : rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw damaged(`Line ${begins}: the row can't be parsed. Check its quotation marks.`);
  }
}

/**
 * The rows of a spreadsheet: the first sheet of an XLSX file, or a CSV or TSV file.
 * @throws ApiError bad_file naming the problem
 */
export async function sheetRows(path: string): Promise<SheetRow[]> {
  const bytes = await readFile(path);
  const head = bytes.toString('latin1', 0, 4);
  if (head.startsWith('PK')) return xlsxRows(path, bytes.length);
  if (head === '\xd0\xcf\x11\xe0')
    throw damaged("XLS and encrypted files can't be read. Save it as XLSX without a password.");
  return csvRows(bytes);
}
