import { type Hanging, type Hung, planHanging, type Sizing } from '../../engine/document/arrangements/hang.ts';
import type { LayoutOptions } from '../../engine/document/arrangements/layouts.ts';
import type { Wall } from '../../engine/document/arrangements/walls.ts';
import type { FileReference } from '../../engine/document/fields.ts';
import type { Room } from '../../engine/document/room.ts';
import type { SheetWork, WorkSheet } from './entities.ts';

/** A problem with a row: it is refused, its image is missing, it fits on no wall, or it is only worth knowing. */
export interface RowProblem {
  row: number;
  kind: WorkSheet['notes'][number]['kind'] | 'unplaced';
  text: string;
}

/** A work of a sheet with its place; null if it fits on no wall. */
export interface HungWork {
  work: SheetWork;
  hung: Hung | null;
}

/** How the works of a sheet hang in a room. */
export interface SheetPlan {
  hanging: Hanging;
  works: HungWork[];
  problems: RowProblem[];
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase();
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '');

/** The file that a cell of a sheet names, with or without its extension; undefined if none does. */
export function namedFile<T extends { name: string }>(image: string, files: readonly T[]): T | undefined {
  const wanted = keyOf(image.split(/[\\/]/).at(-1)!.trim());
  return files.find(({ name }) => keyOf(name) === wanted) ?? files.find(({ name }) => keyOf(stemOf(name)) === wanted);
}

/** A sheet whose images are the given files, where they have the same name. */
export function withFiles(
  { works, notes }: WorkSheet,
  files: readonly { name: string; file: FileReference }[],
): WorkSheet {
  const given = works.map((work) => ({ ...work, file: namedFile(work.image, files)?.file ?? work.file }));
  const missing = new Set(given.flatMap(({ row, file }) => (file ? [] : [row])));
  return { works: given, notes: notes.filter(({ row, kind }) => kind !== 'missing' || missing.has(row)) };
}

/** Plans how the works of a sheet hang on walls. Works without an image are left out. @param options lengths in units */
export function planSheet(
  room: Room,
  walls: readonly Wall[],
  { works, notes }: WorkSheet,
  options: LayoutOptions & { sizing: Sizing },
): SheetPlan {
  const hangable = works.flatMap((work) => (work.file ? [{ ...work, file: work.file }] : []));
  const hanging = planHanging(room, walls, hangable, options);
  const placed = hangable.map((work, nth): HungWork => ({ work, hung: hanging.hung[nth] ?? null }));
  const unplaced = placed.flatMap(({ work: { row, title, image }, hung }): RowProblem | never[] =>
    hung ? [] : { row, kind: 'unplaced', text: `“${title || image}” fits on none of the chosen walls.` },
  );
  return { hanging, works: placed, problems: [...notes, ...unplaced].toSorted((a, b) => a.row - b.row) };
}
