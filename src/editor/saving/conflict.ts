import { type RoomCommand, readCommand } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import { byPath, isSame } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { RoomLogEntry } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { nameOfElement } from '../session/element-names.ts';
import { pathsOf } from '../session/history.ts';
import { fieldsOf, thingOf, type Waiting } from './waiting.ts';

/** Whose value a field gets. */
export type Side = 'mine' | 'theirs';

/** A field that both have changed. */
export interface FieldConflict {
  path: string;
  mine: unknown;
  theirs: unknown;
}

/** Both changed the same fields while one was away. */
export interface Changed {
  kind: 'changed';
  /** The element; null for the room itself. */
  id: number | null;
  name: string;
  who: string;
  /** Whether it was the same person, in another window. */
  isOwn: boolean;
  fields: readonly FieldConflict[];
}

/** A change that the server refused. */
export interface Refusal {
  kind: 'refused';
  /** Its place in the queue. */
  number: number;
  name: string;
  text: string;
}

/** @param shown the room as it is shown */
export function refusalOf({ number, command }: Waiting, error: unknown, shown: Room): Refusal {
  const isKnown = error instanceof ApiError;
  const text = isKnown ? `${Object.values(error.msg).flat().join(' ')} ${error.suggestion}` : String(error);
  return { kind: 'refused', number, name: nameOfElement(shown, thingOf(command)), text };
}

/** Something that a person has to decide. */
export type Conflict = Changed | Refusal;

/** What somebody else did. */
export interface Theirs {
  who: string;
  /** Whether it was the same person, in another window. */
  isOwn: boolean;
  commands: readonly RoomCommand[];
  /** What takes it back. */
  inverses: readonly RoomCommand[];
}

/** What an entry of the log says somebody did. @param userId who is told of it */
export function doneOf({ user, commands, inverses }: RoomLogEntry, userId: number | undefined): Theirs {
  const isOwn = userId !== undefined && user?.id === userId;
  return {
    who: isOwn ? 'You, in another window,' : (user?.name ?? 'Somebody else'),
    isOwn,
    commands: commands.map(readCommand),
    inverses: inverses.map(readCommand),
  };
}

/** What somebody did by whom a room became another one, of which no log tells. */
export const doneBetween = (was: Room, is: Room): Theirs => ({
  who: 'Somebody else',
  isOwn: false,
  commands: commandsBetween(was, is),
  inverses: commandsBetween(is, was),
});

/** The place, in the call that was refused, of the command that it was refused for. */
export const refusedPlace = ({ msg }: ApiError): number =>
  Number(Object.keys(msg).flatMap((name) => /^commands\.(\d+)$/.exec(name)?.[1] ?? [])[0] ?? 0);

export const commandsOf = (all: readonly Theirs[]): RoomCommand[] => all.flatMap(({ commands }) => [...commands]);

/** What follows from other fields: nobody decides about it. */
const FOLLOWS = new Set(['visible_between', 'file', 'template']);

/** Milliseconds that an edit may wait before it meets what others wrote meanwhile: until then the last writer wins. */
export const AWAY = 60_000;

/**
 * What was written while away, and meets what others wrote in the same fields.
 * @param waiting edits that wait, in order
 * @param now milliseconds of the clock by which they were made
 * @param rooms as the server has it, and as it is shown
 */
export function conflictsWith(
  { who, isOwn, commands }: Theirs,
  waiting: readonly Waiting[],
  now: number,
  rooms: { confirmed: Room; shown: Room },
): Changed[] {
  const conflicts: Changed[] = [];
  for (const [id, paths] of pathsOf(commands)) {
    const own = waiting.filter(({ command }) => thingOf(command) === id);
    const mine = Object.assign({}, ...own.map(({ command }) => fieldsOf(command)));
    const late = new Set(
      own.filter(({ at }) => now - at > AWAY).flatMap(({ command }) => Object.keys(fieldsOf(command))),
    );
    const thing = id === null ? rooms.confirmed : findElement(rooms.confirmed.elements, id);
    if (!thing) continue;
    const there = byPath(thing);
    const both = [...late].filter((path) => paths.has(path) && !FOLLOWS.has(path) && !isSame(mine[path], there[path]));
    const fields = both.map((path) => ({ path, mine: mine[path], theirs: there[path] ?? null }));
    const name = nameOfElement(rooms.shown, id);
    if (fields.length > 0) conflicts.push({ kind: 'changed', id, name, who, isOwn, fields });
  }
  return conflicts;
}

/** Conflicts with more of them: one for each thing, with the latest of what others wrote. */
export function mergedConflicts(known: readonly Changed[], more: readonly Changed[]): Changed[] {
  const all = new Map(known.map((conflict) => [conflict.id, conflict]));
  for (const conflict of more) {
    const before = all.get(conflict.id)?.fields ?? [];
    const others = before.filter(({ path }) => !conflict.fields.some((field) => field.path === path));
    all.set(conflict.id, { ...conflict, fields: [...others, ...conflict.fields] });
  }
  return [...all.values()];
}
