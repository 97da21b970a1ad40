import { type RawBuilder, sql } from 'kysely';
import type { MediaUse } from '../../../contract/entities.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { blocksWithFile, moveFileInBlocks } from '../blocks/queries.ts';
import { type Committer, commitDocument } from '../rooms/commit.ts';
import { lockRoom, touchRooms } from '../rooms/queries.ts';
import { TEMPLATE_FILES } from '../templates/queries.ts';

const TEMPLATE_COLUMNS = Object.values(TEMPLATE_FILES);

/** The visitor marker file in a room's settings. */
export const markerOf = (db: Database): RawBuilder<number | null> =>
  isPostgres(db)
    ? sql<number | null>`cast(cast(config as json) ->> 'realtime_file_id' as bigint)`
    : sql<number | null>`json_extract(config, '$.realtime_file_id')`;

/** Rooms with a file as their visitor marker. */
const markedRooms = (db: Database, organizationId: number, mediaId: number) =>
  db
    .selectFrom('rooms')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(markerOf(db), '=', mediaId)
    .orderBy('id')
    .execute();

const templatesWith = (db: Database, organizationId: number, mediaId: number) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((where) => where.or(TEMPLATE_COLUMNS.map((column) => where(column, '=', mediaId))))
    .orderBy('id')
    .execute();

/** Elements that use a file, with their room's title. */
const elementsWith = (db: Database, organizationId: number, mediaId: number) =>
  db
    .selectFrom('elements')
    .innerJoin('rooms', 'rooms.id', 'elements.room_id')
    .select(['elements.id', 'elements.name', 'elements.room_id', 'rooms.title'])
    .where('elements.organization_id', '=', organizationId)
    .where('elements.file_id', '=', mediaId)
    .orderBy('elements.room_id')
    .orderBy('elements.id')
    .execute();

const organizationWith = (db: Database, organizationId: number, mediaId: number) =>
  db
    .selectFrom('organizations')
    .select(['id', 'name', 'font_file_id', 'logo_file_id'])
    .where('id', '=', organizationId)
    .where((where) => where.or([where('font_file_id', '=', mediaId), where('logo_file_id', '=', mediaId)]))
    .executeTakeFirst();

/** Spaces whose published or scheduled state uses a file. */
async function publishedWith(db: Database, organizationId: number, mediaId: number) {
  const rows = await db
    .selectFrom('publications')
    .innerJoin('rooms', 'rooms.id', 'publications.room_id')
    .select(['publications.room_id', 'publications.is_scheduled', 'publications.file_ids', 'rooms.title'])
    .where('publications.organization_id', '=', organizationId)
    .orderBy('publications.room_id')
    .orderBy('publications.is_scheduled')
    .orderBy('publications.id', 'desc')
    .execute();
  const found: { id: number; name: string }[] = [];
  for (const [id, own] of Map.groupBy(rows, ({ room_id }) => room_id)) {
    const last = own.find(({ is_scheduled }) => is_scheduled === 0);
    const counting = own.filter((row) => row === last || row.is_scheduled === 1);
    if (counting.some(({ file_ids }) => (JSON.parse(file_ids) as number[]).includes(mediaId)))
      found.push({ id, name: own[0]!.title });
  }
  return found;
}

/** Feeds with a message that shows a file. */
const feedsWith = (db: Database, organizationId: number, mediaId: number) =>
  db
    .selectFrom('feed_items')
    .innerJoin('feeds', 'feeds.id', 'feed_items.feed_id')
    .select(['feeds.id', 'feeds.name'])
    .distinct()
    .where('feeds.organization_id', '=', organizationId)
    .where('feed_items.media_id', '=', mediaId)
    .orderBy('feeds.name')
    .execute();

/** Everything that uses a file. `usedIds` in the list of files finds the same uses. */
export async function findUses(db: Database, organizationId: number, mediaId: number): Promise<MediaUse[]> {
  const elements = await elementsWith(db, organizationId, mediaId);
  const marked = await markedRooms(db, organizationId, mediaId);
  const organization = await organizationWith(db, organizationId, mediaId);
  const rooms = new Map<number, MediaUse>();
  for (const { id, name, room_id, title } of elements) {
    const room: MediaUse = rooms.get(room_id) ?? { kind: 'room', id: room_id, name: title, elements: [] };
    room.elements.push({ id, name });
    rooms.set(room_id, room);
  }
  for (const { id, title } of marked)
    if (!rooms.has(id)) rooms.set(id, { kind: 'room', id, name: title, elements: [] });
  const of = (kind: MediaUse['kind'], found: readonly { id: number; name: string }[]): MediaUse[] =>
    found.map(({ id, name }) => ({ kind, id, name, elements: [] }));
  return [
    ...of('template', await templatesWith(db, organizationId, mediaId)),
    ...of('block', await blocksWithFile(db, organizationId, mediaId)),
    ...rooms.values(),
    ...of('published', await publishedWith(db, organizationId, mediaId)),
    ...of('feed', await feedsWith(db, organizationId, mediaId)),
    ...of('organization', organization ? [organization] : []),
  ];
}

const USE_TEXTS: Record<MediaUse['kind'], (name: string) => string> = {
  template: (name) => `Template ${name}`,
  block: (name) => `Block ${name}`,
  room: (name) => `Space ${name}`,
  published: (name) => `Space ${name} (published version)`,
  feed: (name) => `Feed ${name}`,
  organization: () => 'Organization settings',
};

/** Uses of a file as texts. */
export const usesOf = async (db: Database, organizationId: number, mediaId: number): Promise<string[]> =>
  (await findUses(db, organizationId, mediaId)).map(({ kind, name }) => USE_TEXTS[kind](name));

/** Limit on elements listed in a change log entry. */
const MAX_NAMED_USES = 100;

/** Puts another file, or none, in place of a file of a room. @returns sequence number in the room's log */
async function moveInRoom(
  db: Database,
  author: Committer,
  roomId: number,
  { mediaId, to }: { mediaId: number; to: number | null },
): Promise<number> {
  const row = (await lockRoom(db, author.organizationId, roomId))!;
  const room = await author.documents.ofLocked(db, row);
  const isMarker = room.config.realtime_file_id === mediaId;
  const config = isMarker ? { ...room.config, realtime_file_id: to } : room.config;
  const elements = room.elements.map((element) =>
    element.file_id === mediaId ? { ...element, file_id: to } : element,
  );
  const after = { ...room, config, elements };
  return (await commitDocument(db, author, row, { origin: 'api' }, after)).seq;
}

/**
 * Puts another file in place of a file in all its uses, within the caller's transaction; published versions stay. Each
 * changed template, room and organization gets a change log entry.
 * @param to ID of the other file; null removes the file from its uses
 */
export async function moveUses(
  db: Database,
  author: Committer,
  { id: mediaId, name: file }: { id: number; name: string },
  to: number | null,
): Promise<void> {
  const { organizationId } = author;
  await lockOrganization(db, organizationId);
  const fact = to === null ? { file_removed: file } : { file_replaced: file };
  // A message without text is removed with its image.
  if (to === null)
    await db.deleteFrom('feed_items').where('media_id', '=', mediaId).where('message', '=', '').execute();
  else await db.updateTable('feed_items').set({ media_id: to }).where('media_id', '=', mediaId).execute();
  // The change may be visible in any room of the organization.
  await touchRooms(db, organizationId);
  for (const row of await templatesWith(db, organizationId, mediaId)) {
    const used = TEMPLATE_COLUMNS.filter((column) => row[column] === mediaId);
    const columns = Object.fromEntries(used.map((column) => [column, to]));
    await db.updateTable('templates').set(columns).where('id', '=', row.id).execute();
    const about = { entity_id: row.id, name: row.name, before: row, after: { ...row, ...columns } };
    await recordChange(db, author, { action: 'update', entity: 'template', ...about });
  }
  for (const { id, name } of await blocksWithFile(db, organizationId, mediaId))
    await recordChange(db, author, {
      ...{ action: 'update', entity: 'block', entity_id: id, name },
      facts: fact,
    });
  await moveFileInBlocks(db, organizationId, mediaId, to);
  const elements = await elementsWith(db, organizationId, mediaId);
  const marked = await markedRooms(db, organizationId, mediaId);
  const rooms = new Set([...elements.map(({ room_id }) => room_id), ...marked.map(({ id }) => id)]);
  const places = new Map<number, number>();
  for (const roomId of [...rooms].sort((a, b) => a - b))
    places.set(roomId, await moveInRoom(db, author, roomId, { mediaId, to }));
  for (const row of marked) {
    const config = JSON.stringify({ ...JSON.parse(row.config), realtime_file_id: to });
    const about = { entity_id: row.id, room_id: row.id, name: row.title, before: row, after: { ...row, config } };
    await recordChange(db, author, { action: 'update', entity: 'room', ...about, seq: places.get(row.id) });
  }
  for (const [roomId, users] of Map.groupBy(elements, ({ room_id }) => room_id)) {
    const facts = { ...fact, element_ids: users.slice(0, MAX_NAMED_USES).map(({ id }) => id) };
    const about = { entity_id: roomId, room_id: roomId, name: users[0]!.title, facts };
    await recordChange(db, author, { action: 'update', entity: 'room', ...about, seq: places.get(roomId) });
  }
  const organization = await organizationWith(db, organizationId, mediaId);
  if (!organization) return;
  const used = (['font_file_id', 'logo_file_id'] as const).filter((column) => organization[column] === mediaId);
  const columns = Object.fromEntries(used.map((column) => [column, to]));
  await db.updateTable('organizations').set(columns).where('id', '=', organizationId).execute();
  const row = Object.fromEntries(used.map((column) => [column, mediaId]));
  const change = { before: row, after: columns, row };
  const about = { entity_id: organization.id, name: organization.name, ...change };
  await recordChange(db, author, { action: 'update', entity: 'organization', ...about });
}
