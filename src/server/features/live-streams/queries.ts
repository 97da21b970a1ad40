import { type Selectable, sql, type Updateable } from 'kysely';
import type { LIVE_STREAM_ORDERS } from '../../../contract/calls/live-streams.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import type { Database } from '../../core/db/database.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { LiveStreamTable } from './table.ts';

export type LiveStreamRow = Selectable<LiveStreamTable>;

export const liveStreamRows = recordedRows('live_streams', {
  entity: 'live_stream',
  logged: ({ name, type, reference }) => ({ name, type, reference }),
  isRestorable: true,
});

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('live_streams').where('organization_id', '=', organizationId);

/** Live streams of an organization, by name by default, and the total over all pages. */
export const listLiveStreams = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof LIVE_STREAM_ORDERS)[number] },
): Promise<{ rows: LiveStreamRow[]; total: number }> =>
  listInOrder(db, 'live_streams', organizationId, query, {
    orders: { type: sql.ref('type'), state: sql.ref('state'), edited: sql.ref('updated_at') },
  });
export async function findLiveStreams(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<LiveStreamRow[]> {
  return rowsIn(db, organizationId).selectAll().where('id', 'in', ids).execute();
}

/** Updates columns outside an edit: no new version, no change record. */
export async function updateLiveStream(db: Database, id: number, values: Updateable<LiveStreamTable>): Promise<void> {
  await db.updateTable('live_streams').set(values).where('id', '=', id).execute();
}

/** Stores the state of a broadcast in all of the organization's live streams. This isn't an edit. */
export async function noteStreamState(
  db: Database,
  organizationId: number,
  { type, reference, state }: Pick<LiveStreamRow, 'type' | 'reference' | 'state'>,
): Promise<void> {
  await db
    .updateTable('live_streams')
    .set({ state })
    .where('organization_id', '=', organizationId)
    .where('type', '=', type)
    .where('reference', '=', reference)
    .where('state', '!=', state)
    .execute();
}
