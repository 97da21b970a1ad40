import { applyCommand, mergeFields, type RoomCommand } from '../../../engine/document/commands.ts';
import { fieldsAlone, roomAlone } from '../../../engine/document/commands-between.ts';
import type { Element } from '../../../engine/document/element.ts';
import { changedPaths, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { childrenOf, findElement, NoSuchElement, type Place, placeInTree } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';
import { bareElement, bareFields } from './file-catalog.ts';

/** Siblings without the element that moves. */
function othersIn(room: Room, parent: number | null, moving: number | null): readonly { id: number }[] {
  const list = childrenOf(room.elements, parent);
  if (!list) throw new NoSuchElement(parent!);
  return list.filter(({ id }) => id !== moving);
}

/** A place as it is sent: by the sibling in front, so that what others do meanwhile does not shift it. */
function placeSent(room: Room, { parent, index }: Place, moving: number | null) {
  const others = othersIn(room, parent, moving);
  return { parent, after: others[Math.min(index, others.length) - 1]?.id ?? null };
}

/** Places are whole units. */
function atWholeUnits<T extends object>(fields: T): T {
  const { position_x, position_y, position_z } = fields as {
    position_x?: number;
    position_y?: number;
    position_z?: number;
  };
  const places = Object.entries({ position_x, position_y, position_z }).filter(([, value]) => value !== undefined);
  return { ...fields, ...Object.fromEntries(places.map(([name, value]) => [name, Math.floor(value!)])) };
}

const branchSent = (element: Element): Element => ({
  ...atWholeUnits(element),
  children: element.children.map(branchSent),
});

function updateSent(room: Room, command: RoomCommand & { type: 'element.update' }): SentCommand | null {
  const before = findElement(room.elements, command.id);
  const edited = findElement(applyCommand(room, command).room.elements, command.id);
  const changed = changedPaths(fieldsAlone(before!), atWholeUnits(fieldsAlone(bareElement(edited!))));
  if (Object.keys(changed).length === 0) return null;
  return { type: 'element.update', id: command.id, fields: fieldsByPath(changed) };
}

/**
 * An edit of a document as it is sent: what it changes and nothing else, without what follows from files.
 * @param room the room before it, as the log has it
 * @returns null for an edit that changes nothing
 * @throws RangeError when it cannot be applied
 */
export function asSent(room: Room, command: RoomCommand): SentCommand | null {
  switch (command.type) {
    case 'room.update': {
      const after = bareFields(mergeFields(room, command.fields));
      const changed = changedPaths(roomAlone(room), roomAlone(after));
      return Object.keys(changed).length > 0 ? { type: 'room.update', fields: fieldsByPath(changed) } : null;
    }
    case 'element.add':
      return {
        type: 'element.add',
        element: { ...branchSent(bareElement(command.element)), parent_element_id: command.parent },
        ...placeSent(room, command, null),
      };
    case 'element.update':
      return updateSent(room, command);
    case 'element.remove':
      return command;
    case 'element.move':
      if (isSame(placeInTree(room.elements, command.id), { parent: command.parent, index: command.index })) return null;
      return { type: 'element.move', id: command.id, ...placeSent(room, command, command.id) };
  }
}

/** A command that is sent, as one that can be applied to a room. @throws NoSuchElement when its parent is gone */
function placed(room: Room, command: SentCommand): RoomCommand {
  if (command.type !== 'element.add' && command.type !== 'element.move') return command as RoomCommand;
  const { after, ...rest } = command;
  const others = othersIn(room, command.parent, command.type === 'element.move' ? command.id : null);
  const behind = others.findIndex(({ id }) => id === after);
  const index = after === null ? 0 : behind === -1 ? others.length : behind + 1;
  return { ...rest, index } as RoomCommand;
}

/** A room after a command that is sent. @throws RangeError when it no longer applies */
export const applySent = (room: Room, command: SentCommand): Room => applyCommand(room, placed(room, command)).room;

/**
 * A room with everything that waits.
 * @returns the room, what it has by now, and what does not apply to it
 */
export function withWaiting<T extends { command: SentCommand }>(room: Room, waiting: readonly T[]) {
  let result = room;
  const [applied, lost]: [T[], T[]] = [[], []];
  for (const each of waiting)
    try {
      result = applySent(result, each.command);
      applied.push(each);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      lost.push(each);
    }
  return { room: result, applied, lost };
}
