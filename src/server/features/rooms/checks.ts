import { mergeFields, type RoomCommand } from '../../../../engine/document/commands.ts';
import { descriptors, type Element, type ElementType, flatElementSchema } from '../../../../engine/document/element.ts';
import { byPath, isSame } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { meshProblem } from '../../../../engine/document/splats.ts';
import type { Translations } from '../../../../engine/document/translation-fields.ts';
import { withCleanTranslations } from '../../../../engine/document/translations.ts';
import { findElement } from '../../../../engine/document/tree.ts';
import { windowOf } from '../../../../engine/document/window.ts';
import { ApiError } from '../../../contract/errors.ts';
import { panoramaProblem } from '../../../contract/template-file.ts';
import { isStamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { checkFiles, type FileUse } from '../media/service.ts';
import { checkRoomReferences } from './create-room.ts';
import { findElementIds } from './elements-repository.ts';
import { listCommandsSince, reachesBack } from './log-queries.ts';
import { findKnownBlocks, type StoredRoom } from './queries.ts';
import { cleanElement } from './rows.ts';

/** Setting names of each element type. */
const SETTINGS = new Map<ElementType, ReadonlySet<string>>(
  flatElementSchema.options.map(({ shape }) => [
    shape.element.value,
    new Set(Object.keys((shape.config.unwrap() as { shape: object }).shape)),
  ]),
);

/**
 * Rejects settings that an element type doesn't have.
 * @throws ApiError unknown_field, naming them as `config.name`
 */
export function refuseUnknownSettings(type: ElementType, config: object | undefined): void {
  const known = SETTINGS.get(type)!;
  const unknown = Object.keys(config ?? {}).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new ApiError(
    'unknown_field',
    Object.fromEntries(unknown.map((name) => [`config.${name}`, [`Unknown setting of an element of type ${type}.`]])),
  );
}

/**
 * Validates an element: fills in defaults, sanitizes HTML, and updates fields derived from times of day.
 * @param input an element's data, including its type
 * @param html sanitizes HTML
 * @param known stored translations of the element, which are clean
 * @throws ZodError naming invalid paths
 */
export function readElement(input: unknown, html: HtmlCleaner, known?: Translations): Element {
  const parsed = flatElementSchema.parse(input);
  const element = cleanElement(parsed, html);
  element.visible_between = windowOf(element);
  const isTimed = element.start_time !== null || element.end_time !== null;
  if (!isTimed) element.time_zone = null;
  if (!isTimed || element.time_zone !== null) element.utc_offset = null;
  // Sanitizing can make HTML longer, so limits are checked on the result.
  const read = isSame(element.config, parsed.config) ? element : flatElementSchema.parse(element);
  return withCleanTranslations(read, (translated) => readElement(translated, html), known);
}

/**
 * Checks that an element's file exists in the media library and suits its type.
 * @throws ApiError invalid, naming `file_id`
 */
export async function checkElementFile(
  db: Database,
  organizationId: number,
  element: Pick<Element, 'element' | 'file_id'>,
): Promise<void> {
  await checkFiles(db, organizationId, [fileUseOf(element, 'file_id')]);
}

/** The file of an element, to be checked; that of a view point is its panorama. */
export function fileUseOf({ element, file_id }: Pick<Element, 'element' | 'file_id'>, field: string): FileUse {
  const use = { field, id: file_id, kinds: descriptors[element].files ?? [] };
  if (element === 'motion') return { ...use, problemOf: meshProblem };
  return element === 'view_point'
    ? { ...use, problemOf: (file) => (file.part ? null : panoramaProblem({ width: file.width, height: file.height })) }
    : use;
}

/**
 * Checks that new references in commands (files, the template, element ids) belong to the organization.
 * @param before the room before the first command
 * @param commands in log form
 * @throws ApiError invalid, naming the command and the field
 */
export async function checkReferences(
  db: Database,
  organizationId: number,
  before: Room,
  commands: readonly RoomCommand[],
): Promise<void> {
  const uses: FileUse[] = [];
  const added = new Map<number, Element>();
  const find = (id: number) => added.get(id) ?? findElement(before.elements, id);
  const fresh = new Map<number, string>();
  for (const [index, command] of commands.entries()) {
    if (command.type === 'element.add')
      for (const element of command.elements) {
        if (!find(element.id)) fresh.set(element.id, `commands.${index}`);
        added.set(element.id, element);
        uses.push(fileUseOf(element, `commands.${index}.element.file_id`));
      }
    const { file_id } = command.type === 'element.update' ? command.fields : {};
    if (command.type === 'element.update' && typeof file_id === 'number') {
      const element = find(command.id)!;
      uses.push({ ...fileUseOf(element, `commands.${index}.fields.file_id`), id: file_id });
    }
  }
  await checkFiles(
    db,
    organizationId,
    uses.filter(({ id }) => id !== null),
  );
  await checkBlocks(db, organizationId, commands);
  const [taken] = await findElementIds(db, [...fresh.keys()]);
  if (taken !== undefined)
    throw new ApiError('invalid', { [fresh.get(taken)!]: [`Element ${taken} already exists in another space.`] });
  const edits = commands.filter((command) => command.type === 'room.update');
  if (edits.length === 0) return;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = before;
  const edited = edits.reduce((room, command) => mergeFields(room, command.fields), fields);
  await checkRoomReferences(db, organizationId, edited, fields);
}

/** Checks that the blocks of new places belong to the organization. A removed block can still have places. */
async function checkBlocks(db: Database, organizationId: number, commands: readonly RoomCommand[]): Promise<void> {
  const uses = new Map<number, string>();
  for (const [index, command] of commands.entries()) {
    const parts =
      command.type === 'element.add'
        ? command.elements.map(({ config }) => ({ config, field: 'element.config' }))
        : command.type === 'element.update'
          ? [{ config: command.fields.config, field: 'fields.config' }]
          : [];
    for (const { config, field } of parts) {
      const id = config && 'block_id' in config ? config.block_id : null;
      if (typeof id === 'number') uses.set(id, `commands.${index}.${field}.block_id`);
    }
  }
  const known = await findKnownBlocks(db, organizationId, [...uses.keys()]);
  for (const [id, field] of uses)
    if (!known.has(id)) throw new ApiError('invalid', { [field]: [`Block ${id} doesn't exist.`] });
}

/** Maximum number of entries checked; edits of older versions are rejected as stale. */
const MAX_ENTRIES = 200;

/** An edit of a possibly outdated version. */
interface Edit {
  /** The element it changes; null for the room itself. */
  id: number | null;
  /** The stored timestamp, and that of the caller's version, if given. */
  current: string;
  seen: string | undefined;
  /** Paths of the changed fields. */
  paths: readonly string[];
}

/** Whether a command changed one of the fields. */
function writes(command: RoomCommand, id: number | null, paths: ReadonlySet<string>): boolean {
  switch (command.type) {
    case 'room.update':
      return id === null && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.update':
      return command.id === id && Object.keys(byPath(command.fields)).some((path) => paths.has(path));
    case 'element.move':
      return command.id === id && paths.has('parent_element_id');
    // A removed and re-added element may differ in any field.
    case 'element.add':
      return command.elements.some((element) => element.id === id);
    case 'element.remove':
      return command.id === id;
  }
}

/**
 * Rejects an edit of an outdated version if the same fields have changed since. Changes of other fields don't conflict.
 * @throws ApiError stale, with the current timestamp next to the message
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

/** Elements whose time windows use a fixed UTC offset. */
const fixedTimes = (db: Database, organizationId: number) =>
  db
    .selectFrom('elements')
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([where('body', 'like', '%"start_time":"__:__"%'), where('body', 'like', '%"end_time":"__:__"%')]),
    )
    .where('body', 'not like', '%"time_zone":"%');

/** Ids of rooms with fixed-offset times. */
export async function roomsWithFixedTimes(db: Database, organizationId: number): Promise<number[]> {
  const rows = await fixedTimes(db, organizationId).select('room_id').distinct().orderBy('room_id').execute();
  return rows.map(({ room_id }) => room_id);
}

/** Elements of some rooms with fixed-offset times, at most `limit`. */
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
