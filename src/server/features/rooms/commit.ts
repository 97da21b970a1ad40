import { ZodError } from 'zod';
import { applyCommands, Draft, type OlderCommand, type RoomCommand } from '../../../../engine/document/commands.ts';
import { commandsBetween, roomAlone } from '../../../../engine/document/commands-between.ts';
import { isSame } from '../../../../engine/document/field-paths.ts';
import { nestedRoom, type Room } from '../../../../engine/document/room.ts';
import { brokenRules } from '../../../../engine/document/sibling-keys.ts';
import { NoSuchElement } from '../../../../engine/document/tree.ts';
import type { CommandOrigin } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Author } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { fromZod } from '../../core/http/as-api-error.ts';
import { packText } from '../../core/packed-text.ts';
import type { Services } from '../../core/services.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { checkReferences } from './check-references.ts';
import { grantIds } from './leases-repository.ts';
import { findBaseSeq, insertBase, insertEntry } from './log-repository.ts';
import { columnsOfRoom } from './room-row.ts';
import { type StoredRoom, updateRoom } from './rooms-repository.ts';
import { settleCommand } from './settle-command.ts';
import { nothingWritten, type Written, writeElements } from './write-document.ts';

/** In whose name a room changes, and what its documents are read from. */
export type Committer = Author & Pick<Services, 'documents' | 'roomNews'>;

/** Where an entry of a log comes from. */
export interface Source {
  origin: CommandOrigin;
  /** Program that sent it, and its own number of it. */
  sent?: { client: string; mutation: number };
}

/** A change of a room that is done. */
export interface Committed {
  /** Its place in the log of the room. */
  seq: number;
  /** Commands as the log keeps them. */
  commands: readonly RoomCommand[];
  before: Room;
  after: Room;
  written: Written;
}

/** Says which command of a call is at fault, and with what. */
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

/** Keeps what a room was before its first entry. */
async function ensureBase(db: Database, row: StoredRoom, room: Room): Promise<void> {
  if ((await findBaseSeq(db, row.id)) !== undefined) return;
  const content = await packText(JSON.stringify(nestedRoom(room)));
  await insertBase(db, { room_id: row.id, organization_id: row.organization_id, seq: row.seq, content });
}

interface Entry {
  before: Room;
  after: Room;
  commands: readonly RoomCommand[];
  /** What takes the commands back, in the order in which it is applied. */
  inverses: readonly RoomCommand[];
  /** Ids that elements got, by those that stood for them. */
  ids?: Record<string, number>;
}

/** Writes a change of a locked room: its rows, and the entry of its log. */
async function store(
  db: Database,
  author: Committer,
  row: StoredRoom,
  { origin, sent }: Source,
  { before, after, commands, inverses, ids = {} }: Entry,
): Promise<Committed> {
  // Nothing is noted of what changes nothing, unless somebody may ask for it again.
  if (!sent && isSame(before, after))
    return { seq: row.seq, commands, before, after: before, written: nothingWritten(row.updated_at) };
  await ensureBase(db, row, before);
  const written = await writeElements(db, author, { before, after }, row.updated_at);
  // Whoever takes a removal back brings the same elements.
  const gone = written.removed.map((element) => element.id);
  await grantIds(db, author, row.id, '', gone);
  const seq = row.seq + 1;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = after;
  const isEdited = !isSame(roomAlone(before), roomAlone(after));
  await updateRoom(db, row.id, { seq, ...(isEdited && columnsOfRoom(fields)), updated_at: written.at });
  await insertEntry(db, {
    room_id: row.id,
    organization_id: row.organization_id,
    seq,
    client: sent?.client ?? null,
    mutation: sent?.mutation ?? null,
    origin,
    user_id: author.user?.userId ?? null,
    at: written.at,
    commands: JSON.stringify(commands),
    inverses: JSON.stringify(inverses),
    ids: JSON.stringify(ids),
  });
  return { seq, commands, before, after, written };
}

/**
 * Changes a room by commands: all of them, or none. Whoever changes a room does it by this or by `commitDocument`; the caller
 * has locked the room, in a transaction, and calls `announce` once that is done.
 * @param html makes HTML safe
 * @param ids ids that elements got, by those that stood for them
 * @throws ApiError stale with the present number of the log where an element is not there; invalid with the index of the command
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
  await checkReferences(db, author.organizationId, before, commands);
  return store(db, author, row, source, { before, after: draft.room, commands, inverses, ids: given.ids });
}

/**
 * Changes a room into another document, in one entry of its log; the same rules as for `commitCommands`.
 * @param after a document that was checked as a whole; files are known to be there
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
  const [broken] = brokenRules(room.elements);
  if (broken) throw new Error(broken);
  return store(db, author, row, source, {
    before,
    after: { ...after, elements: room.elements },
    commands,
    inverses: inverses.toReversed(),
  });
}

/**
 * Says that a change is stored for good: what is read next builds on it, and whoever edits the room hears of it.
 * @param row the room as it was locked
 */
export function announce({ documents, roomNews }: Committer, row: StoredRoom, { seq, after }: Committed): void {
  documents.keep({ ...row, seq }, after);
  if (seq > row.seq) roomNews.tell(row.id, seq);
}
