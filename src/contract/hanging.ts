import {
  type Hanging,
  type HangingOptions,
  type Hung,
  type NewWork,
  planHanging,
} from '../../engine/document/arrangements/hang.ts';
import type { Wall } from '../../engine/document/arrangements/walls.ts';
import type { RoomCommand } from '../../engine/document/commands.ts';
import type { Element } from '../../engine/document/element.ts';
import type { FileReference } from '../../engine/document/fields.ts';
import type { Room } from '../../engine/document/room.ts';
import { nest } from '../../engine/document/tree.ts';
import type { Client } from './client.ts';
import { MAX_COMMANDS, MAX_LEASED, type SentCommand, type SheetWork, type WorkSheet } from './entities.ts';

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

/** Works with an image. */
export const hangableWorks = (works: readonly SheetWork[]): (SheetWork & NewWork)[] =>
  works.flatMap((work) => (work.file ? [{ ...work, file: work.file }] : []));

/** Plans how the works of a sheet hang on walls. Works without an image are left out. @param options lengths in units */
export function planSheet(
  room: Pick<Room, 'height' | 'elements' | 'template'>,
  walls: readonly Wall[],
  { works, notes }: WorkSheet,
  options: HangingOptions,
): SheetPlan {
  const hangable = hangableWorks(works);
  const hanging = planHanging(room, walls, hangable, options);
  const placed = hangable.map((work, nth): HungWork => ({ work, hung: hanging.hung[nth] ?? null }));
  const unplaced = placed.flatMap(({ work: { row, title, image }, hung }): RowProblem | never[] =>
    hung ? [] : { row, kind: 'unplaced', text: `“${title || image}” fits on none of the chosen walls.` },
  );
  return { hanging, works: placed, problems: [...notes, ...unplaced].toSorted((a, b) => a.row - b.row) };
}

/** A command as sent, with nested elements and without their files and sort keys. */
export const asSent = (command: RoomCommand): SentCommand => {
  if (command.type === 'element.move') {
    const { type, id, parent = null, after } = command;
    return { type, id, parent, after };
  }
  if (command.type !== 'element.add') return command as SentCommand;
  const { type, parent = null, after, elements } = command;
  const plain = elements.map(({ file: _, ...element }, nth) => {
    const owner = nth === 0 ? null : element.parent_element_id;
    return { ...element, parent_element_id: owner } as Element;
  });
  return { type, parent, after, element: { ...nest(plain)[0] } };
};

/**
 * Adds new elements to a space that isn't open in an editor.
 * @param name client name, unique among all clients
 * @param count number of element ids that the commands need
 * @param origin origin of the change; the API if omitted
 */
export async function sendCommands(
  client: Client,
  { roomId, name, count, origin = 'api' }: { roomId: number; name: string; count: number; origin?: 'api' | 'agent' },
  commandsOf: (ids: readonly number[]) => readonly RoomCommand[],
): Promise<void> {
  const params = { id: roomId };
  let mutation = 0;
  const ids: number[] = [];
  while (ids.length < count) {
    const lease = Math.min(MAX_LEASED, count - ids.length);
    const body = { client: name, mutation: ++mutation, commands: [], lease };
    ids.push(...(await client.rooms.commit({ params, body })).leased);
  }
  const commands = commandsOf(ids).map(asSent);
  for (let start = 0; start < commands.length; start += MAX_COMMANDS) {
    const part = commands.slice(start, start + MAX_COMMANDS);
    const body = { client: name, mutation: ++mutation, commands: part, origin };
    await client.rooms.commit({ params, body });
  }
}
