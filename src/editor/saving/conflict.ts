import { type ByPath, byPath, changedPaths, isSame } from '../../../engine/document/field-paths.ts';
import type { ElementRow } from '../../contract/entities.ts';

/** Whose value a field gets. */
export type Side = 'mine' | 'theirs';

/** A field that somebody else changed, or both did. */
export interface FieldConflict {
  path: string;
  mine: unknown;
  theirs: unknown;
  /** Who changed it. */
  by: 'me' | 'them' | 'both';
}

/** Something that a person has to decide before the saving goes on. */
export type Conflict =
  | {
      kind: 'changed';
      /** Element in the document's ids; null for the room itself. */
      id: number | null;
      name: string;
      /** Who changed it, as far as it is known. */
      who: string;
      fields: readonly FieldConflict[];
    }
  | { kind: 'removed'; id: number; name: string; who: string }
  | { kind: 'refused'; seq: number; name: string; text: string };

/** Fields that follow from others, or that the server fills in: nobody changes them. */
const DERIVED = new Set(['file', 'visible_between', 'utc_offset', 'parent_element_id', 'template', 'elements']);
/** Whether a field follows from others. */
export const isDerived = (path: string) => DERIVED.has(path) || path === 'config.file_url' || path === 'config.mime';

/** What one side of a conflict knows. */
interface Sides {
  /** Fields of the thing as it is on the server. */
  server: object;
  /** The same fields as the server last told them; null where the page that knew is gone. */
  known: object | null;
  /** What is to be saved, by path, and what it replaced. */
  mine: ByPath;
  before: ByPath;
}

/**
 * What two people changed in the same thing.
 * @returns the fields in which it matters; none when what is to be saved is there already
 */
export function fieldConflicts({ server, known, mine, before }: Sides): FieldConflict[] {
  const there = byPath(server);
  const value = (path: string) => there[path] ?? null;
  const changed = known
    ? Object.keys(changedPaths(known, server))
    : Object.keys(mine).filter((path) => !isSame(value(path), before[path]));
  const theirs = new Set(changed.filter((path) => !isDerived(path) && !isSame(value(path), mine[path])));
  const open = Object.keys(mine).filter((path) => !isDerived(path) && !isSame(value(path), mine[path]));
  if (theirs.size === 0) return [];
  const old = (path: string) => (known ? (byPath(known)[path] ?? null) : value(path));
  return [...new Set([...open, ...theirs])].map((path) => ({
    path,
    mine: path in mine ? mine[path] : old(path),
    theirs: value(path),
    by: !(path in mine) ? 'them' : theirs.has(path) ? 'both' : 'me',
  }));
}

/** Whether a stored element is the one that was to be added by a call whose answer was lost. */
export function isAnswerOf(body: object, row: ElementRow): boolean {
  // HTML comes back as the server made it safe, so that only the rest is compared.
  const isLeftOut = (path: string) => isDerived(path) || path === 'config.body' || path === 'config.navigation';
  return (
    Object.keys(changedPaths(row, body)).every(isLeftOut) &&
    row.parent_element_id === (body as ElementRow).parent_element_id
  );
}
