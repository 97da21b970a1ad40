import { MAX_SHEET_WORKS } from '../../../../../contract/file-limits.ts';
import { damaged } from '../inspection.ts';
import { sheetRows } from './sheet-rows.ts';
import { findHeading, type WorkColumn, type WorkHeading } from './work-columns.ts';
import { lengthsIn, orderIn } from './work-size.ts';
import { type SheetRow, tooManyWorks } from './xlsx.ts';

/** A work as its row describes it. */
export interface RowWork {
  row: number;
  image: string;
  title: string;
  author: string;
  date: string;
  text: string;
  /** Centimeters; null if unknown. */
  width: number | null;
  height: number | null;
  /** Whether width and height are in doubt, because one cell contains both. */
  isUnordered: boolean;
}

/** A problem with a row. */
export interface RowNote {
  row: number;
  kind: 'refused' | 'note';
  text: string;
}

/** The works of a sheet, and problems with its rows. */
export interface SheetWorks {
  works: RowWork[];
  notes: RowNote[];
}

/** Maximum lengths of texts in characters, as in elements. */
const LENGTHS = { title: 255, author: 255, date: 60, text: 10_000 } as const;
const TEXT_NAMES = { title: 'title', author: 'artist', date: 'year', text: 'text' } as const;

/** A cell as one line. */
const line = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
const paragraphs = (text: string) => text.replaceAll('\0', '').trim().toWellFormed();

/** Reads one row. */
class RowReader {
  readonly #row: SheetRow;
  readonly #heading: WorkHeading;
  readonly notes: RowNote[] = [];
  isRefused = false;

  constructor(row: SheetRow, heading: WorkHeading) {
    this.#row = row;
    this.#heading = heading;
    for (const fault of row.faults) this.note(fault);
  }

  note(text: string): void {
    this.notes.push({ row: this.#row.row, kind: 'note', text });
  }

  refuse(text: string): void {
    this.isRefused = true;
    this.notes.push({ row: this.#row.row, kind: 'refused', text });
  }

  cell(column: WorkColumn): string {
    const at = this.#heading.at.get(column);
    return at === undefined ? '' : (this.#row.cells[at] ?? '');
  }

  #lengths(column: WorkColumn) {
    const at = this.#heading.at.get(column);
    const text = this.cell(column);
    const name = at === undefined ? '' : (this.#heading.names[at] ?? '');
    return text === '' ? undefined : { text, name, ...lengthsIn(text, name) };
  }

  text(column: keyof typeof LENGTHS): string {
    const text = column === 'text' ? paragraphs(this.cell(column)) : line(this.cell(column));
    if (text.length > LENGTHS[column])
      this.refuse(`The ${TEXT_NAMES[column]} is longer than ${LENGTHS[column]} characters. Shorten it.`);
    return text;
  }

  size(): Pick<RowWork, 'width' | 'height' | 'isUnordered'> {
    const [width, height] = [this.#lengths('width'), this.#lengths('height')];
    const both = width || height ? undefined : this.#lengths('size');
    const given = [width, height, both].filter((each) => each !== undefined);
    const sides = given.flatMap((each) => each.sides);
    const said = given.map(({ text }) => `“${text.slice(0, 80)}”`).join(' and ');
    const none = { width: null, height: null, isUnordered: false };
    if (given.length === 0) return none;
    if (sides.some((side) => side <= 0)) {
      this.refuse(`The size ${said} must be greater than 0.`);
      return none;
    }
    if (given.some((each) => each.sides.length === 0) || (both && both.sides.length < 2)) {
      this.note(`The size ${said} can't be read; the default height is used.`);
      return none;
    }
    if (given.some(({ isAssumed }) => isAssumed)) this.note(`The size ${said} has no unit; centimeters are assumed.`);
    if (!both) return { width: width?.sides[0] ?? null, height: height?.sides[0] ?? null, isUnordered: false };
    const [first, second] = both.sides as [number, number];
    const order = orderIn(both.text) ?? orderIn(both.name);
    if (order === 'height first') return { width: second, height: first, isUnordered: false };
    return { width: first, height: second, isUnordered: order === undefined };
  }
}

/** Notes on works with the same title, and on images used before. */
function notesOnRepeats(works: readonly RowWork[]): RowNote[] {
  const notes: RowNote[] = [];
  const seen = { image: new Map<string, number>(), title: new Map<string, number>() };
  for (const { row, ...work } of works)
    for (const field of ['image', 'title'] as const) {
      const key = work[field].toLowerCase();
      const first = seen[field].get(key);
      if (key === '') continue;
      if (first === undefined) seen[field].set(key, row);
      else
        notes.push({
          row,
          kind: 'note',
          text: `The ${field} “${work[field].slice(0, 80)}” is in row ${first}, too.`,
        });
    }
  return notes;
}

/**
 * Reads works from a spreadsheet: the first row that names a column for images is the heading, and each further row is a
 * work.
 * @throws ApiError bad_file naming the problem, or too_large
 */
export async function readWorks(path: string): Promise<SheetWorks> {
  const rows = await sheetRows(path);
  const heading = findHeading(rows);
  if (!heading)
    throw damaged('No column contains images. Name one column “Image”, with file names of images in its cells.');
  const filled = rows.filter(({ row, cells }) => row > heading.row && cells.some((cell) => cell !== ''));
  if (filled.length === 0) throw damaged('The sheet has no rows below its heading.');
  if (filled.length > MAX_SHEET_WORKS) throw tooManyWorks(filled.length);
  const works: RowWork[] = [];
  const notes: RowNote[] = [];
  for (const row of filled) {
    const reader = new RowReader(row, heading);
    const image = line(reader.cell('image'));
    if (image === '') reader.refuse('The image is missing.');
    const [title, author, date, text] = (['title', 'author', 'date', 'text'] as const).map((name) => reader.text(name));
    const size = reader.size();
    notes.push(...reader.notes);
    if (!reader.isRefused)
      works.push({ row: row.row, image, title: title!, author: author!, date: date!, text: text!, ...size });
  }
  notes.push(...notesOnRepeats(works));
  return { works, notes: notes.toSorted((a, b) => a.row - b.row) };
}
