import type { Entry, ZipFile } from 'yauzl';
import { ApiError } from '../../../../../contract/errors.ts';
import { MAX_SHEET_WORKS } from '../../../../../contract/file-limits.ts';
import { openArchive, readArchive } from '../archive.ts';
import { damaged } from '../inspection.ts';
import { readXml, type XmlElement } from '../tours/xml.ts';
import { isDateFormat, serialText } from './serial-dates.ts';

/** A row of a spreadsheet, with its number as spreadsheets show it. */
export interface SheetRow {
  row: number;
  cells: string[];
  /** Cells without a usable value. */
  faults: string[];
}

/** Number of rows in which the heading is looked for. */
export const HEADING_ROWS = 20;

/** Maximum bytes of a part, unpacked. */
const MAX_PART = 64 * 1024 * 1024;
/** Maximum XML elements of a part. */
const MAX_ELEMENTS = 1_000_000;
/** Maximum rows, filled or not, and columns that are read; further columns are ignored. */
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 100;
const MAX_MERGED = 10_000;

/** Local name of an element, without its namespace prefix. */
const nameOf = ({ name }: XmlElement) => name.slice(name.indexOf(':') + 1);
const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => nameOf(child) === name) ?? [];
const childOf = (element: XmlElement | undefined, name: string) => childrenOf(element, name)[0];

/** Parts of a workbook by lower-case path. */
type Parts = ReadonlyMap<string, Entry>;

async function partOf(zip: ZipFile, parts: Parts, path: string): Promise<string | undefined> {
  const entry = parts.get(path.toLowerCase());
  if (!entry) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_PART)
        throw damaged('The workbook is larger than 64 MB unpacked. Remove sheets, or save it as CSV.');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw damaged(`The workbook is damaged at ${path}.`);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const parsed = (text: string, path: string) => readXml(text, path, { elements: MAX_ELEMENTS, trims: false })[0];

async function xmlOf(zip: ZipFile, parts: Parts, path: string): Promise<XmlElement | undefined> {
  const text = await partOf(zip, parts, path);
  return text === undefined ? undefined : parsed(text, path);
}

/** The error for a sheet with too many works. */
export const tooManyWorks = (rows: number): ApiError =>
  new ApiError('too_large', {
    file: [`The sheet has ${rows} rows. Hang at most ${MAX_SHEET_WORKS} works at once; split the sheet.`],
  });

/** Rejects a sheet with far too many rows before parsing it. */
function checkRows(text: string): void {
  const rows = text.split(/<(?:\w{1,20}:)?row[\s>]/).slice(1);
  const filled = rows.filter((row) => /<(?:\w{1,20}:)?(?:v|is)>/.test(row)).length;
  // The heading and lines above it are no works.
  if (filled > MAX_SHEET_WORKS + HEADING_ROWS) throw tooManyWorks(filled - 1);
  if (rows.length > MAX_ROWS) throw damaged(`The sheet has more than ${MAX_ROWS} rows. Remove the empty ones.`);
}

/** Decodes characters that XML can't contain, such as `_x000D_`. */
const plain = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The text of a string, formatted or not; without phonetic guides. */
const stringOf = (element: XmlElement | undefined): string =>
  plain(
    [...childrenOf(element, 't'), ...childrenOf(element, 'r').flatMap((run) => childrenOf(run, 't'))]
      .map(({ text }) => text)
      .join(''),
  );

/** The path of the first visible sheet. */
function firstSheet(workbook: XmlElement | undefined, relations: XmlElement | undefined): string {
  const sheets = childrenOf(childOf(workbook, 'sheets'), 'sheet');
  const sheet = sheets.find(({ attributes }) => !attributes.state || attributes.state === 'visible') ?? sheets[0];
  const id = Object.entries(sheet?.attributes ?? {}).find(([name]) => name.endsWith(':id'))?.[1];
  const target = childrenOf(relations, 'relationship').find(({ attributes }) => attributes.id === id)?.attributes
    .target;
  if (!target) throw damaged('The workbook has no sheet.');
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** Number formats of cells by style. */
function formatsOf(styles: XmlElement | undefined): { id: number; code: string }[] {
  const codes = new Map(
    childrenOf(childOf(styles, 'numfmts'), 'numfmt').map(({ attributes }) => [
      Number(attributes.numfmtid),
      attributes.formatcode ?? '',
    ]),
  );
  return childrenOf(childOf(styles, 'cellxfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes.numfmtid ?? 0);
    return { id, code: codes.get(id) ?? '' };
  });
}

/** Column of a cell reference such as `AB12`, from 0; undefined without one. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? '')?.[1];
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface Merged {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

function mergedIn(sheet: XmlElement): Merged[] {
  const cells = childrenOf(childOf(sheet, 'mergecells'), 'mergecell');
  if (cells.length > MAX_MERGED) throw damaged(`The sheet has more than ${MAX_MERGED} merged cells.`);
  return cells.flatMap(({ attributes }): Merged | never[] => {
    const [first, last] = (attributes.ref ?? '').split(':');
    const [left, right] = [columnOf(first), columnOf(last)];
    const [top, bottom] = [first, last].map((cell) => Number(/\d+$/.exec(cell ?? '')?.[0]));
    return left === undefined || right === undefined || !top || !bottom ? [] : { top, bottom, left, right };
  });
}

/** The value of a cell as text: formulas have their stored result, and dates are ISO 8601. */
function cellText(
  cell: XmlElement,
  strings: readonly string[],
  formats: readonly { id: number; code: string }[],
  is1904: boolean,
): { text: string; fault?: string } {
  const { t: type, s: style } = cell.attributes;
  const value = childOf(cell, 'v')?.text ?? '';
  if (type === 'inlineStr') return { text: stringOf(childOf(cell, 'is')) };
  if (type === 's') return { text: strings[Number(value)] ?? '' };
  if (type === 'e') return { text: '', fault: `contains the error ${value}` };
  if (value === '')
    return childOf(cell, 'f') ? { text: '', fault: 'is a formula without a stored result' } : { text: '' };
  if (type === 'str' || type === 'd') return { text: plain(value) };
  if (type === 'b') return { text: value === '1' ? 'true' : 'false' };
  const number = Number(value);
  if (!Number.isFinite(number)) return { text: value };
  const format = formats[Number(style ?? 0)];
  if (format && isDateFormat(format)) return { text: serialText(number, format, is1904) };
  return { text: String(Number(number.toPrecision(15))) };
}

/**
 * The rows of the first visible sheet of a workbook (ECMA-376). A merged area has its value in its first cell only.
 * @param bytes size of the file
 * @throws ApiError bad_file naming the problem
 */
export async function xlsxRows(path: string, bytes: number): Promise<SheetRow[]> {
  const zip = await openArchive(path);
  try {
    const parts: Parts = new Map((await readArchive(zip, bytes)).map((file) => [file.path.toLowerCase(), file.entry]));
    const workbook = await xmlOf(zip, parts, 'xl/workbook.xml');
    if (!workbook) throw damaged("This archive isn't a workbook. Save it as XLSX or CSV.");
    const is1904 = /^(?:1|true)$/.test(childOf(workbook, 'workbookpr')?.attributes.date1904 ?? '');
    const target = firstSheet(workbook, await xmlOf(zip, parts, 'xl/_rels/workbook.xml.rels'));
    const text = await partOf(zip, parts, target);
    if (text === undefined) throw damaged('The workbook has no sheet.');
    checkRows(text);
    const strings = childrenOf(await xmlOf(zip, parts, 'xl/sharedStrings.xml'), 'si').map(stringOf);
    const formats = formatsOf(await xmlOf(zip, parts, 'xl/styles.xml'));
    const sheet = parsed(text, target);
    if (!sheet) throw damaged('The workbook has no sheet.');
    const found = childrenOf(childOf(sheet, 'sheetdata'), 'row');
    const merged = mergedIn(sheet);
    let last = 0;
    return found.map((each) => {
      const row = Number(each.attributes.r) || last + 1;
      last = row;
      const across = merged.filter(({ top, bottom }) => top <= row && row <= bottom);
      const cells: string[] = [];
      const faults: string[] = [];
      let next = 0;
      for (const cell of childrenOf(each, 'c')) {
        const column = columnOf(cell.attributes.r) ?? next;
        next = column + 1;
        if (column >= MAX_COLUMNS) continue;
        const isInside = across.some(
          ({ top, left, right }) => left <= column && column <= right && (row > top || column > left),
        );
        const { text, fault } = isInside ? { text: '' } : cellText(cell, strings, formats, is1904);
        while (cells.length < column) cells.push('');
        cells[column] = text.trim();
        if (fault) faults.push(`Cell ${cell.attributes.r ?? `in column ${column + 1}`} ${fault}.`);
      }
      return { row, cells, faults };
    });
  } finally {
    zip.close();
  }
}
