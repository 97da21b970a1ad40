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

/** A field that both sides changed. */
export interface FieldConflict {
  path: string;
  mine: unknown;
  theirs: unknown;
}

/** Both sides changed the same fields while one was offline. */
export interface Changed {
  kind: 'changed';
  /** The element; null for the room itself. */
  id: number | null;
  name: string;
  who: string;
  /** Whether it was the same user in another window. */
  isOwn: boolean;
  fields: readonly FieldConflict[];
}

/** An edit that the server rejected. */
export interface Refusal {
  kind: 'refused';
  /** Its place in the queue. */
  number: number;
  name: string;
  text: string;
}

/** Describes a rejected edit. @param shown the room as shown */
export function refusalOf({ number, command }: Waiting, error: unknown, shown: Room): Refusal {
  const isKnown = error instanceof ApiError;
  const text = isKnown ? `${Object.values(error.msg).flat().join(' ')} ${error.suggestion}` : String(error);
  return { kind: 'refused', number, name: nameOfElement(shown, thingOf(command)), text };
}

/** A conflict that the user has to resolve. */
export type Conflict = Changed | Refusal;

/** Commands of another editor. */
export interface Theirs {
  who: string;
  /** Whether it was the same user in another window. */
  isOwn: boolean;
  commands: readonly RoomCommand[];
  /** Inverse commands. */
  inverses: readonly RoomCommand[];
}

/** Commands of a log entry. @param userId the authenticated user */
export function doneOf({ user, commands, inverses }: RoomLogEntry, userId: number | undefined): Theirs {
  const isOwn = userId !== undefined && user?.id === userId;
  return {
    who: isOwn ? 'You, in another window,' : (user?.name ?? 'Somebody else'),
    isOwn,
    commands: commands.map(readCommand),
    inverses: inverses.map(readCommand),
  };
}

/** Commands between two states of a room that the log doesn't cover. */
export const doneBetween = (was: Room, is: Room): Theirs => ({
  who: 'Somebody else',
  isOwn: false,
  commands: commandsBetween(was, is),
  inverses: commandsBetween(is, was),
});

/** Position of the rejected command in its call. */
export const refusedPlace = ({ msg }: ApiError): number =>
  Number(Object.keys(msg).flatMap((name) => /^commands\.(\d+)$/.exec(name)?.[1] ?? [])[0] ?? 0);

export const commandsOf = (all: readonly Theirs[]): RoomCommand[] => all.flatMap(({ commands }) => [...commands]);

/** Derived fields, which are never in conflict. */
const FOLLOWS = new Set(['visible_between', 'file', 'template']);

/** Age in milliseconds after which an unsaved edit can be in conflict; before, the last writer wins. */
export const AWAY = 60_000;

/**
 * Conflicts of old unsaved edits with others' edits of the same fields.
 * @param waiting unsaved edits in order
 * @param now milliseconds of the clock that dates the edits
 * @param rooms as confirmed, and as shown
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

/** Merges conflicts: one per element, with the others' latest values. */
export function mergedConflicts(known: readonly Changed[], more: readonly Changed[]): Changed[] {
  const all = new Map(known.map((conflict) => [conflict.id, conflict]));
  for (const conflict of more) {
    const before = all.get(conflict.id)?.fields ?? [];
    const others = before.filter(({ path }) => !conflict.fields.some((field) => field.path === path));
    all.set(conflict.id, { ...conflict, fields: [...others, ...conflict.fields] });
  }
  return [...all.values()];
}
