import type { z } from 'zod';
import { siblingKeys } from '../../../../engine/document/sibling-keys.ts';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { copyName } from '../../core/copy-name.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import type { CodeFile } from '../../core/files/inspect/codes/code-line.ts';
import type { TableChoice } from '../../core/files/inspect/codes/table-plan.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { countsOf, importCodes, readCodes } from '../access-tokens/import-tokens.ts';
import {
  deleteEndpoint,
  deleteOldAddress,
  type EndpointPlace,
  insertEndpoint,
  keepOldAddresses,
  lastIndex,
  placeEndpoints,
  type StoredEndpoint,
  wholeTree,
} from '../endpoints/queries.ts';
import {
  checkParentEndpoint,
  checkRoom,
  checkSlug,
  checkSlugs,
  readSlug,
  recordEndpoint,
  recordOrder,
  refuseTopLevel,
  createEndpoint as storeEndpoint,
} from '../endpoints/service.ts';
import { putPoster, readPosterRow } from '../posters/queries.ts';
import { createRoomIn, roomHtml } from '../rooms/create-room.ts';
import { requireRight } from '../users/rights.ts';
import { removedWithEndpoint } from './removed-endpoint.ts';

/** Changes the tree under a lock. @param change gets all structures, and those that the caller sees */
export async function lockTree(
  context: CallContext,
  change: (db: Database, tree: { all: StoredEndpoint[]; own: StoredEndpoint[] }) => Promise<void>,
): Promise<void> {
  const { organizationId } = context;
  await withinQuotas(context, ['tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    await change(db, await wholeTree(db, organizationId));
  });
}

/**
 * Removes a previous address of a structure.
 * @throws ApiError not_found if there is no such structure or address
 */
export async function removeAddress(context: CallContext, id: number, path: string): Promise<void> {
  await lockTree(context, async (db, { own }) => {
    const row = own.find((other) => other.id === id);
    if (!row || !(await deleteOldAddress(db, id, path))) throw new ApiError('not_found');
    const about = { entity_id: id, room_id: row.room_id, name: row.name };
    await recordChange(db, context, {
      action: 'update',
      entity: 'endpoint',
      ...about,
      facts: { old_address_removed: path },
    });
  });
}

/** Removes a structure and its descendants; they stay in the bin for a while. @throws ApiError not_found or forbidden */
export async function removeEndpoint(context: CallContext, id: number): Promise<void> {
  await lockTree(context, async (db, { own }) => {
    const row = orNotFound(own.find((other) => other.id === id));
    const isTop = !own.some((other) => other.id === row.parent_endpoint_id);
    if (isTop && limitsOf(db))
      throw new ApiError('forbidden', 'Only users with access to the whole organization can remove this structure.');
    const children = own.filter((other) => other.parent_endpoint_id === row.id);
    const below = children.map(({ name }) => name);
    const records = removedWithEndpoint(db, context.clock, row, children);
    const removed = { ...row, ...(below.length > 0 && { below }) };
    await recordEndpoint(db, context, 'delete', removed, undefined, { records, isRestorable: true });
    await deleteEndpoint(db, row.id);
  });
}

/**
 * The access tokens uploaded with a structure.
 * @param choice explicit choices of how to read a table
 * @throws ApiError forbidden without the right to add tokens
 */
export async function codesIn(
  context: CallContext,
  file: Upload | undefined,
  choice: TableChoice,
): Promise<CodeFile | undefined> {
  if (!file) return undefined;
  // Browsers send an empty file field as an empty file without a name.
  if (file.name !== '') requireRight(context, 'access_tokens', 'create');
  const codes = await readCodes(context, file, { choice });
  try {
    if (codes) requireRight(context, 'access_tokens', 'create');
  } catch (error) {
    await codes?.discard();
    throw error;
  }
  return codes;
}

/** Top-level structures in order, each with its children. */
type Sorting = z.output<typeof calls.endpoints.reorder.body>['sort'];

/** Stores an order of all structures, and their previous addresses. */
async function sortTree(limited: Database, context: CallContext, all: StoredEndpoint[], sort: Sorting): Promise<void> {
  const db = everywhere(limited);
  const rows = new Map(all.map((row) => [row.id, row]));
  const below = (parent: number | null, list: readonly { id: number }[]): EndpointPlace[] => {
    const known = list
      .map(({ id }) => rows.get(id))
      .map((row) => (row?.parent_endpoint_id === parent ? row.index : ''));
    return siblingKeys(known).map((index, at) => ({ id: list[at]!.id, parent, index }));
  };
  const places = [...below(null, sort), ...sort.flatMap(({ id, children }) => below(id, children))];
  const named = new Map(places.map((place) => [place.id, place]));
  if (places.length !== all.length || !all.every(({ id }) => named.has(id)))
    throw new ApiError('invalid', { sort: ['The order must contain every structure once.'] });
  const moved = all.map(({ id, slug }) => ({ id, slug, parent_endpoint_id: named.get(id)!.parent }));
  checkSlugs(moved, all);
  const isMoved = ({ id, parent, index }: EndpointPlace) => {
    const row = rows.get(id)!;
    return row.parent_endpoint_id !== parent || row.index !== index;
  };
  await placeEndpoints(db, places.filter(isMoved));
  const addresses = await keepOldAddresses(db, context, all, moved);
  await recordOrder(db, context, { all, places, addresses });
}

/**
 * Reorders all structures.
 * @throws ApiError invalid if one is missing, or two would have the same path
 */
export async function sortEndpoints(
  context: CallContext,
  { sort }: z.output<typeof calls.endpoints.reorder.body>,
): Promise<void> {
  await lockTree(context, (db, { all }) => {
    if (limitsOf(db))
      throw new ApiError('forbidden', 'Only users with access to the whole organization can sort all structures.');
    return sortTree(db, context, all, sort);
  });
}

/**
 * Moves a structure among its siblings, or to another parent.
 * @throws ApiError not_found, or invalid with the field
 */
export async function moveEndpoint(
  context: CallContext,
  id: number,
  { parent_endpoint_id: parent, before_id, after_id }: z.output<typeof calls.endpoints.move.body>,
): Promise<void> {
  await lockTree(context, async (db, { all, own }) => {
    const row = orNotFound(own.find((other) => other.id === id));
    refuseTopLevel(db, parent);
    checkParentEndpoint(own, parent, id);
    const below = Map.groupBy(all, (other) => other.parent_endpoint_id);
    const childrenOf = (owner: number | null): StoredEndpoint[] => {
      const siblings = (below.get(owner) ?? []).filter((other) => other.id !== id);
      if (owner !== parent) return siblings;
      const beside = before_id ?? after_id;
      const found = siblings.findIndex((other) => other.id === beside);
      if (beside !== undefined && found < 0)
        throw new ApiError('invalid', {
          [before_id === undefined ? 'after_id' : 'before_id']: [
            'This structure is not on that level. Reload the list.',
          ],
        });
      const at = beside === undefined ? siblings.length : found + (before_id === undefined ? 1 : 0);
      return siblings.toSpliced(at, 0, row);
    };
    const sort = childrenOf(null).map((top) => ({ id: top.id, children: childrenOf(top.id) }));
    await sortTree(db, context, all, sort);
  });
}

/** Adds a structure, and optionally a new space for it. */
async function makeWithRoom(
  context: CallContext,
  {
    new_room_title: title,
    new_room_template_id: template_id,
    ...fields
  }: Omit<z.output<typeof calls.endpoints.create.body>, 'access_tokens_column' | 'access_tokens_heading'>,
  belongings: (db: Database, id: number) => Promise<object>,
): Promise<number> {
  if (title === undefined) return storeEndpoint(context, fields, { belongings });
  requireRight(context, 'rooms', 'create');
  if (fields.room_id)
    throw new ApiError('invalid', { new_room_title: ['Use either an existing space or the title of a new one.'] });
  const input = { title, ...(template_id !== undefined && { template_id }) };
  const html = await roomHtml(context.workers, input);
  return storeEndpoint(context, fields, { room: (db) => createRoomIn(db, context, input, html), belongings });
}

/**
 * Adds a structure with the access tokens of an uploaded file.
 * @returns its id, and the result of the token import
 */
export async function createEndpoint(
  context: CallContext,
  {
    access_tokens_column: column,
    access_tokens_heading: heading,
    ...body
  }: z.output<typeof calls.endpoints.create.body>,
  file: Upload | undefined,
): Promise<{ id: number; report: ImportReport | undefined }> {
  const { organizationId, clock } = context;
  const codes = await codesIn(context, file, { column, heading });
  let report: ImportReport | undefined;
  const belongings = async (db: Database, endpointId: number) => {
    const duration = body.access_token_duration ?? null;
    if (codes)
      report = await importCodes(db, { organizationId, endpointId, duration, at: nextTimestamp(clock) }, codes);
    return countsOf(report) ?? {};
  };
  const id = await makeWithRoom(context, body, belongings).finally(() => codes?.discard());
  return { id, report };
}

/** Placeholder id of a new structure. */
const NEW_ID = 0;

type Place = Pick<StoredEndpoint, 'name' | 'slug' | 'parent_endpoint_id' | 'index'>;

async function storeCopy(db: Database, context: CallContext, row: StoredEndpoint, place: Place): Promise<number> {
  const { id: original, room_name: _name, room_title: _title, ...fields } = row;
  if (limitsOf(db)) await checkRoom(db, context.organizationId, row.room_id);
  const at = nextTimestamp(context.clock);
  const columns = { ...fields, ...place, created_at: at, updated_at: at };
  const id = await insertEndpoint(db, columns);
  const poster = await readPosterRow(db, 'endpoint_id', original);
  if (poster) await putPoster(db, context, { subject: 'endpoint_id', id }, 'chosen', poster);
  const about = { entity_id: id, room_id: row.room_id, name: place.name, after: columns };
  await recordChange(db, context, {
    action: 'create',
    entity: 'endpoint',
    ...about,
    facts: { copied_from: original },
  });
  return id;
}

/**
 * Copies a structure with the same space, as the last of its siblings. Access tokens are not copied: they
 * were issued for the original.
 * @returns id of the copy
 * @throws ApiError not_found, or invalid with the field
 */
export async function copyEndpoint(
  context: CallContext,
  id: number,
  { name, slug, parent_endpoint_id, children }: z.output<typeof calls.endpoints.copy.body>,
): Promise<number> {
  const { organizationId } = context;
  return withinQuotas(context, ['structures'], async (db) => {
    await lockOrganization(db, organizationId);
    const { all, own } = await wholeTree(db, organizationId);
    const row = orNotFound(own.find((endpoint) => endpoint.id === id));
    const below = children ? all.filter((endpoint) => endpoint.parent_endpoint_id === id) : [];
    const parent = parent_endpoint_id === undefined ? row.parent_endpoint_id : parent_endpoint_id;
    refuseTopLevel(db, parent);
    checkParentEndpoint(own, parent);
    if (parent !== null && below.length > 0)
      throw new ApiError('invalid', { parent_endpoint_id: ['Structures can have at most two levels.'] });
    const title = name ?? copyName(row.name);
    const placed = { id: NEW_ID, slug: readSlug(slug || title), parent_endpoint_id: parent };
    checkSlug(all, placed);
    const copy = await storeCopy(db, context, row, {
      name: title,
      slug: placed.slug,
      parent_endpoint_id: parent,
      index: lastIndex(all, parent),
    });
    for (const child of below) {
      const { name: childName, slug: childSlug, index } = child;
      await storeCopy(db, context, child, {
        name: childName,
        slug: childSlug,
        parent_endpoint_id: copy,
        index,
      });
    }
    return copy;
  });
}
