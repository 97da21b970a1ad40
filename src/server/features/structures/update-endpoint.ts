import type { Updateable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { limitsOf } from '../../core/db/limited.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { countsOf, importCodes } from '../access-tokens/import-tokens.ts';
import { keepOldAddresses, lastIndex, updateEndpoint as storeEndpoint } from '../endpoints/queries.ts';
import {
  checkParentEndpoint,
  checkRoom,
  checkSlug,
  readSlug,
  recordEndpoint,
  refuseTopLevel,
  startClock,
} from '../endpoints/service.ts';
import type { EndpointTable } from '../endpoints/table.ts';
import { findOrganization } from '../organizations/queries.ts';
import { codesIn, lockTree } from './service.ts';

type Flags = 'is_visible' | 'is_timed' | 'show_countdown' | 'is_protected';
const FLAGS: readonly Flags[] = ['is_visible', 'is_timed', 'show_countdown', 'is_protected'];

/** Columns of the edited fields. */
function columnsOf(fields: Partial<Record<Flags, boolean>> & object): Updateable<EndpointTable> {
  const flags = FLAGS.filter((name) => fields[name] !== undefined).map((name) => [name, Number(fields[name])]);
  return { ...fields, ...Object.fromEntries(flags) };
}

/**
 * Updates a structure, and adds the access tokens of an uploaded file.
 * @returns the result of the token import
 * @throws ApiError not_found, stale or invalid
 */
export async function updateEndpoint(
  context: CallContext,
  id: number,
  { body, file }: { body: z.output<typeof calls.endpoints.update.body>; file: Upload | undefined },
): Promise<ImportReport | undefined> {
  const { organizationId, clock } = context;
  const { updated_at, slug, access_tokens_column: column, access_tokens_heading: heading, ...fields } = body;
  const codes = await codesIn(context, file, { column, heading });
  let report: ImportReport | undefined;
  await lockTree(context, async (db, { all, own }) => {
    const row = orNotFound(own.find((other) => other.id === id));
    refuseStale(row.updated_at, updated_at);
    const above = row.parent_endpoint_id;
    // A parent that the caller doesn't see is null to them.
    const isUnseen = above !== null && !own.some((other) => other.id === above);
    if (isUnseen && fields.parent_endpoint_id === null) fields.parent_endpoint_id = undefined;
    // An empty slug leaves it unchanged.
    const placed = {
      id: row.id,
      slug: slug ? readSlug(slug) : row.slug,
      parent_endpoint_id: fields.parent_endpoint_id === undefined ? row.parent_endpoint_id : fields.parent_endpoint_id,
    };
    const moves = placed.parent_endpoint_id !== row.parent_endpoint_id;
    if (moves) {
      refuseTopLevel(db, placed.parent_endpoint_id);
      checkParentEndpoint(own, placed.parent_endpoint_id, row.id);
    }
    checkSlug(all, placed);
    if (fields.room_id !== undefined && fields.room_id !== row.room_id)
      await checkRoom(db, organizationId, fields.room_id);
    // The latest edits of a space are shown only by users who may see them.
    else if (fields.shows !== undefined && fields.shows !== row.shows && limitsOf(db))
      await checkRoom(db, organizationId, row.room_id);
    const { time_zone: standard } = await findOrganization(db, organizationId);
    const columns = {
      ...columnsOf(fields),
      ...placed,
      ...startClock(row, fields, { standard, now: clock.now() / 1000 }),
      ...(moves && { index: lastIndex(all, placed.parent_endpoint_id) }),
    };
    await storeEndpoint(db, row.id, { ...columns, updated_at: nextTimestamp(clock, row.updated_at) });
    const placedAll = all.map((other) => (other.id === row.id ? placed : other));
    const records = await keepOldAddresses(db, context, all, placedAll);
    const duration =
      fields.access_token_duration === undefined ? row.access_token_duration : fields.access_token_duration;
    const target = { organizationId, endpointId: row.id, duration, at: nextTimestamp(clock) };
    if (codes) report = await importCodes(db, target, codes);
    await recordEndpoint(
      db,
      context,
      report ? 'import' : 'update',
      row,
      { ...row, ...columns },
      { facts: countsOf(report), records },
    );
  }).finally(() => codes?.discard());
  return report;
}
