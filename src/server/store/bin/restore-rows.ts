import type { ChangedEntity } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { CallContext } from '../call-context.ts';
import { liftEndpoint, listEndpoints, type StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { recordChange } from '../history/record-change.ts';
import { findFiles } from '../media/files-repository.ts';
import { hasPosterFile } from '../posters/poster-files.ts';
import { touchRooms } from '../rooms/rooms-repository.ts';
import { TEMPLATE_FILES } from '../templates/template-files.ts';
import { isThere, putRows, type RemovedRows } from './removed-rows.ts';

/** What a restored thing is, and what of it could not come back. */
export interface RestoredRows {
  id: number;
  roomId: number | null;
  missing: string[];
}

type Row = Record<string, unknown> & { id: number };

/** What decides where a structure is put back. */
type Place = 'name' | 'slug' | 'parent_endpoint_id' | 'room_id';

const TABLES = { template: 'templates', feed: 'feeds', live_stream: 'live_streams' } as const;
type Single = keyof typeof TABLES;

/** Kinds of thing that are restored from their rows. */
export const isKeptAsRows = (entity: ChangedEntity): entity is Single | 'endpoint' | 'access_token' =>
  entity in TABLES || entity === 'endpoint' || entity === 'access_token';

/** A slug that no sibling has: the one that is wanted, or that one with a number behind it. */
function freeSlug(
  all: readonly Pick<StoredEndpoint, 'slug' | 'parent_endpoint_id'>[],
  slug: string,
  parent: number | null,
) {
  const taken = new Set(all.filter((other) => other.parent_endpoint_id === parent).map((other) => other.slug));
  for (let number = 1; ; number++) {
    const wanted = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(wanted)) return wanted;
  }
}

/** Structures where they were, or at the top where what they stood below is gone. */
async function placedEndpoints(db: Database, organizationId: number, rows: readonly Row[], missing: string[]) {
  const all: Pick<StoredEndpoint, 'id' | 'slug' | 'parent_endpoint_id'>[] = await listEndpoints(db, organizationId);
  const placed: Row[] = [];
  for (const row of rows) {
    const { name, slug, parent_endpoint_id: above, room_id } = row as Row & Pick<StoredEndpoint, Place>;
    const parent =
      above !== null && all.some(({ id, parent_endpoint_id }) => id === above && parent_endpoint_id === null);
    if (above !== null && !parent) missing.push(`The structure above ${name}`);
    const free = freeSlug(all, slug, parent ? above : null);
    if (free !== slug) missing.push(`The address /${slug} is taken: it is /${free} now`);
    const hasRoom = room_id !== null && (await isThere(db, 'rooms', organizationId, room_id));
    if (room_id !== null && !hasRoom) missing.push(`The space of ${name}`);
    const next = {
      ...liftEndpoint(row as Row & StoredEndpoint),
      slug: free,
      parent_endpoint_id: parent ? above : null,
      room_id: hasRoom ? room_id : null,
    };
    placed.push(next);
    all.push(next);
  }
  return placed;
}

/** A template without the files that are gone. */
async function withFiles(db: Database, organizationId: number, row: Row, missing: string[]): Promise<Row> {
  const fields = Object.values(TEMPLATE_FILES);
  const wanted = fields.map((field) => row[field] as number | null);
  const files = await findFiles(db, organizationId, wanted);
  const gone = fields.filter((field) => row[field] !== null && !files.has(row[field] as number));
  missing.push(...gone.map((field) => `File of the template (${field.replace(/_id$/, '').replaceAll('_', ' ')})`));
  return { ...row, ...Object.fromEntries(gone.map((field) => [field, null])) };
}

/**
 * Puts a removed thing back with what belonged to it, under the same ids. What it used and is gone is left out and named.
 * @throws ApiError invalid where it is there already, or what it belongs to is gone
 */
export async function restoreRows(
  db: Database,
  context: CallContext,
  { entity, name }: { entity: Single | 'endpoint' | 'access_token'; name: string },
  { rows: kept, belongings = {} }: RemovedRows,
): Promise<RestoredRows> {
  const { organizationId, clock } = context;
  const missing: string[] = [];
  await lockOrganization(db, organizationId);
  const rows = kept.map((row): Row => ({ ...row, id: Number(row.id), updated_at: nextTimestamp(clock) }));
  const first = rows[0]!;
  if (entity === 'access_token') {
    const wanted = new Set(rows.map(({ endpoint_id }) => endpoint_id as number));
    const there = new Set<unknown>();
    for (const id of wanted) if (await isThere(db, 'endpoints', organizationId, id)) there.add(id);
    if (there.size === 0)
      throw new ApiError('invalid', 'The structure that this token opens is gone. Restore the structure first.');
    const put = await putRows(
      db,
      'access_tokens',
      rows.filter(({ endpoint_id }) => there.has(endpoint_id)),
    );
    if (put < rows.length) missing.push(`${rows.length - put} of ${rows.length} tokens`);
  } else {
    const table = entity === 'endpoint' ? 'endpoints' : TABLES[entity];
    if (await isThere(db, table, organizationId, first.id)) throw new ApiError('invalid', 'This is already there.');
    const whole =
      entity === 'endpoint'
        ? await placedEndpoints(db, organizationId, rows, missing)
        : entity === 'template'
          ? [await withFiles(db, organizationId, first, missing)]
          : rows;
    await putRows(db, table, whole);
    const { posters = [], ...others } = belongings;
    for (const [other, belonging] of Object.entries(others)) await putRows(db, other as 'feed_items', belonging);
    for (const poster of posters)
      if (await hasPosterFile(db, organizationId, Number(poster.file_id))) await putRows(db, 'posters', [poster]);
    // Elements that show a stream or are filled by a feed find it again.
    if (entity === 'live_stream' || entity === 'feed') await touchRooms(db, organizationId);
  }
  const roomId = entity === 'endpoint' ? ((first.room_id as number | null) ?? null) : null;
  await recordChange(db, context, {
    action: 'restore',
    entity,
    entity_id: first.id,
    room_id: roomId,
    name,
    facts: { restored: rows.length, ...(missing.length > 0 && { missing }) },
  });
  return { id: first.id, roomId, missing };
}
