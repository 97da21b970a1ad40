import type { ImportTable } from '../../../../../contract/entities.ts';
import { ApiError } from '../../../../../contract/errors.ts';
import { tokenDamage } from '../../../../../contract/token-text.ts';
import type { CodeRow } from './code-rows.ts';
import { foldedName, isBuyer, isColumnName, roleOf, tokenRank } from './heading-names.ts';

/** Maximum number of preview rows and columns. */
const SHOWN_ROWS = 6;
const SHOWN_COLUMNS = 50;
/** Maximum length of a preview cell in characters. */
const SHOWN_CELL = 80;
/** Minimum share of distinct values in a token column. */
const DISTINCT = 0.6;

/** The user's choices for reading a table. */
export interface TableChoice {
  /** A column number from 1, or a column name. */
  column?: string | undefined;
  heading?: boolean | undefined;
}

/** Column mapping of a table. Columns count from 0. */
export interface TablePlan {
  column: number;
  /** First line of data, which may look like a heading if the user said that it isn't one. */
  first: number;
  /** Last line before the first token: that of the heading, otherwise 0. */
  skipTo: number;
  /** Columns joined to the holder's name. */
  name: number[];
  email: number | null;
  group: number | null;
  note: number | null;
}

/** Preview of a table, and its column mapping if unambiguous. */
export interface TableReading {
  table: ImportTable;
  plan: TablePlan | null;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const cellsAt = (rows: readonly CodeRow[], column: number) => rows.map(({ cells }) => cells[column] ?? '');

/** Character classes in a text. */
const kindsOf = (text: string): string =>
  [/\p{Lu}/u, /\p{Ll}/u, /\d/, /\s/, /[-_/.]/].map((kind) => Number(kind.test(text))).join('');

/** Whether a first cell differs from the cells below it, which resemble each other. */
function isUnlike(first: string, below: readonly string[]): boolean {
  const others = below.filter((cell) => cell !== '' && tokenDamage(cell) === null);
  if (first === '' || others.length === 0) return false;
  const digit = /\d/;
  if (!digit.test(first) && others.every((other) => digit.test(other))) return true;
  if (/\s/.test(first) && !others.some((other) => /\s/.test(other))) return true;
  if (others.length < 2) return false;
  const kinds = kindsOf(others[0]!);
  if (others.every((other) => kindsOf(other) === kinds)) {
    const own = kindsOf(first);
    if ([...own].some((has, index) => has === '1' && kinds[index] === '0')) return true;
  }
  const { length } = others[0]!;
  return others.length >= 3 && first.length !== length && others.every((other) => other.length === length);
}

/** Whether the first row is a heading; null if ambiguous. */
function headingOf(rows: readonly CodeRow[], column: number | null): boolean | null {
  const [first, ...others] = rows;
  if (!first) return false;
  const named = first.cells.filter((cell) => isColumnName(cell));
  if (named.length > 0) {
    const isToken = named.some((cell) => tokenRank(cell) !== null);
    return isToken || named.length >= 2 ? true : null;
  }
  // A title above the table has fewer cells than the rows below it.
  const filled = (row: CodeRow) => row.cells.filter((cell) => cell !== '').length;
  if (
    others.length > 1 &&
    filled(first) === 1 &&
    median(others.map(filled)) > 1 &&
    others.every((row) => filled(row) > 1)
  )
    return null;
  const columns = column === null ? first.cells.map((_, index) => index) : [column];
  return columns.some((index) => isUnlike(first.cells[index] ?? '', cellsAt(others, index))) ? null : false;
}

/** Whether a column may contain tokens: single words, no gaps, mostly distinct, no addresses, dates or amounts. */
function mayBeTokens(values: readonly string[]): boolean {
  if (values.length === 0 || values.some((value) => value === '' || /\s/.test(value) || value.includes('@')))
    return false;
  if (new Set(values).size < values.length * DISTINCT) return false;
  // Row numbers, amounts and dates.
  return !values.every((value) => /^\d{1,5}$/.test(value) || /^\d{1,7}[.,:/-][\d.,:/-]{1,8}$/.test(value));
}

const lookLikeTokens = (values: readonly string[]) => values.every((value) => value.length >= 4 && /\d/.test(value));

/** The token column, by column names or by content; null if ambiguous. */
function columnOf(rows: readonly CodeRow[], width: number, isHeading: boolean | null): number | null {
  if (width <= 1) return 0;
  const names = rows[0]?.cells ?? [];
  const ranked = names.map((name, index) => ({ index, rank: tokenRank(name) })).filter(({ rank }) => rank !== null);
  if (isHeading !== false && ranked.length > 0) {
    const best = Math.min(...ranked.map(({ rank }) => rank!));
    const found = ranked.filter(({ rank }) => rank === best);
    return found.length === 1 ? found[0]!.index : null;
  }
  // Unknown names need a decision: an order number looks like a token.
  if (isHeading !== false) return null;
  const columns = Array.from({ length: width }, (_, index) => ({ index, values: cellsAt(rows, index) }));
  const possible = columns.filter(({ values }) => mayBeTokens(values));
  if (possible.length === 1) return possible[0]!.index;
  const likely = possible.filter(({ values }) => lookLikeTokens(values));
  return likely.length === 1 ? likely[0]!.index : null;
}

/** Columns about the holder, by name. */
function holderOf(names: readonly string[], column: number): Pick<TablePlan, 'name' | 'email' | 'group' | 'note'> {
  const having = (role: ReturnType<typeof roleOf>) => {
    const found = names.flatMap((name, index) => (index !== column && roleOf(name) === role ? [{ name, index }] : []));
    return (found.find(({ name }) => !isBuyer(name)) ?? found[0])?.index;
  };
  const [first, last, whole, email] = [having('first_name'), having('last_name'), having('name'), having('email')];
  // In French, "nom" is the last name if there is a first name.
  const parts = first === undefined ? [whole ?? last] : [first, last ?? whole];
  const [group = null, note = null] = [having('group'), having('note')];
  return { name: parts.filter((index) => index !== undefined), email: email ?? null, group, note };
}

/** Resolves the chosen column. @throws ApiError invalid if it doesn't exist */
function chosenColumn(column: string, names: readonly string[], width: number): number {
  if (/^\d{1,4}$/.test(column)) {
    const index = Number(column) - 1;
    if (index >= 0 && index < width) return index;
    throw new ApiError('invalid', {
      column: [`The file has no column ${column}: it has ${width} ${width === 1 ? 'column' : 'columns'}.`],
    });
  }
  const wanted = foldedName(column);
  const found = names.findIndex((name) => name === column || foldedName(name) === wanted);
  if (found >= 0) return found;
  throw new ApiError('invalid', { column: [`The heading has no column ${column}.`] });
}

/**
 * Detects the column mapping of a table.
 * @param rows the first non-empty rows
 * @param choice the user's choices
 * @throws ApiError invalid if the chosen column doesn't exist
 */
export function readPlan(rows: readonly CodeRow[], choice: TableChoice): TableReading {
  const names = rows[0]?.cells ?? [];
  const width = Math.max(1, ...rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== '') + 1));
  const isByName = choice.column !== undefined && !/^\d{1,4}$/.test(choice.column);
  const chosen = choice.column === undefined ? null : chosenColumn(choice.column, names, width);
  // A column chosen by name implies a heading.
  const heading = choice.heading ?? (isByName ? true : headingOf(rows, chosen ?? (width === 1 ? 0 : null)));
  const column = chosen ?? columnOf(rows, width, heading);
  const isHeading = heading ?? null;
  const shown = (cell: string) => (cell.length > SHOWN_CELL ? `${cell.slice(0, SHOWN_CELL - 1)}…` : cell);
  const table: ImportTable = {
    columns: Array.from({ length: Math.min(width, SHOWN_COLUMNS) }, (_, index) => ({
      number: index + 1,
      name: shown(names[index] ?? '') || null,
      role: isHeading === false ? null : roleOf(names[index] ?? ''),
    })),
    rows: rows
      .slice(0, SHOWN_ROWS)
      .map(({ line, cells }) => ({ line, cells: cells.slice(0, SHOWN_COLUMNS).map(shown) })),
    column: column === null ? null : column + 1,
    heading: isHeading,
  };
  if (column === null || isHeading === null) return { table, plan: null };
  const holder = isHeading ? holderOf(names, column) : { name: [], email: null, group: null, note: null };
  const first = rows[0]?.line ?? 0;
  return { table, plan: { column, first, skipTo: isHeading ? first : 0, ...holder } };
}

/** The error that asks for the column mapping. */
export function unclearTable(table: ImportTable): ApiError {
  const msg = {
    ...(table.column === null && { column: ['Choose the column that holds the access tokens.'] }),
    ...(table.heading === null && { heading: ['Choose whether the first line is a heading.'] }),
  };
  return new ApiError('unclear_table', msg, undefined, undefined, table);
}
