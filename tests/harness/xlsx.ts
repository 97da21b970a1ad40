import { zipOf } from './zip.ts';

/** A cell: a text, a number, or its XML attributes and content. */
type Cell = string | number | { attributes?: string; content: string } | null;

/** Further parts of a workbook. */
interface Extras {
  /** Number formats by style, from style 1. */
  formats?: readonly string[];
  merged?: readonly string[];
  is1904?: boolean;
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
const letter = (column: number) => String.fromCharCode(65 + column);

/** A workbook with one sheet, as spreadsheet programs write it. */
export function xlsxOf(rows: readonly (readonly Cell[])[], { formats = [], merged = [], is1904 = false }: Extras = {}) {
  const strings: string[] = [];
  const shared = (text: string) => {
    const known = strings.indexOf(text);
    return known < 0 ? strings.push(text) - 1 : known;
  };
  const cellOf = (cell: Cell, at: string) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${shared(cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
    return `<c r="${at}" ${cell.attributes ?? ''}>${cell.content}</c>`;
  };
  const data = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, column) => cellOf(cell, `${letter(column)}${row + 1}`)).join('')}</row>`,
  );
  const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook ${spreadsheet} xmlns:r="${relation}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="Works" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet ${spreadsheet}><sheetData>${data.join('')}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `<sst ${spreadsheet}>${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet ${spreadsheet}><numFmts>${formats.map((code, nth) => `<numFmt numFmtId="${170 + nth}" formatCode="${escaped(code)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, nth) => `<xf numFmtId="${170 + nth}"/>`).join('')}</cellXfs></styleSheet>`,
    },
  ]);
}
