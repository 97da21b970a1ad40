import type { ElementFields } from '../../../engine/document/commands.ts';
import type { NestedElement } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import { type IdMap, remapElement, remapRoomConfig } from '../../../engine/document/remap.ts';
import type { Room } from '../../../engine/document/room.ts';
import { flatten } from '../../../engine/document/tree.ts';
import type { RoomLogEntry, SentCommand } from '../../contract/entities.ts';
import { overFields } from '../session/edit.ts';
import { fieldNames, nameOfElement } from '../session/element-names.ts';
import type { StoredRow } from './edit-storage.ts';

/** Identifier of a call in the log: the client, and the client's number for the call. */
export interface Stamp {
  client: string;
  mutation: number;
}

/** An edit that the server has not confirmed. */
export interface Waiting {
  /** Position in the queue. */
  number: number;
  /** Stored row, shared with other edits made at the same time. */
  row: number;
  command: SentCommand;
  /** Creation time in milliseconds of a clock that continues across pages. */
  at: number;
  /** The call that sent it, which may have arrived without an answer. */
  sent?: Stamp;
  /** Whether it is sent in a call of its own, because a call with other edits was rejected. */
  isAlone?: boolean;
}

/** Edits of an earlier page: a row holds several, or a single one in versions up to 0.13. */
export const editsOf = (rows: readonly StoredRow[]): Waiting[] =>
  rows
    .filter(({ kind }) => kind === 'edit')
    .flatMap(({ value, number: row }) => [value as Waiting | Waiting[]].flat().map((edit) => ({ ...edit, row })))
    .map((edit, index) => ({ ...edit, number: index + 1 }));

/** Groups edits by row. @param rows rows to include, even if they are empty */
export function byRow(edits: readonly Waiting[], rows: Iterable<number>): Map<number, Waiting[]> {
  const found = new Map<number, Waiting[]>([...rows].map((row) => [row, []]));
  for (const edit of edits) found.get(edit.row)?.push(edit);
  return found;
}

/** The call of a log entry. */
export const stampOf = ({ client, mutation }: Pick<RoomLogEntry, 'client' | 'mutation'>): Stamp => ({
  client: client ?? '',
  mutation: mutation ?? 0,
});

/** Whether an edit was sent in a call. */
export const isOf = ({ sent }: Waiting, { client, mutation }: Stamp): boolean =>
  sent?.client === client && sent.mutation === mutation;

/** The element that a command changes; null for the room. */
export const thingOf = (command: SentCommand): number | null => {
  if (command.type === 'room.update') return null;
  return command.type === 'element.add' ? Number(command.element.id) : command.id;
};

/** Fields that a command sets, by path; empty for add, move and remove. */
export const fieldsOf = (command: SentCommand): ByPath => ('fields' in command ? byPath(command.fields) : {});

/** A command without some fields; null if none are left. */
export function withoutFields(command: SentCommand, paths: ReadonlySet<string>): SentCommand | null {
  if (!('fields' in command)) return command;
  const left = Object.entries(byPath(command.fields)).filter(([path]) => !paths.has(path));
  return left.length > 0 ? { ...command, fields: fieldsByPath(Object.fromEntries(left)) } : null;
}

/** Merges two updates of the same element or room; null for other commands. */
export function joined(one: SentCommand, other: SentCommand): SentCommand | null {
  if (!('fields' in one && 'fields' in other) || thingOf(one) !== thingOf(other)) return null;
  return { ...one, fields: overFields(one.fields, other.fields) };
}

/** The part of a command that a later one does not overwrite; null if nothing is left. */
export function withoutLater(command: SentCommand, later: SentCommand): SentCommand | null {
  if (thingOf(command) !== thingOf(later)) return command;
  if (later.type === 'element.remove') return null;
  return command.type === later.type ? withoutFields(command, new Set(Object.keys(fieldsOf(later)))) : command;
}

/** Text for the content of an edit; null for removals, whose effect exists anyway. */
export function heldText(command: SentCommand, room: Room): string | null {
  const name = nameOfElement(room, thingOf(command));
  if (command.type === 'element.remove') return null;
  if (command.type === 'element.add') return `${name} with all in it`;
  return command.type === 'element.move'
    ? `the place of ${name}`
    : `${fieldNames(Object.keys(fieldsOf(command)))} of ${name}`;
}

/** Ids of the elements that a command adds. */
export const addedBy = (command: SentCommand): number[] =>
  command.type === 'element.add' ? flatten([command.element as NestedElement]).map(({ id }) => id) : [];

const branch = (element: NestedElement, ids: IdMap): NestedElement => ({
  ...remapElement(element, ids),
  id: ids.get(element.id) ?? element.id,
  children: element.children.map((child) => branch(child, ids)),
});

function remapFields({ type, fields }: Extract<SentCommand, { fields: object }>, ids: IdMap): object {
  if (type === 'element.update') return remapElement(fields as ElementFields, ids);
  return fields.config ? { ...fields, config: remapRoomConfig(fields.config as object, ids) } : fields;
}

/** A command with replaced element ids. */
export function renumbered(command: SentCommand, ids: IdMap): SentCommand {
  const one = <T extends number | null | undefined>(id: T) => (typeof id === 'number' ? (ids.get(id) ?? id) : id);
  const place = 'parent' in command ? { parent: one(command.parent), after: one(command.after) } : {};
  if (command.type === 'element.add')
    return { ...command, ...place, element: { ...branch(command.element as NestedElement, ids) } };
  const fields = 'fields' in command ? { fields: remapFields(command, ids) } : {};
  return { ...command, ...('id' in command && { id: one(command.id) }), ...place, ...fields } as SentCommand;
}
