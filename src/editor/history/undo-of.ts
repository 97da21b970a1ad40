import { Draft, type RoomCommand } from '../../../engine/document/commands.ts';
import { byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';

/** What was done to a room at once, and what undoes it. */
export interface Done {
  commands: readonly RoomCommand[];
  /** In the order in which they are applied. */
  inverses: readonly RoomCommand[];
}

/** Follows from other fields, and goes with them. */
const FOLLOWING: ReadonlySet<string> = new Set(['visible_between', 'file', 'config.file_url', 'config.mime']);

/** The last values that commands gave to each thing's fields: by the element, or by null for the room. */
function given(commands: readonly RoomCommand[]): Map<number | null, Record<string, unknown>> {
  const values = new Map<number | null, Record<string, unknown>>();
  for (const command of commands) {
    if (!('fields' in command)) continue;
    const id = command.type === 'room.update' ? null : command.id;
    values.set(id, { ...values.get(id), ...byPath(command.fields) });
  }
  return values;
}

/** The fields of an inverse that nobody has changed since; null where none is left. */
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
 * What still undoes something that was done to a room: fields that were changed again since stay, and so does what others
 * have put into an element that was added.
 * @param room as it is now
 * @returns commands that can all be applied one after the other; none where nothing is left to be undone
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
      // What came before it in the same step is held against what it has made.
      if (command.type === 'element.move') movedTo.set(command.id, command.parent);
      for (const [id, values] of given([command])) gave.set(id, { ...gave.get(id), ...values });
    } catch (error) {
      // What it needs is gone, or is there already.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return found;
}
