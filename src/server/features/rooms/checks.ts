import { mergeFields, type RoomCommand } from '../../../../engine/document/commands.ts';
import {
  descriptorOf,
  descriptors,
  type Element,
  type ElementType,
  flatElementSchema,
} from '../../../../engine/document/element.ts';
import { byPath } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { byId } from '../../../../engine/document/tree.ts';
import { windowOf } from '../../../../engine/document/window.ts';
import { ApiError } from '../../../contract/errors.ts';
import { isStamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { checkFiles, type FileUse } from '../media/service.ts';
import { checkRoomReferences } from './create-room.ts';
import { findElementIds } from './elements-repository.ts';
import { listCommandsSince, reachesBack } from './log-queries.ts';
import type { StoredRoom } from './queries.ts';
import { cleanElement } from './rows.ts';

/** Names of the settings that each element type has. */
const SETTINGS = new Map<ElementType, ReadonlySet<string>>(
  flatElementSchema.options.map(({ shape }) => [
    shape.element.value,
    new Set(Object.keys((shape.config.unwrap() as { shape: object }).shape)),
  ]),
);

/**
 * Refuses settings that an element type does not have.
 * @throws ApiError unknown_field, naming them as `config.name`
 */
export function refuseUnknownSettings(type: ElementType, config: object | undefined): void {
  const known = SETTINGS.get(type)!;
  const unknown = Object.keys(config ?? {}).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new ApiError(
    'unknown_field',
    Object.fromEntries(unknown.map((name) => [`config.${name}`, [`An element of type ${type} has no such setting.`]])),
  );
}

/**
 * Reads an element: defaults filled in, HTML made safe, what follows from times of day brought in line.
 * @param input data of an element, its type included
 * @param html makes HTML safe
 * @throws ZodError naming what is wrong by its path
 */
export function readElement(input: unknown, html: HtmlCleaner): Element {
  const element = cleanElement(flatElementSchema.parse(input), html);
  element.visible_between = windowOf(element);
  const isTimed = element.start_time !== null || element.end_time !== null;
  if (!isTimed) element.time_zone = null;
  if (!isTimed || element.time_zone !== null) element.utc_offset = null;
  // Making HTML safe can make it longer, so its bounds are checked on what is stored.
  return flatElementSchema.parse(element);
}

/**
 * Holds an element's file against the media library and against what its type can show.
 * @throws ApiError invalid, naming `file_id`
 */
export async function checkElementFile(
  db: Database,
  organizationId: number,
  { element, file_id }: Pick<Element, 'element' | 'file_id'>,
): Promise<void> {
  await checkFiles(db, organizationId, [{ field: 'file_id', id: file_id, kinds: descriptors[element].files ?? [] }]);
}

const fileUseOf = (element: Element, field: string): FileUse => ({
  field,
  id: element.file_id,
  kinds: descriptorOf(element).files ?? [],
});

/**
 * Holds what commands newly refer to against the organization: files, the template, ids of elements.
 * @param before the room before the first of them
 * @param commands as they were settled
 * @throws ApiError invalid, naming the command and the field
 */
export async function checkReferences(
  db: Database,
  organizationId: number,
  before: Room,
  commands: readonly RoomCommand[],
): Promise<void> {
  const isNaming = (command: RoomCommand) =>
    command.type === 'element.add' || (command.type === 'element.update' && command.fields.file_id !== undefined);
  const uses: FileUse[] = [];
  // Most edits name nothing, and an index of a large room takes its time.
  const known = commands.some(isNaming) ? byId(before.elements) : new Map<number, Element>();
  const fresh = new Map<number, string>();
  for (const [index, command] of commands.entries()) {
    if (command.type === 'element.add')
      for (const element of command.elements) {
        if (!known.has(element.id)) fresh.set(element.id, `commands.${index}`);
        known.set(element.id, element);
        uses.push(fileUseOf(element, `commands.${index}.element.file_id`));
      }
    const { file_id } = command.type === 'element.update' ? command.fields : {};
    if (command.type === 'element.update' && typeof file_id === 'number') {
      const element = known.get(command.id)!;
      uses.push({ ...fileUseOf(element, `commands.${index}.fields.file_id`), id: file_id });
    }
  }
  await checkFiles(
    db,
    organizationId,
    uses.filter(({ id }) => id !== null),
  );
  const [taken] = await findElementIds(db, [...fresh.keys()]);
  if (taken !== undefined)
    throw new ApiError('invalid', { [fresh.get(taken)!]: [`Element ${taken} exists already, in another space.`] });
  const edits = commands.filter((command) => command.type === 'room.update');
  if (edits.length === 0) return;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = before;
  const edited = edits.reduce((room, command) => mergeFields(room, command.fields), fields);
  await checkRoomReferences(db, organizationId, edited, fields);
}

/** Most entries that are read to find out; an edit of what is older than these is refused as stale. */
const MAX_ENTRIES = 200;

/** An edit of a version that is perhaps no longer the current one. */
interface Edit {
  /** Element that it changes; null for the room itself. */
  id: number | null;
  /** Stamp of what is stored, and the one that the caller's version had, if it names one. */
  current: string;
  seen: string | undefined;
  /** Paths of the fields that it changes. */
  paths: readonly string[];
}

/** Whether a command wrote one of some fields. */
function writes(command: RoomCommand, id: number | null, paths: ReadonlySet<string>): boolean {
  switch (command.type) {
    case 'room.update':
      return id === null && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.update':
      return command.id === id && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.move':
      return command.id === id && paths.has('parent_element_id');
    // What was removed and is there again may have anything.
    case 'element.add':
      return command.elements.some((element) => element.id === id);
    case 'element.remove':
      return command.id === id;
  }
}

/**
 * Refuses an edit of a version that is no longer the current one, if somebody has changed the same fields since. What others
 * did to other fields meanwhile is not in the way.
 * @throws ApiError stale, with the current stamp beside the message
 */
export async function refuseOverwriting(db: Database, row: StoredRoom, edit: Edit): Promise<void> {
  const { id, current, seen, paths } = edit;
  if (seen === undefined || seen === current) return;
  const isKnown = isStamp(seen) && seen < current && (await reachesBack(db, row.id, seen));
  if (!isKnown) refuseStale(current, seen);
  const about = { roomId: row.id, since: seen, about: id, limit: MAX_ENTRIES };
  const entries = await listCommandsSince(db, about);
  const wanted = new Set(paths);
  const isWritten = entries.some((commands) => commands.some((command) => writes(command, id, wanted)));
  if (isWritten || entries.length === MAX_ENTRIES) refuseStale(current, seen);
}

/** Elements that are shown or hidden at a time of day, at a fixed offset from UTC. */
const fixedTimes = (db: Database, organizationId: number) =>
  db
    .selectFrom('elements')
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([where('body', 'like', '%"start_time":"__:__"%'), where('body', 'like', '%"end_time":"__:__"%')]),
    )
    .where('body', 'not like', '%"time_zone":"%');

/** Ids of the rooms that hold elements with times at a fixed offset. */
export async function roomsWithFixedTimes(db: Database, organizationId: number): Promise<number[]> {
  const rows = await fixedTimes(db, organizationId).select('room_id').distinct().orderBy('room_id').execute();
  return rows.map(({ room_id }) => room_id);
}

/** Elements of some rooms with times at a fixed offset, `limit` at most. */
export async function elementsWithFixedTimes(
  db: Database,
  organizationId: number,
  roomIds: readonly number[],
  limit: number,
) {
  if (roomIds.length === 0) return [];
  return fixedTimes(db, organizationId)
    .where('room_id', 'in', roomIds)
    .where('hidden', '=', 0)
    .select(['id', 'room_id', 'element', 'name'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
