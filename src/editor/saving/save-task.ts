import type { ElementFields, RoomCommand, RoomFields } from '../../../engine/document/commands.ts';
import type { Element, FlatElement } from '../../../engine/document/element.ts';
import { byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import { type Renaming, remapElement, remapRoomConfig, remapSettings } from '../../../engine/document/remap.ts';
import type { Room } from '../../../engine/document/room.ts';
import { childrenOf, findElement, type Place, walk } from '../../../engine/document/tree.ts';
import type { Edit } from '../session/edit.ts';

/** Something to be saved by one call. */
export type SaveTask =
  /** Adds an element behind the last one of its parent. */
  | { kind: 'add'; element: FlatElement }
  | { kind: 'update'; id: number; fields: ElementFields; before: ElementFields }
  | { kind: 'position'; id: number; fields: ElementFields }
  | { kind: 'hide'; id: number; hidden: boolean }
  /** Puts an element behind the last one of a parent. */
  | { kind: 'parent'; id: number; parent: number | null }
  /** Puts these elements of one parent before its others, in this order. */
  | { kind: 'order'; parent: number | null; ids: readonly number[] }
  | { kind: 'remove'; id: number }
  | { kind: 'room'; fields: RoomFields; before: RoomFields };

const TRANSFORM = new Set(
  ['position', 'rotation', 'scale'].flatMap((part) => ['x', 'y', 'z'].map((axis) => `${part}_${axis}`)),
);
/** Fields that the server fills in from others. */
const DERIVED = new Set(['file', 'visible_between', 'template']);

const savedFields = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !DERIVED.has(name))) as T;

/** An element without its children. */
export const flat = ({ children: _, ...element }: Element): FlatElement => element as FlatElement;

/** What puts an element into its place, when it stands behind the last one of its parent. */
function orderAt(room: Room, { parent, index }: Place): SaveTask[] {
  const siblings = childrenOf(room.elements, parent) ?? [];
  if (index >= siblings.length - 1) return [];
  return [{ kind: 'order', parent, ids: siblings.slice(0, index + 1).map(({ id }) => id) }];
}

function updateTasks(id: number, fields: ElementFields, inverse: ElementFields): SaveTask[] {
  const names = Object.keys(fields);
  if (names.length === 0) return [];
  if (names.length === 1 && fields.hidden !== undefined) return [{ kind: 'hide', id, hidden: fields.hidden }];
  if (names.every((name) => TRANSFORM.has(name))) return [{ kind: 'position', id, fields }];
  return [{ kind: 'update', id, fields, before: savedFields(inverse) }];
}

function moveTasks(room: Room, command: RoomCommand & { type: 'element.move' }, was: Place): SaveTask[] {
  const { id, parent } = command;
  const siblings = childrenOf(room.elements, parent) ?? [];
  const index = siblings.findIndex((sibling) => sibling.id === id);
  if (was.parent !== parent) return [{ kind: 'parent', id, parent }, ...orderAt(room, { parent, index })];
  if (was.index === index) return [];
  const changed = siblings.slice(0, Math.max(was.index, index) + 1);
  return [{ kind: 'order', parent, ids: changed.map((sibling) => sibling.id) }];
}

/**
 * What saves an edit, in order.
 * @param room the room after the edit
 */
export function tasksOf({ command, inverse }: Edit, room: Room): SaveTask[] {
  switch (command.type) {
    case 'room.update': {
      const fields = savedFields(command.fields);
      if (Object.keys(fields).length === 0) return [];
      return [{ kind: 'room', fields, before: savedFields((inverse as { fields: RoomFields }).fields) }];
    }
    case 'element.add': {
      const place = { parent: command.parent, index: command.index };
      const added = findElement(room.elements, command.element.id) ?? command.element;
      const adds = [...walk([added])].map((element): SaveTask => ({ kind: 'add', element: flat(element) }));
      return [...adds, ...orderAt(room, place)];
    }
    case 'element.update':
      return updateTasks(command.id, savedFields(command.fields), (inverse as { fields: ElementFields }).fields);
    case 'element.remove':
      return [{ kind: 'remove', id: command.id }];
    case 'element.move':
      return moveTasks(room, command, inverse as Place & RoomCommand);
  }
}

/** The commands by which a task that was kept is made again in a room that was loaded anew. */
export function commandsOf(task: SaveTask, room: Room): RoomCommand[] {
  switch (task.kind) {
    case 'add': {
      const parent = task.element.parent_element_id;
      const index = childrenOf(room.elements, parent)?.length ?? 0;
      return [{ type: 'element.add', element: { ...task.element, children: [] } as Element, parent, index }];
    }
    case 'update':
    case 'position':
      return [{ type: 'element.update', id: task.id, fields: task.fields }];
    case 'hide':
      return [{ type: 'element.update', id: task.id, fields: { hidden: task.hidden } }];
    case 'parent': {
      const index = childrenOf(room.elements, task.parent)?.length ?? 0;
      return [{ type: 'element.move', id: task.id, parent: task.parent, index }];
    }
    case 'order': {
      const there = new Set((childrenOf(room.elements, task.parent) ?? []).map(({ id }) => id));
      const ids = task.ids.filter((id) => there.has(id));
      return ids.map((id, index) => ({ type: 'element.move', id, parent: task.parent, index }));
    }
    case 'remove':
      return [{ type: 'element.remove', id: task.id }];
    case 'room':
      return [{ type: 'room.update', fields: task.fields }];
  }
}

/** Ids of the elements that a task is about; links to others don't count. */
export function aboutOf(task: SaveTask): readonly number[] {
  if (task.kind === 'room') return [];
  if (task.kind === 'add') return [task.element.id];
  return task.kind === 'order' ? task.ids : [task.id];
}

/** Whether a task is about an element, lies in it or links to it. */
export const speaksOf = (task: SaveTask, id: number): boolean =>
  !isSame(remapTask(task, { get: (other) => (other === id ? -1 : undefined) }), task);

/** A task without the fields that another one sets after it; null where nothing is left of it. */
export function withoutLater(task: SaveTask, later: SaveTask): SaveTask | null {
  if (later.kind === 'remove')
    return aboutOf(task).every((id) => id === later.id) && task.kind !== 'room' ? null : task;
  if (task.kind !== later.kind || aboutOf(task)[0] !== aboutOf(later)[0]) return task;
  if (!('fields' in task && 'fields' in later)) return task.kind === 'hide' ? null : task;
  const set = byPath(later.fields);
  const left = (fields: object) =>
    fieldsByPath(Object.fromEntries(Object.entries(byPath(fields)).filter(([path]) => !(path in set))));
  const fields = left(task.fields);
  if (Object.keys(fields).length === 0) return null;
  return { ...task, fields, ...('before' in task && { before: left(task.before) }) } as SaveTask;
}

const remapFields = (fields: ElementFields, ids: Renaming): ElementFields =>
  fields.config ? { ...fields, config: remapSettings(fields.config, ids) } : fields;

const remapRoomFields = (fields: RoomFields, ids: Renaming): RoomFields =>
  fields.config ? { ...fields, config: remapRoomConfig(fields.config, ids) } : fields;

/**
 * A task that speaks of the elements by other ids.
 * @param ids new ids by old ids; links to what has null there lead nowhere
 */
export function remapTask(task: SaveTask, ids: Renaming): SaveTask {
  const one = (id: number) => ids.get(id) ?? id;
  const orNull = (id: number | null) => (id === null ? null : (ids.get(id) ?? id));
  switch (task.kind) {
    case 'add': {
      const { id, parent_element_id } = task.element;
      return {
        ...task,
        element: { ...remapElement(task.element, ids), id: one(id), parent_element_id: orNull(parent_element_id) },
      };
    }
    case 'update':
      return {
        ...task,
        id: one(task.id),
        fields: remapFields(task.fields, ids),
        before: remapFields(task.before, ids),
      };
    case 'parent':
      return { ...task, id: one(task.id), parent: orNull(task.parent) };
    case 'order':
      return { ...task, parent: orNull(task.parent), ids: task.ids.map(one) };
    case 'room':
      return { ...task, fields: remapRoomFields(task.fields, ids), before: remapRoomFields(task.before, ids) };
    default:
      return { ...task, id: one(task.id) };
  }
}
