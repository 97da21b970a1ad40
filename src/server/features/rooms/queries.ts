import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { ROOM_ORDERS } from '../../../contract/calls/rooms.ts';
import { ApiError } from '../../../contract/errors.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import { hasName, orderByName } from '../../core/db/order-by-name.ts';
import { orderOf } from '../../core/db/order-of.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { prepared } from '../../core/db/prepared.ts';
import { containsWords } from '../../core/db/search.ts';
import { folderBranch } from '../folders/service.ts';
import { smallPosters } from '../posters/queries.ts';
import type { PosterOwner } from '../posters/service.ts';
import type { RoomTable } from './table.ts';

export type StoredRoom = Selectable<RoomTable>;
/** A space in a list. */
export type ListedRoom = Pick<StoredRoom, 'id' | 'name' | 'title' | 'template_id' | 'folder_id' | 'updated_at'>;

/** Spaces of their own, without the content of proposals. */
const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('rooms').where('organization_id', '=', organizationId).where('branch_of', 'is', null);
type Found = ReturnType<typeof rowsIn>;

const countQuery = (found: Found) => found.select(({ fn }) => fn.countAll<number>().as('total'));
const pageQuery = (db: Database, found: Found, limit: number, offset: number) =>
  found
    .select(['id', 'name', 'title', 'template_id', 'folder_id', 'updated_at'])
    .orderBy(orderByName(db, 'name'))
    .orderBy('id')
    .limit(limit)
    .offset(offset);

const countAll = prepared((db, organizationId: number) => countQuery(rowsIn(db, organizationId)));
const pageOfAll = prepared((db, organizationId: number, limit: number, offset: number) =>
  pageQuery(db, rowsIn(db, organizationId), limit, offset),
);

/** Filter and order of a list of spaces. */
interface RoomFilter {
  search?: string;
  sort?: (typeof ROOM_ORDERS)[number];
  /** 1 for only those that structures show, 0 for only the others. */
  used?: '0' | '1';
  template_id?: number;
  /** With subfolders; 0 for spaces in no folder. */
  folder_id?: number;
}

/** An organization's spaces by name or in the given order, and the total count. */
export async function listRooms(
  db: Database,
  organizationId: number,
  query: Paging & RoomFilter,
): Promise<{ rows: ListedRoom[]; total: number }> {
  const { search, per_page, sort = 'name', used, template_id, folder_id } = query;
  const filters = [search || undefined, used, template_id, folder_id];
  if (sort === 'name' && filters.every((value) => value === undefined)) {
    const [counted] = await countAll(db, organizationId);
    return { rows: await pageOfAll(db, organizationId, per_page, offsetOf(query)), total: Number(counted!.total) };
  }
  let found = rowsIn(db, organizationId);
  if (search) found = found.where((where) => where.or([containsWords('name', search), containsWords('title', search)]));
  if (template_id !== undefined) found = found.where('template_id', '=', template_id);
  if (folder_id === 0) found = found.where('folder_id', 'is', null);
  else if (folder_id !== undefined)
    found = found.where('folder_id', 'in', [folder_id, ...(await folderBranch(db, organizationId, folder_id))]);
  if (used !== undefined)
    found = found.where(({ exists, not, selectFrom }) => {
      const shown = exists(
        selectFrom('endpoints').select('endpoints.id').whereRef('endpoints.room_id', '=', 'rooms.id'),
      );
      return used === '1' ? shown : not(shown);
    });
  const { total } = await countQuery(found).executeTakeFirstOrThrow();
  const { by, direction } = orderOf(sort);
  const rows = await found
    .orderBy(by === 'name' ? orderByName(db, 'name') : lastEdit, direction)
    .select(['id', 'name', 'title', 'template_id', 'folder_id', 'updated_at'])
    .orderBy('id', direction)
    .limit(per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

/** Time of the last change of a space or its elements, as far as its log reaches. */
const lastEdit = sql<string>`coalesce(
  (select max(at) from room_commands where room_commands.room_id = rooms.id and room_commands.seq = rooms.seq
    and room_commands.at > rooms.updated_at),
  rooms.updated_at)`;

const roomQuery = (db: Database, organizationId: number, id: number) =>
  db.selectFrom('rooms').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
const roomById = prepared(roomQuery);

export async function findRoom(db: Database, organizationId: number, id: number): Promise<StoredRoom | undefined> {
  const [row] = await roomById(db, organizationId, id);
  return row;
}

/** A space, locked until the transaction ends. */
export async function holdRoom(db: Database, organizationId: number, id: number): Promise<StoredRoom | undefined> {
  return forUpdate(db, roomQuery(db, organizationId, id)).executeTakeFirst();
}

const lockingUpdate = prepared((db, organizationId: number, id: number) =>
  db
    .updateTable('rooms')
    .set({ revision: sql<number>`revision + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll(),
);

/**
 * Begins a change of a space or its elements: locks it until the transaction ends, and invalidates its caches. Every
 * change begins with this.
 */
export async function lockRoom(db: Database, organizationId: number, id: number): Promise<StoredRoom | undefined> {
  const [row] = await lockingUpdate(db, organizationId, id);
  return row;
}

/** Invalidates the caches of all spaces of an organization, for changes that may affect any of them. */
export async function touchRooms(db: Database, organizationId: number): Promise<void> {
  await everywhere(db)
    .updateTable('rooms')
    .set({ revision: sql<number>`revision + 1`, touches: sql<number>`touches + 1` })
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Whether a structure shows visitors a space as it is edited. */
export async function isShownAsEdited(db: Database, roomId: number): Promise<boolean> {
  const row = await everywhere(db)
    .selectFrom('endpoints')
    .select('id')
    .where('room_id', '=', roomId)
    .where('shows', '=', 'edited')
    .where('is_visible', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const versionQuery = prepared((db, organizationId: number, id: number) =>
  db
    .selectFrom('rooms')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .select(['rooms.revision', 'rooms.updated_at', 'rooms.branch_of', 'templates.updated_at as template_updated_at'])
    .where('rooms.organization_id', '=', organizationId)
    .where('rooms.id', '=', id),
);

/** Version of a stored space. */
export interface RoomVersion {
  /** Changes with the space, its elements, its template and its files. */
  version: string;
  /** Content version of the space and its elements. */
  revision: number;
  /** Timestamp of the space itself. */
  updatedAt: string;
  /** Space that a proposal changes, whose content this one is; null for a space of its own. */
  branchOf: number | null;
}

export async function findRoomVersion(
  db: Database,
  organizationId: number,
  id: number,
): Promise<RoomVersion | undefined> {
  const [row] = await versionQuery(db, organizationId, id);
  if (!row) return undefined;
  const { revision, updated_at: updatedAt, branch_of: branchOf, template_updated_at } = row;
  return { version: `${revision} ${template_updated_at}`, revision, updatedAt, branchOf };
}

export async function insertRoom(db: Database, values: Insertable<RoomTable>): Promise<number> {
  const { id } = await db.insertInto('rooms').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateRoom(db: Database, id: number, values: Updateable<RoomTable>): Promise<void> {
  await db.updateTable('rooms').set(values).where('id', '=', id).execute();
}

/** Stores the folder of a space and of the content proposed for it. */
export async function storeFolder(db: Database, id: number, folder_id: number | null): Promise<void> {
  await db
    .updateTable('rooms')
    .set({ folder_id })
    .where((where) => where.or([where('id', '=', id), where('branch_of', '=', id)]))
    .execute();
}

const advance = prepared((db, id: number, seq: number, at: string) =>
  db.updateTable('rooms').set({ seq, updated_at: at }).where('id', '=', id),
);

/** Stores that a space's log has another entry. @param at timestamp of the entry */
export async function advanceRoom(db: Database, id: number, seq: number, at: string): Promise<void> {
  await advance(db, id, seq, at);
}

/**
 * Keeps the content of a proposal from being used as a space.
 * @throws ApiError invalid
 */
export function refuseBranch({ branch_of }: Pick<StoredRoom, 'branch_of'>): void {
  if (branch_of !== null)
    throw new ApiError('invalid', 'This is the content of a proposal. Merge or discard the proposal instead.');
}

export async function deleteRoom(db: Database, id: number): Promise<void> {
  await db.deleteFrom('rooms').where('id', '=', id).execute();
}

/** Those of some spaces that the caller sees. */
export async function seenRooms(db: Database, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('rooms')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .execute();
  return rows.map(({ id }) => Number(id));
}

/** Names of an organization's spaces, in order of creation. */
export async function listRoomNames(db: Database, organizationId: number): Promise<Pick<StoredRoom, 'id' | 'name'>[]> {
  return rowsIn(db, organizationId).select(['id', 'name']).orderBy('id').execute();
}

/** @param folder folder of the spaces; null for none, undefined for any */
const twoNamed = (db: Database, organizationId: number, name: string, folder: number | null | undefined) =>
  rowsIn(db, organizationId)
    .selectAll()
    .where(hasName(db, 'name', name))
    .$if(folder !== undefined, (query) => query.where('folder_id', folder === null ? 'is' : '=', folder!))
    .orderBy('id')
    .limit(2);

/** The first two spaces with a name: enough to detect duplicates. */
export async function findRoomsNamed(
  db: Database,
  organizationId: number,
  name: string,
  folder?: number | null,
): Promise<StoredRoom[]> {
  return twoNamed(db, organizationId, name, folder).execute();
}

/** Like `findRoomsNamed`, with the rows locked until the transaction ends. */
export async function lockRoomsNamed(
  db: Database,
  organizationId: number,
  name: string,
  folder?: number | null,
): Promise<StoredRoom[]> {
  return forUpdate(db, twoNamed(db, organizationId, name, folder)).execute();
}

/** Facts about a space in lists, besides its row. */
export interface RoomListFacts {
  /** Structures that show it. */
  usedIn: { id: number; name: string }[];
  /** Time and author of the last change of the space or its elements, as far as its log reaches. */
  edited: { at: string; by: string | null } | undefined;
  /** Author of the last change, also of changes outside the log, such as the creation or an import. */
  editor: string | null;
  /** URL of its small poster. */
  poster: string | undefined;
}

/** Facts about spaces in lists, by id. */
export async function roomListFacts(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RoomListFacts>> {
  if (ids.length === 0) return new Map();
  const [shown, edits, editors, posters] = await Promise.all([
    db.selectFrom('endpoints').select(['id', 'name', 'room_id', 'index']).where('room_id', 'in', ids).execute(),
    db
      .selectFrom('rooms')
      .innerJoin('room_commands', (join) =>
        join.onRef('room_commands.room_id', '=', 'rooms.id').onRef('room_commands.seq', '=', 'rooms.seq'),
      )
      .leftJoin('users', 'users.id', 'room_commands.user_id')
      .select(['rooms.id', 'room_commands.at'])
      .select(({ fn }) => fn.coalesce('users.name', 'room_commands.author_name').as('by'))
      .where('rooms.id', 'in', ids)
      .execute(),
    lastEditors(db, organizationId, 'room', ids),
    smallPosters(db, 'room_id', ids),
  ]);
  // Sorted here: there are only a few per space, and no index matches the order.
  shown.sort(
    (one, other) =>
      Number(one.index > other.index) - Number(one.index < other.index) || Number(one.id) - Number(other.id),
  );
  const uses = Map.groupBy(shown, ({ room_id }) => Number(room_id));
  const last = new Map(edits.map(({ id, at, by }) => [Number(id), { at, by }]));
  return new Map(
    ids.map((id) => [
      id,
      {
        usedIn: (uses.get(id) ?? []).map(({ id, name }) => ({ id: Number(id), name })),
        edited: last.get(id),
        editor: last.get(id)?.by ?? editors.get(id) ?? null,
        poster: posters.get(id),
      },
    ]),
  );
}

/** Spaces get drawn posters unless an image is chosen. */
export const ROOM: PosterOwner = {
  subject: 'room_id',
  entity: 'room',
  find: findRoom,
  lock: async (db, organizationId, id) => {
    const row = await lockRoom(db, organizationId, id);
    return row && { name: row.title, room_id: id };
  },
};

/** The blocks among these that an organization has, or had: one that was removed can be restored. */
export async function findKnownBlocks(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = [
    ...(await db
      .selectFrom('blocks')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .execute()),
    ...(await db
      .selectFrom('elements')
      .select('block_id as id')
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('block_id', 'in', ids)
      .execute()),
    ...(await db
      .selectFrom('changes')
      .select('entity_id as id')
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('entity', '=', 'block')
      .where('entity_id', 'in', ids)
      .execute()),
  ];
  return new Set(rows.map(({ id }) => Number(id)));
}
