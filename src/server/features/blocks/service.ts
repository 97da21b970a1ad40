import type { z } from 'zod';
import {
  type BlockElements,
  blockOf,
  hasSameContent,
  numbersFor,
  sameContentAs,
} from '../../../../engine/document/blocks.ts';
import { checkAdded } from '../../../../engine/document/check-command.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { withKeys } from '../../../../engine/document/sibling-keys.ts';
import { flatten, nest } from '../../../../engine/document/tree.ts';
import type { calls } from '../../../contract/calls.ts';
import { type Block, type BlockContent, type BlockPlace, MAX_BLOCKS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { Paging } from '../../core/db/paging.ts';
import { cleanAhead } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { findFiles } from '../media/queries.ts';
import { checkFiles } from '../media/service.ts';
import { fileUseOf, readElement } from '../rooms/checks.ts';
import { fillLiveStreams } from '../rooms/read-room.ts';
import { cleanElement, withFile, withoutFile } from '../rooms/rows.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import {
  type BlockRow,
  blockRows,
  countBlocks,
  countPlaces,
  findBranches,
  findVersions,
  insertVersion,
  listPlaces,
  roomsWithBlock,
  versionRecords,
} from './queries.ts';

/** Maximum characters of a block's content. */
const MAX_CHARACTERS = 1024 * 1024;

/** Blocks in the format of the API. */
export async function readBlocks(context: CallContext, rows: readonly BlockRow[]): Promise<Block[]> {
  const { db, organizationId } = context;
  const ids = rows.map(({ id }) => id);
  const counts = await countPlaces(db, ids);
  const editors = await lastEditors(db, organizationId, 'block', ids);
  return rows.map(({ id, name, version, element_count, updated_at }) => ({
    ...{ id, name, version, element_count, updated_at },
    ...(counts.get(id) ?? { places: 0, outdated: 0 }),
    edited_by: editors.get(id) ?? null,
    policies: entryPoliciesOf(context, 'rooms'),
  }));
}

/** @throws ApiError not_found, also for a version that is no longer stored */
export async function readBlock(context: CallContext, id: number, version?: number): Promise<BlockContent> {
  const { db, organizationId } = context;
  const row = orNotFound(await blockRows.find(db, organizationId, id));
  const wanted = version ?? row.version;
  const elements = orNotFound((await findVersions(db, id, [wanted])).get(wanted));
  const files = await findFiles(
    db,
    organizationId,
    elements.map(({ file_id }) => file_id),
  );
  const filled = await fillLiveStreams(
    db,
    organizationId,
    elements.map((element) => withFile(element, files)),
  );
  const [block] = await readBlocks(context, [row]);
  return { ...block!, element: nest(filled)[0]!, room_ids: await roomsWithBlock(db, organizationId, id) };
}

/**
 * A validated group, in tree order, with sanitized HTML.
 * @throws ApiError or ZodError naming what is invalid
 */
async function readGroup({ workers }: CallContext, sent: unknown): Promise<Element[]> {
  const branch = asInvalid(() => withKeys(flatten([checkAdded(sent)], null)));
  const html = await cleanAhead(workers, (html) => {
    for (const element of branch) cleanElement(element, html);
  });
  return branch.map((element) => withoutFile(readElement(element, html)));
}

function asInvalid<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('invalid', { element: [error.message] });
    throw error;
  }
}

/** @throws ApiError invalid if it is too large, or lacks a file */
async function checkContent(db: Database, organizationId: number, elements: BlockElements): Promise<void> {
  if (JSON.stringify(elements).length > MAX_CHARACTERS)
    throw new ApiError('invalid', { element: ['The block is too large. Make several blocks of it.'] });
  const uses = elements.map((element) => fileUseOf(element, `element ${element.id}, file_id`));
  await checkFiles(
    db,
    organizationId,
    uses.filter(({ id }) => id !== null),
  );
}

/**
 * Adds a block.
 * @returns its id
 * @throws ApiError or ZodError naming what is invalid
 */
export async function createBlock(
  context: CallContext,
  { name, element }: z.output<typeof calls.blocks.create.body>,
): Promise<number> {
  const { organizationId } = context;
  const branch = await readGroup(context, element);
  const { elements } = asInvalid(() => blockOf(branch));
  return context.db.transaction().execute(async (db) => {
    await checkContent(db, organizationId, elements);
    await lockOrganization(db, organizationId);
    if ((await countBlocks(db, organizationId)) >= MAX_BLOCKS)
      throw new ApiError('invalid', `An organization can have at most ${MAX_BLOCKS} blocks. Remove unused ones.`);
    const row = await blockRows.create(db, context, { name, version: 1, element_count: elements.length });
    await insertVersion(db, row, elements);
    return row.id;
  });
}

/** New content of a block, in which elements of its earlier versions keep their numbers. */
async function numbered(db: Database, { id, version }: BlockRow, branch: readonly Element[]): Promise<BlockElements> {
  const [group] = branch;
  const own = group?.element === 'group' && group.config.block_id === id ? group.config.block_version : null;
  const versions = await findVersions(db, id, [own ?? version, version]);
  const known = numbersFor(branch, id, versions.get(own ?? version) ?? []);
  // The numbers of the newest version are taken: they may belong to other elements.
  const last = Math.max(1, ...(versions.get(version) ?? []).map((element) => element.id));
  const { elements } = asInvalid(() => blockOf(branch, known, last));
  return elements;
}

/** Whether spaces that the caller may not see use a block. */
export async function isUsedElsewhere(db: Database, id: number): Promise<boolean> {
  const placesIn = async (seen: Database) => (await countPlaces(seen, [id])).get(id)?.places ?? 0;
  return (await placesIn(everywhere(db))) > (await placesIn(db));
}

/** @throws ApiError forbidden if spaces that the caller may not see use the block */
async function refuseUsedElsewhere(db: Database, id: number): Promise<void> {
  if (await isUsedElsewhere(db, id))
    throw new ApiError('forbidden', "Spaces that you can't open use this block. Ask an administrator to change it.");
}

/**
 * Renames a block or replaces its content.
 * @throws ApiError not_found, stale, forbidden, or invalid; ZodError naming what is invalid
 */
export async function updateBlock(
  context: CallContext,
  id: number,
  { updated_at: seen, element, name }: z.output<typeof calls.blocks.update.body>,
): Promise<void> {
  const { organizationId } = context;
  const branch = element && (await readGroup(context, element));
  await context.db.transaction().execute(async (db) => {
    await blockRows.update(db, context, id, {
      seen,
      values: async (row) => {
        await refuseUsedElsewhere(db, id);
        const named = { ...(name !== undefined && { name }) };
        if (!branch) return named;
        const elements = await numbered(db, row, branch);
        const current = (await findVersions(db, id, [row.version])).get(row.version)!;
        if (hasSameContent(elements, current)) return named;
        await checkContent(db, organizationId, elements);
        const version = row.version + 1;
        await insertVersion(db, { ...row, version }, elements);
        return { ...named, version, element_count: elements.length };
      },
    });
  });
}

/** Removes a block; its places stay as they are. @throws ApiError not_found or forbidden */
export async function removeBlock(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    await refuseUsedElsewhere(db, id);
    await blockRows.remove(db, context, id, (row) => versionRecords(db, row));
  });
}

/** A page of a block's places. @throws ApiError not_found */
export async function readPlaces(
  { db, organizationId }: CallContext,
  id: number,
  query: Paging,
): Promise<{ places: BlockPlace[]; total: number }> {
  orNotFound(await blockRows.find(db, organizationId, id));
  const { rows, total } = await listPlaces(db, organizationId, id, query);
  const versions = await findVersions(db, id, new Set(rows.map(({ block_version }) => Number(block_version))));
  const branches = await findBranches(
    db,
    rows.map((row) => row.id),
  );
  const checks = new Map([...versions].map(([version, content]) => [version, sameContentAs(content)]));
  const work = new WorkInPieces();
  const places: BlockPlace[] = [];
  for (const { id: element_id, name, room_id, room, title, block_version } of rows) {
    await work.pause();
    const version = Number(block_version);
    const is_changed = !checks.get(version)?.(branches.get(element_id)!);
    places.push({ element_id, name, room_id, room: room || title, version, is_changed });
  }
  return { places, total };
}
