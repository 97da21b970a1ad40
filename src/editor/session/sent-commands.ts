import {
  Draft,
  liftCommand,
  mergeFields,
  type OlderCommand,
  type RoomCommand,
  updatedElement,
} from '../../../engine/document/commands.ts';
import { changesOfElement, roomFieldsOf } from '../../../engine/document/commands-between.ts';
import { changedPaths, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { nest } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';
import { bareElement, bareFields } from './file-catalog.ts';

/** Rounds positions to whole units. */
function atWholeUnits<T extends object>(fields: T): T {
  const { position_x, position_y, position_z } = fields as {
    position_x?: number;
    position_y?: number;
    position_z?: number;
  };
  const places = Object.entries({ position_x, position_y, position_z }).filter(([, value]) => value !== undefined);
  return { ...fields, ...Object.fromEntries(places.map(([name, value]) => [name, Math.floor(value!)])) };
}

/** An element's place as sent: after a sibling, so that concurrent edits don't shift it. */
function placeSent(draft: Draft, id: number) {
  const parent = draft.existing(id).parent_element_id;
  const siblings = draft.below(parent);
  return { parent, after: siblings[siblings.indexOf(id) - 1] ?? null };
}

/** Converts a sent command to one that can be applied. */
export const received = (draft: Draft, command: SentCommand): RoomCommand =>
  liftCommand((parent) => draft.below(parent), command as OlderCommand);

/**
 * Applies an edit to a document, and returns the command to send: changed fields only, without derived ones.
 * @param draft the room before it, as in the log
 * @returns null for an edit that changes nothing
 * @throws RangeError if it cannot be applied
 */
export function send(draft: Draft, command: RoomCommand): SentCommand | null {
  switch (command.type) {
    case 'room.update': {
      const after = bareFields(mergeFields(draft.fields, command.fields));
      return sendFields(draft, { type: command.type }, changedPaths(roomFieldsOf(draft.fields), roomFieldsOf(after)));
    }
    case 'element.update': {
      const { type, id } = command;
      const before = draft.existing(id);
      const after = atWholeUnits(bareElement(updatedElement(before, command.fields)));
      return sendFields(draft, { type, id }, changesOfElement(before, after));
    }
    case 'element.add': {
      const elements = command.elements.map((element) => atWholeUnits(bareElement(element)));
      draft.apply({ ...command, elements });
      const { id } = elements[0]!;
      const [element] = nest([draft.existing(id), ...elements.slice(1)]);
      return { type: command.type, element: element!, ...placeSent(draft, id) };
    }
    case 'element.remove':
      draft.apply(command);
      return command;
    case 'element.move': {
      const { type, id } = command;
      const before = draft.existing(id);
      draft.apply(command);
      const { parent_element_id, index } = draft.existing(id);
      const isSame = before.parent_element_id === parent_element_id && before.index === index;
      return isSame ? null : { type, id, ...placeSent(draft, id) };
    }
  }
}

function sendFields(
  draft: Draft,
  about: { type: 'room.update' } | { type: 'element.update'; id: number },
  changed: Record<string, unknown>,
): SentCommand | null {
  if (Object.keys(changed).length === 0) return null;
  const command = { ...about, fields: fieldsByPath(changed) };
  draft.apply(command as RoomCommand);
  return command;
}

/**
 * Applies edits made together, and returns the commands to send.
 * @param room the room before them, as in the log
 * @returns the room after them and the commands, without edits that change nothing
 * @throws RangeError if one cannot be applied
 */
export function sentTogether(room: Room, commands: readonly RoomCommand[]): { room: Room; sent: SentCommand[] } {
  const draft = new Draft(room);
  const sent = commands.flatMap((command) => send(draft, command) ?? []);
  return { room: draft.room, sent };
}

/**
 * Applies unsaved edits to a room.
 * @returns the room, the edits applied to it, and the edits that don't apply
 */
export function withWaiting<T extends { command: SentCommand }>(room: Room, waiting: readonly T[]) {
  const draft = new Draft(room);
  const [applied, lost]: [T[], T[]] = [[], []];
  for (const each of waiting)
    try {
      draft.apply(received(draft, each.command));
      applied.push(each);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      lost.push(each);
    }
  return { room: draft.room, applied, lost };
}
