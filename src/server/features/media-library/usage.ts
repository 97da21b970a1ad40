import { type RawBuilder, sql } from 'kysely';
import { recordChange } from '../../core/changes/record-change.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { type Committer, commitDocument } from '../rooms/commit.ts';
import { lockRoom, touchRooms } from '../rooms/queries.ts';
import { TEMPLATE_FILES } from '../templates/queries.ts';

const TEMPLATE_COLUMNS = Object.values(TEMPLATE_FILES);

/** The visitor marker file in a room's settings. */
const markerOf = (db: Database): RawBuilder<number | null> =>
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
    .select(['elements.id', 'elements.room_id', 'rooms.title'])
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

/** Titles of the spaces whose published or scheduled state uses a file. */
async function publishedWith(db: Database, organizationId: number, mediaId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('publications')
    .innerJoin('rooms', 'rooms.id', 'publications.room_id')
    .select(['publications.room_id', 'publications.is_scheduled', 'publications.file_ids', 'rooms.title'])
    .where('publications.organization_id', '=', organizationId)
    .orderBy('publications.room_id')
    .orderBy('publications.is_scheduled')
    .orderBy('publications.id', 'desc')
    .execute();
  const found = new Set<string>();
  for (const [, own] of Map.groupBy(rows, ({ room_id }) => room_id)) {
    const last = own.find(({ is_scheduled }) => is_scheduled === 0);
    const counting = own.filter((row) => row === last || row.is_scheduled === 1);
    if (counting.some(({ file_ids }) => (JSON.parse(file_ids) as number[]).includes(mediaId))) found.add(own[0]!.title);
  }
  return [...found];
}

/** Uses of a file as texts. */
export async function usesOf(db: Database, organizationId: number, mediaId: number): Promise<string[]> {
  const templates = await templatesWith(db, organizationId, mediaId);
  const elements = await elementsWith(db, organizationId, mediaId);
  const marked = await markedRooms(db, organizationId, mediaId);
  const organization = await organizationWith(db, organizationId, mediaId);
  const rooms = new Map([
    ...elements.map(({ room_id, title }): [number, string] => [room_id, title]),
    ...marked.map(({ id, title }): [number, string] => [id, title]),
  ]);
  const published = await publishedWith(db, organizationId, mediaId);
  const feeds = await db
    .selectFrom('feed_items')
    .innerJoin('feeds', 'feeds.id', 'feed_items.feed_id')
    .select('feeds.name')
    .distinct()
    .where('feeds.organization_id', '=', organizationId)
    .where('feed_items.media_id', '=', mediaId)
    .orderBy('feeds.name')
    .execute();
  return [
    ...templates.map(({ name }) => `Template ${name}`),
    ...[...rooms.values()].map((title) => `Space ${title}`),
    ...published.map((title) => `Space ${title} (published version)`),
    ...feeds.map(({ name }) => `Feed ${name}`),
    ...(organization ? ['Organization settings'] : []),
  ];
}

/** Limit on elements listed in a change log entry. */
const MAX_NAMED_USES = 100;

/** Removes a file from a room. @returns sequence number in the room's log */
async function takeFromRoom(db: Database, author: Committer, roomId: number, mediaId: number): Promise<number> {
  const row = (await lockRoom(db, author.organizationId, roomId))!;
  const room = await author.documents.ofLocked(db, row);
  const isMarker = room.config.realtime_file_id === mediaId;
  const config = isMarker ? { ...room.config, realtime_file_id: null } : room.config;
  const elements = room.elements.map((element) =>
    element.file_id === mediaId ? { ...element, file_id: null } : element,
  );
  const after = { ...room, config, elements };
  return (await commitDocument(db, author, row, { origin: 'api' }, after)).seq;
}

/**
 * Removes a file from all its uses, within the caller's transaction. Each changed template, room and organization
 * gets a change log entry.
 */
export async function detachMedia(
  db: Database,
  author: Committer,
  { id: mediaId, name: file }: { id: number; name: string },
): Promise<void> {
  const { organizationId } = author;
  await lockOrganization(db, organizationId);
  // A message without text is removed with its image.
  await db.deleteFrom('feed_items').where('media_id', '=', mediaId).where('message', '=', '').execute();
  // The change may be visible in any room of the organization.
  await touchRooms(db, organizationId);
  for (const row of await templatesWith(db, organizationId, mediaId)) {
    const used = TEMPLATE_COLUMNS.filter((column) => row[column] === mediaId);
    const columns = Object.fromEntries(used.map((column) => [column, null]));
    await db.updateTable('templates').set(columns).where('id', '=', row.id).execute();
    const about = { entity_id: row.id, name: row.name, before: row, after: { ...row, ...columns } };
    await recordChange(db, author, { action: 'update', entity: 'template', ...about });
  }
  const elements = await elementsWith(db, organizationId, mediaId);
  const marked = await markedRooms(db, organizationId, mediaId);
  const rooms = new Set([...elements.map(({ room_id }) => room_id), ...marked.map(({ id }) => id)]);
  const places = new Map<number, number>();
  for (const roomId of [...rooms].sort((a, b) => a - b))
    places.set(roomId, await takeFromRoom(db, author, roomId, mediaId));
  for (const row of marked) {
    const config = JSON.stringify({ ...JSON.parse(row.config), realtime_file_id: null });
    const about = { entity_id: row.id, room_id: row.id, name: row.title, before: row, after: { ...row, config } };
    await recordChange(db, author, { action: 'update', entity: 'room', ...about, seq: places.get(row.id) });
  }
  for (const [roomId, users] of Map.groupBy(elements, ({ room_id }) => room_id)) {
    const facts = { file_removed: file, element_ids: users.slice(0, MAX_NAMED_USES).map(({ id }) => id) };
    const about = { entity_id: roomId, room_id: roomId, name: users[0]!.title, facts };
    await recordChange(db, author, { action: 'update', entity: 'room', ...about, seq: places.get(roomId) });
  }
  const organization = await organizationWith(db, organizationId, mediaId);
  if (!organization) return;
  const used = (['font_file_id', 'logo_file_id'] as const).filter((column) => organization[column] === mediaId);
  const columns = Object.fromEntries(used.map((column) => [column, null]));
  await db.updateTable('organizations').set(columns).where('id', '=', organizationId).execute();
  const row = Object.fromEntries(used.map((column) => [column, mediaId]));
  const change = { before: row, after: columns, row };
  const about = { entity_id: organization.id, name: organization.name, ...change };
  await recordChange(db, author, { action: 'update', entity: 'organization', ...about });
}
