import { Draft, type RoomCommand } from './commands.ts';
import { byPath, fieldsByPath, isSame } from './field-paths.ts';
import type { Room } from './room.ts';

/** Commands applied to a room together, with their inverses. */
export interface Done {
  commands: readonly RoomCommand[];
  /** In the order of application. */
  inverses: readonly RoomCommand[];
}

/** Derived fields, which change together with others. */
const FOLLOWING: ReadonlySet<string> = new Set(['visible_between', 'file', 'config.file_url', 'config.mime']);

/** The last values that commands set, by field; by element id, or null for the room. */
function given(commands: readonly RoomCommand[]): Map<number | null, Record<string, unknown>> {
  const values = new Map<number | null, Record<string, unknown>>();
  for (const command of commands) {
    if (!('fields' in command)) continue;
    const id = command.type === 'room.update' ? null : command.id;
    values.set(id, { ...values.get(id), ...byPath(command.fields) });
  }
  return values;
}

/** The fields of an inverse that have not been changed since; null if none are left. */
function unchanged<C extends RoomCommand & { fields: object }>(
  command: C,
  now: object | undefined,
  gave: Record<string, unknown> = {},
): C | null {
  if (!now) return null;
  const values = byPath(now);
  const isOwn = ([path]: [string, unknown]) =>
    FOLLOWING.has(path) || !(path in gave) || isSame(values[path], gave[path]);
  const left = Object.entries(byPath(command.fields)).filter(isOwn);
  if (!left.some(([path]) => !FOLLOWING.has(path))) return null;
  return { ...command, fields: fieldsByPath(Object.fromEntries(left)) };
}

/**
 * Commands that undo an entry without later changes: fields that were changed since keep their values, and so do
 * elements that others put into an added one.
 * @param room current state
 * @returns commands that apply in sequence; empty if nothing is left to undo
 */
export function undoOf({ commands, inverses }: Done, room: Room): RoomCommand[] {
  const gave = given(commands);
  const added = new Set(
    commands.flatMap((command) => (command.type === 'element.add' ? command.elements.map(({ id }) => id) : [])),
  );
  const movedTo = new Map(
    commands.flatMap((command) => (command.type === 'element.move' ? [[command.id, command.parent]] : [])),
  );
  const found: RoomCommand[] = [];
  const now = new Draft(room);
  const fitting = (command: RoomCommand): RoomCommand | null => {
    switch (command.type) {
      case 'room.update':
        return unchanged(command, now.fields, gave.get(null));
      case 'element.update':
        return unchanged(command, now.get(command.id), gave.get(command.id));
      case 'element.remove': {
        const isAlone = now.get(command.id) && now.branch(command.id).every(({ id }) => added.has(id));
        return isAlone ? command : null;
      }
      case 'element.move': {
        const element = now.get(command.id);
        return element && element.parent_element_id === (movedTo.get(command.id) ?? null) ? command : null;
      }
      case 'element.add':
        return command;
    }
  };
  for (const inverse of inverses) {
    const command = fitting(inverse);
    if (!command) continue;
    try {
      now.apply(command);
      found.push(command);
      // Later inverses are compared with the result of earlier ones in the same step.
      if (command.type === 'element.move') movedTo.set(command.id, command.parent);
      for (const [id, values] of given([command])) gave.set(id, { ...gave.get(id), ...values });
    } catch (error) {
      // Its target is gone, or exists already.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return found;
}

/**
 * Commands that undo several entries without later changes of others.
 * @param entries newest first
 * @param room current state
 * @returns commands that apply in sequence, and the number of changes that stay
 */
export function undoAll(entries: readonly Done[], room: Room): { commands: RoomCommand[]; kept: number } {
  const commands: RoomCommand[] = [];
  let kept = 0;
  let now = room;
  for (const entry of entries) {
    const found = undoOf(entry, now);
    kept += entry.inverses.length - found.length;
    commands.push(...found);
    const draft = new Draft(now);
    for (const command of found) draft.apply(command);
    now = draft.room;
  }
  return { commands, kept };
}
