import type { z } from 'zod';
import type { OlderCommand, RoomCommand } from '../../../../engine/document/commands.ts';
import { roomFieldsOf } from '../../../../engine/document/commands-between.ts';
import { changedPaths, isRecord } from '../../../../engine/document/field-paths.ts';
import { type IdMap, ROOM_LINKS, remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import type { calls } from '../../../contract/calls.ts';
import type { Poster, SentCommand } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { takeIds } from '../../core/db/reserve-ids.ts';
import { headOf } from '../../core/files/checked-head.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { Upload } from '../../core/files/upload.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { checkFolder } from '../folders/service.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import { putPoster, storedImages } from '../posters/queries.ts';
import { refuseOverwriting } from './checks.ts';
import { claimClient } from './client-claims.ts';
import { announce, commitCommands, editedRoom } from './commit.ts';
import { checkRoomReferences } from './create-room.ts';
import { changeRoom } from './edit-elements.ts';
import {
  asLogEntry,
  findBaseSeq,
  findForeignId,
  findMutation,
  type LogPart,
  leaseIds,
  listEntries,
  sizesOfEntries,
} from './log-queries.ts';
import { findRoom, holdRoom, lockRoom, refuseBranch, storeFolder } from './queries.ts';
import { recordCommitted } from './record-committed.ts';
import { roomFromRow } from './rows.ts';

/** Maximum characters of commands in a response; the first entry is always included. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Number of entries that fit into a response. */
async function countThatFits({ db }: CallContext, roomId: number, part: LogPart): Promise<number> {
  let [count, characters] = [0, 0];
  for (const { size } of await sizesOfEntries(db, roomId, part)) {
    characters += Number(size);
    if (characters > MAX_CHARACTERS) break;
    count++;
  }
  return Math.max(1, count);
}

/** A room's log in order. @throws ApiError not_found */
export async function readLog(
  context: CallContext,
  roomId: number,
  part: z.output<typeof calls.rooms.log.query>,
): Promise<z.output<typeof calls.rooms.log.output>> {
  const { db, organizationId } = context;
  const room = await findRoom(db, organizationId, roomId);
  if (!room) throw new ApiError('not_found');
  const limit = await countThatFits(context, roomId, part);
  const entries = await listEntries(db, roomId, { ...part, limit });
  const base = await findBaseSeq(db, roomId);
  return {
    seq: Math.max(room.seq, entries.at(-1)?.seq ?? 0),
    base: base ?? room.seq,
    entries: entries.map(asLogEntry),
  };
}

/** Maximum size in bytes of an image drawn by the editor: many times a typical one. */
const MAX_DRAWN = 8 * 1024 * 1024;

/**
 * Stores the editor's drawing of a space, unless a user chose another image.
 * @throws ApiError not_found, too_large, wrong_type or bad_file
 */
export async function drawPoster(context: CallContext, id: number, file: Upload | undefined): Promise<Poster> {
  const { db: database, organizationId, media, workers } = context;
  if (!(await findRoom(database, organizationId, id))) throw new ApiError('not_found');
  if (!file) throw new ApiError('invalid', { file: ['Send an image.'] });
  const arrival = await media.receive(file, { most: MAX_DRAWN, check: headOf(workers, 'image') });
  try {
    const images = await workers.run('drawPosterImages', { source: arrival.file }, ofOrganization(organizationId));
    const keptId = await keepPosterImages(context, organizationId, images);
    return await database.transaction().execute(async (db) => {
      if (!(await lockRoom(db, organizationId, id))) throw new ApiError('not_found');
      return putPoster(db, context, { subject: 'room_id', id }, 'drawn', storedImages(keptId));
    });
  } finally {
    await media.discard(arrival);
  }
}

/**
 * Updates a space; its elements stay unchanged.
 * @throws ApiError not_found, stale or invalid
 */
export async function updateRoom(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.rooms.update.body>,
): Promise<void> {
  const { workers } = context;
  const { updated_at, ...fields } = body;
  const seen = await findRoom(context.db, context.organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const before = { ...roomFromRow(seen, new Map()), template: null, elements: [] };
  const html = await cleanAhead(workers, (html) => editedRoom(before, fields, html));
  await changeRoom(context, id, async ({ db, row, room, commit }) => {
    const edited = editedRoom(room, fields, html);
    const paths = Object.keys(changedPaths(roomFieldsOf(room), roomFieldsOf(edited)));
    await refuseOverwriting(db, row, { id: null, current: row.updated_at, seen: updated_at, paths });
    await checkRoomReferences(db, context.organizationId, edited, room);
    await commit([{ type: 'room.update', fields }], html);
  });
}

/**
 * Moves a space to a folder. The folder is not part of its document, so its log and caches stay as they are.
 * @throws ApiError not_found, or invalid if the folder doesn't exist
 */
export async function moveRoom(context: CallContext, id: number, folder_id: number | null): Promise<void> {
  const { organizationId } = context;
  await context.db.transaction().execute(async (db) => {
    if (!(await findRoom(db, organizationId, id))) throw new ApiError('not_found');
    // The folder is locked first, as by its removal.
    await checkFolder(db, organizationId, folder_id);
    const row = orNotFound(await holdRoom(db, organizationId, id));
    refuseBranch(row);
    await storeFolder(db, id, folder_id);
    const about = { entity_id: id, room_id: id, name: row.title };
    const fields = { before: { folder_id: row.folder_id }, after: { folder_id } };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, ...fields });
  });
}

type Input = z.output<typeof calls.rooms.commit.body>;
type Output = z.output<typeof calls.rooms.commit.output>;
type Json = Record<string, unknown>;

/** The elements that a call adds, as sent. */
function* addedBy(commands: readonly SentCommand[]): Generator<{ element: Json; index: number }> {
  const visit = function* (element: Json, index: number): Generator<{ element: Json; index: number }> {
    yield { element, index };
    if (Array.isArray(element.children)) for (const child of element.children) yield* visit(child as Json, index);
  };
  for (const [index, command] of commands.entries())
    if (command.type === 'element.add') yield* visit(command.element, index);
}

/** Assigns ids to added elements without one, by their negative temporary ids. */
async function newIds(db: Database, commands: readonly SentCommand[]): Promise<Map<number, number>> {
  const wanted = new Set<number>();
  for (const { element } of addedBy(commands))
    if (Number.isSafeInteger(element.id) && Number(element.id) < 0) wanted.add(Number(element.id));
  if (wanted.size === 0) return new Map();
  const taken = await takeIds(db, 'elements', wanted.size);
  return new Map([...wanted].map((id, place) => [id, taken[place]!]));
}

/** Rejects ids that were not reserved for the space. */
async function checkIds(db: Database, roomId: number, commands: readonly SentCommand[]): Promise<void> {
  const given = new Map<number, number>();
  for (const { element, index } of addedBy(commands))
    if (typeof element.id === 'number' && element.id > 0) given.set(element.id, index);
  const foreign = await findForeignId(db, roomId, [...given.keys()]);
  if (foreign !== undefined)
    throw new ApiError('invalid', {
      [`commands.${given.get(foreign)}.element.id`]: [
        `ID ${foreign} isn't reserved for this space. Use a negative number or a leased ID.`,
      ],
    });
}

/** Whether references can be read from sent settings. Validation rejects those from which they can't. */
function isReadable(config: unknown): config is Json {
  if (!isRecord(config)) return false;
  const links = ROOM_LINKS.map((name) => config[name] ?? null).filter((link) => link !== null);
  if (!links.every(isRecord) || ('target' in config && !isRecord(config.target))) return false;
  const navigations = [...('navigation' in config ? [config] : []), ...links].map(({ navigation }) => navigation);
  return navigations.every((each) => isRecord(each) && (each.type !== 'view_point' || isRecord(each.type_config)));
}

/** The fields of a sent element with the ids that they refer to resolved. */
function remapFields(fields: Json, ids: IdMap): Json {
  const { config, ...others } = fields;
  return isReadable(config) ? remapElement({ ...others, config }, ids) : { ...fields, ...remapElement(others, ids) };
}

/** A sent element with its ids resolved. */
function withIds(element: Json, ids: IdMap): Json {
  const children = Array.isArray(element.children)
    ? element.children.map((child) => withIds(child as Json, ids))
    : element.children;
  const own = ids.get(element.id as number) ?? element.id;
  return { ...remapFields(element, ids), id: own, children };
}

/** A sent command with its ids resolved. */
function proposalOf(command: SentCommand, ids: IdMap): OlderCommand {
  const one = <T extends number | null | undefined>(id: T) => (typeof id === 'number' ? (ids.get(id) ?? id) : id);
  if (command.type === 'room.update') {
    const { config } = command.fields;
    const given = isReadable(config) ? { config: remapRoomConfig(config, ids) } : {};
    return { ...command, fields: { ...command.fields, ...given } } as RoomCommand;
  }
  const place = 'parent' in command ? { parent: one(command.parent), after: one(command.after) } : {};
  if (command.type === 'element.add')
    return { ...command, ...place, element: withIds(command.element, ids) } as OlderCommand;
  const fields = command.type === 'element.update' ? { fields: remapFields(command.fields, ids) } : {};
  return { ...command, ...place, ...fields, id: one(command.id) } as OlderCommand;
}

/** Sibling keys assigned by commands, by element id. */
const indexesIn = (commands: readonly RoomCommand[]): Record<number, string> =>
  Object.fromEntries(
    commands.flatMap((command) => {
      if (command.type === 'element.add') return command.elements.map(({ id, index }) => [id, index]);
      return command.type === 'element.move' ? [[command.id, command.index!]] : [];
    }),
  );

/** All texts of a call: any of them may be HTML. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part);
}

/**
 * Applies all commands of a call, or none. A repeated call returns the original response.
 * @throws ApiError not_found; too_many where the user's earlier calls wait; client_taken for another user's number; invalid with the index, path and reason; stale with the present place in the log
 */
export function commitSent(context: SignedInContext, roomId: number, input: Input): Promise<Output> {
  return context.documents.turns.take(context.user.userId, () => commitNow(context, roomId, input));
}

async function commitNow(context: SignedInContext, roomId: number, input: Input): Promise<Output> {
  const { client, mutation, commands, origin, lease } = input;
  const html = await cleanAhead(context.workers, (html) => {
    for (const text of textsIn(commands)) {
      html.page(text);
      html.richText(text);
    }
  });
  let done: (() => void) | undefined;
  const answer = await context.db.transaction().execute(async (db): Promise<Output> => {
    const row = await lockRoom(db, context.organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    await claimClient(db, { ...context, roomId: row.id, client, userId: context.user.userId });
    const leased = await leaseIds(db, context, row.id, client, lease);
    if (commands.length === 0) return { seq: row.seq, ids: {}, indexes: {}, leased };
    const known = await findMutation(db, row.id, client, mutation);
    if (known) {
      const indexes = indexesIn(JSON.parse(known.commands));
      return { seq: known.seq, ids: JSON.parse(known.ids), indexes, leased };
    }
    await checkIds(db, row.id, commands);
    const map = await newIds(db, commands);
    const ids = Object.fromEntries(map);
    const proposals = commands.map((command) => proposalOf(command, map));
    const source = { origin, sent: { client, mutation } };
    const committed = await commitCommands(db, context, row, source, { commands: proposals, html, ids });
    await recordCommitted(db, context, row, committed);
    done = () => announce(context, row, committed);
    return { seq: committed.seq, ids, indexes: indexesIn(committed.commands), leased };
  });
  done?.();
  return answer;
}
