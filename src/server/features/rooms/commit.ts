import { ZodError } from 'zod';
import { checkCommand } from '../../../../engine/document/check-command.ts';
import {
  applyCommands,
  Draft,
  type ElementFields,
  mergeFields,
  type OlderCommand,
  type RoomCommand,
  type RoomFields,
} from '../../../../engine/document/commands.ts';
import { commandsBetween, roomFieldsOf, updatableFields } from '../../../../engine/document/commands-between.ts';
import { type Differing, differingElements } from '../../../../engine/document/differing-elements.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { changedPaths, fieldsByPath, isSame } from '../../../../engine/document/field-paths.ts';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { treeViolations } from '../../../../engine/document/sibling-keys.ts';
import { hasOffset } from '../../../../engine/document/time-zone.ts';
import { translationsOf } from '../../../../engine/document/translations.ts';
import { NoSuchElement } from '../../../../engine/document/tree.ts';
import { offsetOf } from '../../../../engine/document/window.ts';
import type { CommandOrigin, RoomLogEntry, Scope } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Author } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { fromZod } from '../../core/http/as-api-error.ts';
import { KeyedMutex } from '../../core/keyed-mutex.ts';
import { packText } from '../../core/packed-text.ts';
import type { Services } from '../../core/services.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { checkReferences, readElement } from './checks.ts';
import { findBaseSeq, grantIds, insertBase, insertEntry, nestedEntry } from './log-queries.ts';
import { advanceRoom, isShownAsEdited, type StoredRoom, updateRoom } from './queries.ts';
import { columnsOfRoom, configWithoutFile, readRoomFields, withoutFile } from './rows.ts';
import { nothingWritten, type Written, writeElements } from './write-document.ts';

/** Maximum queued calls per user. */
export const MAX_WAITING = 10;
/** Retry-After of a rejected call in seconds. */
const RETRY_AFTER = 2;

/** Serializes each user's commits, so that many calls of one user leave capacity for others. */
export class CommitTurns {
  readonly #mutex = new KeyedMutex();
  readonly #waiting = new Map<number, number>();

  /**
   * Runs work after the user's earlier calls have ended.
   * @throws ApiError too_many if too many calls of the user are queued
   */
  async take<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(userId) ?? 0;
    if (waiting > MAX_WAITING)
      throw new ApiError(
        'too_many',
        'Too many changes at once. Wait until earlier ones are saved.',
        undefined,
        RETRY_AFTER,
      );
    this.#waiting.set(userId, waiting + 1);
    try {
      return await this.#mutex.runExclusive(String(userId), work);
    } finally {
      const left = this.#waiting.get(userId)! - 1;
      if (left > 0) this.#waiting.set(userId, left);
      else this.#waiting.delete(userId);
    }
  }
}

/**
 * Applies an edit's time zone and offset. A zone takes precedence over an offset. An offset alone keeps the zone if the
 * zone has that offset, and replaces it otherwise; removing a zone keeps its offset.
 */
function clockAfter(before: Element, { time_zone, utc_offset }: ElementFields, now: number): Partial<Element> {
  const zone = before.time_zone;
  if (zone == null || time_zone) return {};
  if (time_zone === null) return utc_offset == null ? { utc_offset: offsetOf(before, now) } : {};
  return utc_offset == null || hasOffset(zone, utc_offset, now) ? {} : { time_zone: null };
}

/** An element with an edit applied, as its row will store it. @param now seconds since 1970 */
export function editedElement(
  before: Element,
  fields: ElementFields,
  { html, now }: { html: HtmlCleaner; now: number },
): Element {
  const merged = mergeFields(before, fields);
  Object.assign(merged, clockAfter(before, fields, now));
  // A time window derived from times is removed with them.
  const timed = before.start_time !== null || before.end_time !== null;
  if (timed && !('visible_between' in fields)) merged.visible_between = null;
  const { parent_element_id, index } = before;
  return { ...withoutFile(readElement(merged, html, translationsOf(before))), parent_element_id, index };
}

/** A room with an edit applied, as its row will store it. */
export function editedRoom<R extends Omit<Room, 'elements'>>(before: R, fields: RoomFields, html: HtmlCleaner): R {
  const { id: _id, version: _version, template: _template, ...alone } = before;
  const read = readRoomFields(mergeFields(alone, fields), html, translationsOf(before));
  return { ...before, ...read, config: configWithoutFile(read.config) };
}

/**
 * Validates a command against its room and returns it in log form: an edit contains exactly the changed fields,
 * including derived ones, so that applying it reproduces the rows.
 * @param html sanitizes HTML
 * @param now seconds since 1970
 * @throws ZodError if a value is out of bounds
 * @throws NoSuchElement, RangeError like `checkCommand`
 */
function settleCommand(
  draft: Draft,
  command: OlderCommand,
  { html, now }: { html: HtmlCleaner; now: number },
): RoomCommand {
  const checked = checkCommand(draft, command);
  if (checked.type === 'room.update') {
    const changed = changedPaths(
      roomFieldsOf(draft.fields),
      roomFieldsOf(editedRoom(draft.fields, checked.fields, html)),
    );
    return { type: 'room.update', fields: fieldsByPath(changed) as RoomFields };
  }
  if (checked.type === 'element.update') {
    const before = draft.existing(checked.id);
    const changed = changedPaths(
      updatableFields(before),
      updatableFields(editedElement(before, checked.fields, { html, now })),
    );
    return { type: 'element.update', id: checked.id, fields: fieldsByPath(changed) as ElementFields };
  }
  if (checked.type === 'element.add')
    return { ...checked, elements: checked.elements.map((element) => withoutFile(readElement(element, html))) };
  return checked;
}

/** The author of a change, with the caches it updates. */
export type Committer = Omit<Author, 'user'> &
  Pick<Services, 'documents' | 'roomNews'> & {
    user: (NonNullable<Author['user']> & { scopes?: readonly Scope[] | null }) | null;
  };

/** Origin of a log entry. */
export interface Source {
  origin: CommandOrigin;
  /** Client that sent it, with the client's own number. */
  sent?: { client: string; mutation: number };
}

/** A completed change of a room. */
export interface Committed {
  /** Sequence number in the room's log. */
  seq: number;
  /** The log entry; null for a change without effect, which isn't logged. */
  entry: RoomLogEntry | null;
  /** Commands in log form. */
  commands: readonly RoomCommand[];
  before: Room;
  after: Room;
  written: Written;
}

/** Adds the index of the failed command to an error. */
function attempt<T>(index: number, seq: number, settle: () => T): T {
  const named = (texts: string[]) => ({ [`commands.${index}`]: texts });
  try {
    return settle();
  } catch (error) {
    if (error instanceof NoSuchElement) throw new ApiError('stale', { ...named([error.message]), seq: [String(seq)] });
    if (error instanceof RangeError) throw new ApiError('invalid', named([error.message]));
    if (!(error instanceof ZodError)) throw error;
    const fields = Object.entries(fromZod(error).msg).map(([name, texts]) => [
      name === 'error' ? `commands.${index}` : `commands.${index}.${name}`,
      texts,
    ]);
    throw new ApiError('invalid', Object.fromEntries(fields));
  }
}

/** Stores a room's state before its first entry. */
async function ensureBase(db: Database, row: StoredRoom, room: Room): Promise<void> {
  if ((await findBaseSeq(db, row.id)) !== undefined) return;
  const content = await packText(JSON.stringify(nestedRoom(room)));
  await insertBase(db, { room_id: row.id, organization_id: row.organization_id, seq: row.seq, content });
}

interface Entry {
  before: Room;
  after: Room;
  differing: Differing;
  commands: readonly RoomCommand[];
  /** Inverse commands, in the order of application. */
  inverses: readonly RoomCommand[];
  /** Ids assigned to new elements, by their temporary ids. */
  ids?: Record<string, number>;
}

const hasSameElements = ({ had, has }: Differing): boolean =>
  had.size === has.size && [...has].every(([id, element]) => isSame(had.get(id), element));

/**
 * Keeps API keys without the scope from changing a space that visitors see as it is edited.
 * @throws ApiError forbidden
 */
export async function refuseUnpublished(db: Database, { user }: Committer, roomId: number): Promise<void> {
  if (user?.scopes?.includes('publish') !== false || !(await isShownAsEdited(db, roomId))) return;
  throw new ApiError(
    'forbidden',
    "Visitors see this space as it is edited, and this API key doesn't have the scope “publish”. Create a proposal for it, or let its structures show the published version.",
  );
}

/** Writes a change of a locked room: its rows and its log entry. */
async function store(
  db: Database,
  author: Committer,
  row: StoredRoom,
  { origin, sent }: Source,
  { before, after, differing, commands, inverses, ids = {} }: Entry,
): Promise<Committed> {
  const isEdited = !isSame(roomFieldsOf(before), roomFieldsOf(after));
  // Changes without effect aren't logged, unless a client may retry them.
  if (!sent && !isEdited && hasSameElements(differing))
    return { seq: row.seq, entry: null, commands, before, after: before, written: nothingWritten(row.updated_at) };
  await refuseUnpublished(db, author, row.id);
  await ensureBase(db, row, before);
  const written = await writeElements(db, author, { before, after, differing }, row.updated_at);
  // An undone removal restores elements with the same ids.
  const gone = written.removed.map((element) => element.id);
  await grantIds(db, author, row.id, '', gone);
  const seq = row.seq + 1;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = after;
  if (isEdited) await updateRoom(db, row.id, { seq, ...columnsOfRoom(fields), updated_at: written.at });
  else await advanceRoom(db, row.id, seq, written.at);
  const common = { seq, client: sent?.client ?? null, mutation: sent?.mutation ?? null, origin, at: written.at };
  await insertEntry(db, {
    ...common,
    room_id: row.id,
    organization_id: row.organization_id,
    user_id: author.user?.userId ?? null,
    commands: JSON.stringify(commands),
    inverses: JSON.stringify(inverses),
    ids: JSON.stringify(ids),
  });
  const user = author.user && { id: author.user.userId, name: author.user.name };
  return { seq, entry: nestedEntry({ ...common, user, commands, inverses }), commands, before, after, written };
}

/**
 * Applies commands to a room atomically. Every change of a room uses this or `commitDocument`; the caller locks the
 * room in a transaction, and calls `announce` after the commit.
 * @param html sanitizes HTML
 * @param ids ids assigned to new elements, by their temporary ids
 * @throws ApiError stale with the current sequence number if an element is missing; invalid with the index of the
 * command
 */
export async function commitCommands(
  db: Database,
  author: Committer,
  row: StoredRoom,
  source: Source,
  given: { commands: readonly OlderCommand[]; html: HtmlCleaner; ids?: Record<string, number> },
): Promise<Committed> {
  const before = await author.documents.ofLocked(db, row);
  const commands: RoomCommand[] = [];
  const inverses: RoomCommand[] = [];
  const now = author.clock.now() / 1000;
  const draft = new Draft(before);
  const apply = (command: RoomCommand): void => {
    const applied = draft.apply(command);
    commands.push(applied.command);
    inverses.unshift(applied.inverse);
  };
  const work = new WorkInPieces();
  for (const [index, command] of given.commands.entries()) {
    await work.pause();
    attempt(index, row.seq, () => {
      const settled = settleCommand(draft, command, { html: given.html, now });
      apply(settled);
      const placed = settled.type === 'element.add' ? settled.elements[0]!.id : 'parent' in settled && settled.id;
      if (placed) for (const shortened of draft.shortened(placed)) apply(shortened);
    });
  }
  await work.pause();
  await checkReferences(db, author.organizationId, before, commands);
  const after = draft.room;
  const differing = draft.differing(after);
  return store(db, author, row, source, { before, after, differing, commands, inverses, ids: given.ids });
}

/**
 * Replaces a room's document in one log entry; the same rules as for `commitCommands`.
 * @param after a validated document whose files exist
 */
export async function commitDocument(
  db: Database,
  author: Committer,
  row: StoredRoom,
  source: Source,
  after: Room,
): Promise<Committed> {
  const before = await author.documents.ofLocked(db, row);
  const commands = commandsBetween(before, after);
  const { room, inverses } = applyCommands(before, commands);
  const [broken] = treeViolations(room.elements);
  if (broken) throw new Error(broken);
  return store(db, author, row, source, {
    before,
    after: { ...after, elements: room.elements },
    differing: differingElements(before.elements, room.elements),
    commands,
    inverses: inverses.toReversed(),
  });
}

/**
 * Updates the caches after a change has been committed, and notifies editors of the room.
 * @param row the room as it was locked
 */
export function announce({ documents, roomNews }: Committer, row: StoredRoom, { seq, entry, after }: Committed): void {
  documents.keep({ ...row, seq }, after);
  if (entry) roomNews.tell(row.id, entry);
}
