import { Draft, type ElementFields, type RoomCommand, type RoomFields } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { isSame } from '../../../engine/document/field-paths.ts';
import { remapElement, remapRoomConfig } from '../../../engine/document/remap.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { SentCommand } from '../../contract/entities.ts';
import { nameOfElement } from '../session/element-names.ts';
import { send } from '../session/sent-commands.ts';

/** Stored edit of versions up to 0.9: one task per call. */
type OldTask =
  | { kind: 'add'; element: Element }
  | { kind: 'update' | 'position'; id: number; fields: ElementFields }
  | { kind: 'hide'; id: number; hidden: boolean }
  | { kind: 'parent'; id: number; parent: number | null }
  | { kind: 'order'; parent: number | null; ids: readonly number[] }
  | { kind: 'remove'; id: number }
  | { kind: 'room'; fields: RoomFields };

/** Unsaved edit of versions up to 0.9. */
export interface OldEntry {
  seq: number;
  task: OldTask;
  /** Highest known element id when an `add` was sent. */
  sentAfter?: number;
}

type Ids = Map<number, number>;

/** The element of an `add` that reached the server, although its answer did not arrive. */
function arrived({ task, sentAfter }: OldEntry, room: Room, ids: Ids): Element | undefined {
  if (task.kind !== 'add' || sentAfter === undefined) return undefined;
  const { element, name, parent_element_id } = task.element;
  const parent = parent_element_id === null ? null : (ids.get(parent_element_id) ?? parent_element_id);
  const wanted = [element, name, parent];
  return room.elements.find(
    (other) => other.id > sentAfter && isSame([other.element, other.name, other.parent_element_id], wanted),
  );
}

function commandsOf(task: OldTask, room: Draft, ids: Ids): RoomCommand[] {
  const one = (id: number) => ids.get(id) ?? id;
  const orNull = (id: number | null) => (id === null ? null : one(id));
  switch (task.kind) {
    case 'add': {
      const element = { ...remapElement(task.element, ids), id: one(task.element.id) };
      return [{ type: 'element.add', elements: [element], parent: orNull(task.element.parent_element_id) }];
    }
    case 'update':
    case 'position':
      return [{ type: 'element.update', id: one(task.id), fields: remapElement(task.fields, ids) }];
    case 'hide':
      return [{ type: 'element.update', id: one(task.id), fields: { hidden: task.hidden } }];
    case 'parent':
      return [{ type: 'element.move', id: one(task.id), parent: orNull(task.parent) }];
    case 'order': {
      const parent = orNull(task.parent);
      const list = task.ids.map(one).filter((id) => room.below(parent).includes(id));
      return list.map((id, index) => ({ type: 'element.move', id, parent, after: list[index - 1] ?? null }));
    }
    case 'remove':
      return [{ type: 'element.remove', id: one(task.id) }];
    case 'room': {
      const { config } = task.fields;
      return [
        {
          type: 'room.update',
          fields: config ? { ...task.fields, config: remapRoomConfig(config, ids) } : task.fields,
        },
      ];
    }
  }
}

/** Display name of a task's subject. */
function nameOf(task: OldTask, room: Room, entries: readonly OldEntry[]): string {
  if (task.kind === 'room') return nameOfElement(room, null);
  if (task.kind === 'order') return 'The order of elements';
  const id = task.kind === 'add' ? task.element.id : task.id;
  const added = entries.find((entry) => entry.task.kind === 'add' && entry.task.element.id === id)?.task;
  const name = added?.kind === 'add' ? added.element.name : task.kind === 'update' ? task.fields.name : undefined;
  return name ? `“${name}”` : nameOfElement(room, id);
}

/**
 * Converts edits stored by versions up to 0.9 to commands.
 * @param room current state, as in the log
 * @param newIds one id per added element
 * @returns the commands in order, the room after them, and the names of elements whose edits can't be saved any more
 */
export function commandsOfOld(entries: readonly OldEntry[], room: Room, newIds: readonly number[]) {
  const ids: Ids = new Map();
  const free = newIds.values();
  const commands: SentCommand[] = [];
  const lost = new Set<string>();
  const now = new Draft(room);
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const { task } = entry;
    const there = arrived(entry, room, ids);
    if (task.kind === 'add') ids.set(task.element.id, there?.id ?? free.next().value!);
    if (there) continue;
    try {
      for (const command of commandsOf(task, now, ids)) {
        const sent = send(now, command);
        if (sent) commands.push(sent);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (task.kind !== 'remove') lost.add(nameOf(task, room, entries));
    }
  }
  return { commands, lost: [...lost], room: now.room };
}
