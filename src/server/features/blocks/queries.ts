import { type Selectable, sql } from 'kysely';
import type { BlockElements } from '../../../../engine/document/blocks.ts';
import type { Element } from '../../../../engine/document/element.ts';
import type { BLOCK_ORDERS } from '../../../contract/calls/blocks.ts';
import { MAX_BLOCK_VERSIONS } from '../../../contract/entities.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { elementFromRow, type StoredElement } from '../rooms/rows.ts';
import { inTreeOrder } from '../rooms/tree.ts';
import type { BlockTable } from './table.ts';

export type BlockRow = Selectable<BlockTable>;

/** The change log names the version in a field of its own: `version` is that of a document. */
export const blockRows = recordedRows('blocks', {
  entity: 'block',
  logged: ({ name, version, element_count }) => ({ name, content_version: version, element_count }),
  isRestorable: true,
});

/** Blocks of an organization, by name by default, and the total over all pages. */
export const listBlocks = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof BLOCK_ORDERS)[number] },
): Promise<{ rows: BlockRow[]; total: number }> =>
  listInOrder(db, 'blocks', organizationId, query, { orders: { edited: sql.ref('updated_at') } });

export async function countBlocks(db: Database, organizationId: number): Promise<number> {
  const query = db.selectFrom('blocks').where('organization_id', '=', organizationId);
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores the content of a version, and deletes versions beyond the limit. */
export async function insertVersion(
  db: Database,
  { id, organization_id, version }: Pick<BlockRow, 'id' | 'organization_id' | 'version'>,
  elements: BlockElements,
): Promise<void> {
  await db
    .insertInto('block_versions')
    .values({ organization_id, block_id: id, version, ...contentColumns(elements) })
    .execute();
  await db
    .deleteFrom('block_versions')
    .where('block_id', '=', id)
    .where('version', '<=', version - MAX_BLOCK_VERSIONS)
    .execute();
}

/** Stored columns of a block's content. */
export function contentColumns(elements: BlockElements) {
  const files = new Set(elements.flatMap(({ file_id }) => file_id ?? []));
  return { content: JSON.stringify(elements), file_ids: JSON.stringify([...files]) };
}

/** The contents of versions of a block; those no longer stored are missing. */
export async function findVersions(
  db: Database,
  blockId: number,
  versions: Iterable<number>,
): Promise<Map<number, BlockElements>> {
  const rows = await db
    .selectFrom('block_versions')
    .select(['version', 'content'])
    .where('block_id', '=', blockId)
    .where('version', 'in', [...versions, 0])
    .execute();
  return new Map(rows.map(({ version, content }) => [version, JSON.parse(content) as Element[]]));
}

/** Records of the versions of a block, which are deleted with it. */
export async function* versionRecords(db: Database, { id, name }: BlockRow): AsyncGenerator<NewRecord> {
  const rows = db.selectFrom('block_versions').where('block_id', '=', id);
  for (const { id: versionId } of await rows.select('id').orderBy('id').execute()) {
    const row = await rows.selectAll().where('id', '=', versionId).executeTakeFirstOrThrow();
    yield removedRows('block_versions', { id: versionId, name }, [row]);
  }
}

/** Blocks whose newest version uses a file. */
export async function blocksWithFile(db: Database, organizationId: number, mediaId: number): Promise<BlockRow[]> {
  const rows = await versionsWithFile(db, organizationId, mediaId);
  const found: BlockRow[] = [];
  for (const { block_id, version } of rows) {
    const block = await blockRows.find(db, organizationId, block_id);
    if (block?.version === version) found.push(block);
  }
  return found;
}

async function versionsWithFile(db: Database, organizationId: number, mediaId: number) {
  const query = db.selectFrom('block_versions').where('organization_id', '=', organizationId);
  const rows = await query.select(['id', 'block_id', 'version', 'file_ids']).orderBy('id').execute();
  return rows.filter(({ file_ids }) => (JSON.parse(file_ids) as number[]).includes(mediaId));
}

/** Ids of the blocks of which any stored version uses a file. */
export async function blocksStoring(db: Database, organizationId: number, mediaId: number): Promise<Set<number>> {
  return new Set((await versionsWithFile(db, organizationId, mediaId)).map(({ block_id }) => block_id));
}

/** Puts another file, or none, in place of a file in the stored versions of all blocks. */
export async function moveFileInBlocks(
  db: Database,
  organizationId: number,
  mediaId: number,
  to: number | null,
): Promise<void> {
  for (const { id, block_id, version } of await versionsWithFile(db, organizationId, mediaId)) {
    const elements = (await findVersions(db, block_id, [version])).get(version)!;
    const moved = elements.map((element) => (element.file_id === mediaId ? { ...element, file_id: to } : element));
    await db.updateTable('block_versions').set(contentColumns(moved)).where('id', '=', id).execute();
  }
}

/** Numbers of places by block id. */
export async function countPlaces(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, { places: number; outdated: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('elements')
    .innerJoin('blocks', (join) =>
      join
        .onRef('blocks.id', '=', 'elements.block_id')
        .onRef('blocks.organization_id', '=', 'elements.organization_id'),
    )
    .select('blocks.id')
    .select(({ fn }) => fn.countAll<number>().as('places'))
    .select(sql<number>`sum(case when elements.block_version < blocks.version then 1 else 0 end)`.as('outdated'))
    .where('elements.block_id', 'in', ids)
    .groupBy('blocks.id')
    .execute();
  return new Map(rows.map(({ id, places, outdated }) => [id, { places: Number(places), outdated: Number(outdated) }]));
}

const placesIn = (db: Database, organizationId: number, blockId: number) =>
  db.selectFrom('elements').where('elements.organization_id', '=', organizationId).where('block_id', '=', blockId);

/** Ids of the rooms with places of a block. */
export async function roomsWithBlock(db: Database, organizationId: number, blockId: number): Promise<number[]> {
  const rows = await placesIn(db, organizationId, blockId).select('room_id').distinct().orderBy('room_id').execute();
  return rows.map(({ room_id }) => room_id);
}

/** A page of the places of a block, by room. */
export async function listPlaces(db: Database, organizationId: number, blockId: number, query: Paging) {
  const found = placesIn(db, organizationId, blockId);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .innerJoin('rooms', 'rooms.id', 'elements.room_id')
    .select(['elements.id', 'elements.name', 'elements.room_id', 'elements.block_version'])
    .select(['rooms.name as room', 'rooms.title'])
    .orderBy('elements.room_id')
    .orderBy('elements.id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

/** Elements with their descendants, in tree order, by id. */
export async function findBranches(db: Database, ids: readonly number[]): Promise<Map<number, Element[]>> {
  const branches = new Map<number, Element[]>();
  for (const id of ids) {
    const rows = await db
      .withRecursive('branch', (query) =>
        query
          .selectFrom('elements')
          .selectAll()
          .where('id', '=', id)
          .unionAll(
            query
              .selectFrom('elements')
              .innerJoin('branch', 'branch.id', 'elements.parent_element_id')
              .selectAll('elements'),
          ),
      )
      .selectFrom('branch')
      .selectAll()
      .orderBy('index')
      .orderBy('id')
      .execute();
    const elements = inTreeOrder(rows as StoredElement[]).map((row) => elementFromRow(row, new Map()));
    branches.set(id, elements);
  }
  return branches;
}
