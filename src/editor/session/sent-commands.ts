import {
  applyCommand,
  applyCommands,
  leadingUpdates,
  mergeFields,
  type RoomCommand,
} from '../../../engine/document/commands.ts';
import { changesOfElement, indexOf, roomAlone } from '../../../engine/document/commands-between.ts';
import type { Element } from '../../../engine/document/element.ts';
import { changedPaths, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { childrenOf, NoSuchElement, type Place, placeInTree } from '../../../engine/document/tree.ts';
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

type Update = Extract<RoomCommand, { type: 'element.update' }>;

/** What an update changes; null where that is nothing. */
function updateSent(before: Element, edited: Element): SentCommand | null {
  const changed = changesOfElement(before, atWholeUnits(bareElement({ ...edited, children: [] } as Element)));
  if (Object.keys(changed).length === 0) return null;
  return { type: 'element.update', id: before.id, fields: fieldsByPath(changed) };
}

/** Updates of different elements, at the cost of few walks through the tree instead of some for each. */
function updatesSent(room: Room, updates: readonly Update[]): SentCommand[] {
  const [before, edited] = [indexOf(room.elements), indexOf(applyCommands(room, updates).room.elements)];
  return updates.flatMap(({ id }) => updateSent(before.get(id)!, edited.get(id)!) ?? []);
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
      return updatesSent(room, [command])[0] ?? null;
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
 * Edits that are made together, as they are sent.
 * @param room the room before them, as the log has it
 * @returns the room after them, and what is sent; nothing for edits that change nothing
 * @throws RangeError when one cannot be applied
 */
export function sentTogether(room: Room, commands: readonly RoomCommand[]): { room: Room; sent: SentCommand[] } {
  let after = room;
  const sent: SentCommand[] = [];
  for (let at = 0; at < commands.length; ) {
    const updates = leadingUpdates(commands, at);
    if (updates.size > 1) {
      const more = updatesSent(after, [...updates.values()]);
      after = applyCommands(after, more as RoomCommand[]).room;
      sent.push(...more);
    } else {
      const one = asSent(after, commands[at]!);
      if (one) {
        after = applySent(after, one);
        sent.push(one);
      }
    }
    at += Math.max(1, updates.size);
  }
  return { room: after, sent };
}

/** Of what waits, the updates of different elements from a place on; none where the room does not have all of them. */
function waitingUpdates(room: Room, waiting: readonly { command: SentCommand }[], from: number): RoomCommand[] {
  const updates = new Map<number, RoomCommand>();
  for (let at = from; at < waiting.length; at++) {
    const { command } = waiting[at]!;
    if (command.type !== 'element.update' || updates.has(command.id)) break;
    updates.set(command.id, command as RoomCommand);
  }
  if (updates.size < 2) return [];
  const known = indexOf(room.elements);
  return [...updates.keys()].every((id) => known.has(id)) ? [...updates.values()] : [];
}

/**
 * A room with everything that waits.
 * @returns the room, what it has by now, and what does not apply to it
 */
export function withWaiting<T extends { command: SentCommand }>(room: Room, waiting: readonly T[]) {
  let result = room;
  const [applied, lost]: [T[], T[]] = [[], []];
  for (let at = 0; at < waiting.length; at++) {
    const updates = waitingUpdates(result, waiting, at);
    if (updates.length > 1) {
      result = applyCommands(result, updates).room;
      applied.push(...waiting.slice(at, at + updates.length));
      at += updates.length - 1;
      continue;
    }
    const each = waiting[at]!;
    try {
      result = applySent(result, each.command);
      applied.push(each);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      lost.push(each);
    }
  }
  return { room: result, applied, lost };
}
