import type { Updateable } from 'kysely';
import type { Endpoint, ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { EndpointTable } from '../../base/db/tables.ts';
import { readCodes } from '../../jobs/imports/read-codes.ts';
import type { CodeFile } from '../../storage/inspect/codes/code-line.ts';
import type { Upload } from '../../storage/upload.ts';
import { countsOf, importCodes } from '../../store/access-tokens/import-codes.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { checkParentEndpoint, checkRoom, checkSlug, readSlug } from '../../store/endpoints/check-endpoint.ts';
import { createEndpoint } from '../../store/endpoints/create-endpoint.ts';
import {
  countTokens,
  deleteEndpoint,
  type EndpointPlace,
  findEndpoint,
  listEndpoints,
  placeEndpoints,
  type StoredEndpoint,
  updateEndpoint,
} from '../../store/endpoints/endpoints-repository.ts';
import { recordEndpoint, recordOrder } from '../../store/endpoints/record-endpoint.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { createExportTicket } from '../../store/sessions/export-tickets.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import { requireRight } from '../../store/users/rights.ts';
import type { Handlers } from '../handler.ts';
import { codesFile } from './codes-file.ts';
import { copyEndpoint } from './copy-endpoint.ts';
import { endpointTree, findInTree, searchTree } from './endpoint-tree.ts';

async function tree(context: CallContext): Promise<Endpoint[]> {
  const rows = await listEndpoints(context.db, context.organizationId);
  return endpointTree(rows, {
    endpoints: entryPoliciesOf(context, 'endpoints'),
    rooms: entryPoliciesOf(context, 'rooms'),
    tokens: await countTokens(context.db, context.organizationId),
  });
}

async function one(context: CallContext, id: number): Promise<Endpoint> {
  const found = findInTree(await tree(context), id);
  if (!found) throw new ApiError('not_found');
  return found;
}

/** Runs a change of the tree while nobody else changes it. */
async function withTree(
  context: CallContext,
  change: (db: Database, all: StoredEndpoint[]) => Promise<void>,
): Promise<void> {
  const { organizationId } = context;
  await withinQuotas(context, ['tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    await change(db, await listEndpoints(db, organizationId));
  });
}

type Flags = 'is_visible' | 'is_timed' | 'show_countdown' | 'is_protected';
const FLAGS: readonly Flags[] = ['is_visible', 'is_timed', 'show_countdown', 'is_protected'];

/** Columns of the fields that an edit names. */
function columnsOf(fields: Partial<Record<Flags, boolean>> & object): Updateable<EndpointTable> {
  const flags = FLAGS.filter((name) => fields[name] !== undefined).map((name) => [name, Number(fields[name])]);
  return { ...fields, ...Object.fromEntries(flags) };
}

/**
 * The personal codes that come with a structure.
 * @throws ApiError forbidden where the caller may not add any
 */
async function codesIn(context: CallContext, file: Upload | undefined): Promise<CodeFile | undefined> {
  if (!file) return undefined;
  // Browsers send a field without a file as an empty one without a name.
  if (file.name !== '') requireRight(context, 'access_tokens', 'create');
  const codes = await readCodes(context, file);
  try {
    if (codes) requireRight(context, 'access_tokens', 'create');
  } catch (error) {
    await codes?.discard();
    throw error;
  }
  return codes;
}

export const endpoints: Handlers<'endpoints'> = {
  list: async (context, { query }) => {
    const all = await tree(context);
    return query.search ? searchTree(all, query.search) : all;
  },

  read: async (context, { params }) => one(context, params.id),

  create: async (context, { body, file }) => {
    const { organizationId, clock } = context;
    const codes = await codesIn(context, file);
    let report: ImportReport | undefined;
    const id = await createEndpoint(context, body, async (db, endpointId) => {
      const duration = body.access_token_duration ?? null;
      if (codes)
        report = await importCodes(db, { organizationId, endpointId, duration, at: nextTimestamp(clock) }, codes);
      return countsOf(report) ?? {};
    }).finally(() => codes?.discard());
    return { data: await one(context, id), report };
  },

  copy: async (context, { params, body }) => one(context, await copyEndpoint(context, params.id, body)),

  update: async (context, { params, body, file }) => {
    const { organizationId, clock } = context;
    const { updated_at, slug, ...fields } = body;
    const codes = await codesIn(context, file);
    let report: ImportReport | undefined;
    await withTree(context, async (db, all) => {
      const row = all.find(({ id }) => id === params.id);
      if (!row) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      // An empty slug leaves it as it is.
      const placed = {
        id: row.id,
        slug: slug ? readSlug(slug) : row.slug,
        parent_endpoint_id:
          fields.parent_endpoint_id === undefined ? row.parent_endpoint_id : fields.parent_endpoint_id,
      };
      const moves = placed.parent_endpoint_id !== row.parent_endpoint_id;
      if (moves) checkParentEndpoint(all, placed.parent_endpoint_id, row.id);
      checkSlug(all, placed);
      if (fields.room_id !== undefined) await checkRoom(db, organizationId, fields.room_id);
      const startTime = fields.start_time === undefined ? row.start_time : fields.start_time;
      const behind = all.filter((other) => other.parent_endpoint_id === placed.parent_endpoint_id).at(-1);
      const columns = {
        ...columnsOf(fields),
        ...placed,
        ...(startTime === null && { start_time_utc_offset: null }),
        ...(moves && { order_rank: (behind?.order_rank ?? -1) + 1 }),
      };
      await updateEndpoint(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
      const duration =
        fields.access_token_duration === undefined ? row.access_token_duration : fields.access_token_duration;
      const target = { organizationId, endpointId: row.id, duration, at: nextTimestamp(clock) };
      if (codes) report = await importCodes(db, target, codes);
      await recordEndpoint(db, context, report ? 'import' : 'update', row, { ...row, ...columns }, countsOf(report));
    }).finally(() => codes?.discard());
    return { data: await one(context, params.id), report };
  },

  createExportTicket: async ({ db, clock, organizationId, user }, { params }) => {
    if (!(await findEndpoint(db, organizationId, params.id))) throw new ApiError('not_found');
    const made = { endpointId: params.id, userId: user!.userId, family: user!.session };
    return { token: await createExportTicket(db, clock, made) };
  },

  exportTokens: async (context, { params, query }) => {
    const { db, organizationId } = context;
    const endpoint = await findEndpoint(db, organizationId, params.id);
    if (!endpoint) throw new ApiError('not_found');
    await recordEvent(db, context, { event: 'exported', subject: `Codes of ${endpoint.name}` });
    return codesFile(db, endpoint, query.format);
  },

  remove: async (context, { params }) => {
    await withTree(context, async (db, all) => {
      const row = all.find(({ id }) => id === params.id);
      if (!row) throw new ApiError('not_found');
      const below = all.filter((other) => other.parent_endpoint_id === row.id).map(({ name }) => name);
      await deleteEndpoint(db, row.id);
      await recordEndpoint(db, context, 'delete', { ...row, ...(below.length > 0 && { below }) });
    });
    return null;
  },

  reorder: async (context, { body }) => {
    const places = body.sort.flatMap(({ id, children }, rank): EndpointPlace[] => [
      { id, parent: null, rank },
      ...children.map((child, childRank) => ({ id: child.id, parent: id, rank: childRank })),
    ]);
    await withTree(context, async (db, all) => {
      const named = new Map(places.map((place) => [place.id, place]));
      if (places.length !== all.length || !all.every(({ id }) => named.has(id)))
        throw new ApiError('invalid', { sort: ['The order must name every structure once.'] });
      const moved = all.map(({ id, slug }) => ({ id, slug, parent_endpoint_id: named.get(id)!.parent }));
      for (const endpoint of moved) checkSlug(moved, endpoint);
      await placeEndpoints(db, places);
      await recordOrder(db, context, all, places);
    });
    return null;
  },
};
