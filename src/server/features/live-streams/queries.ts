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

/** Live streams of an organization by name unless another order is asked for, and how many there are on all pages. */
export const listLiveStreams = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof LIVE_STREAM_ORDERS)[number] },
): Promise<{ rows: LiveStreamRow[]; total: number }> =>
  listInOrder(db, 'live_streams', organizationId, query, {
    orders: { type: sql.ref('type'), state: sql.ref('state'), edited: sql.ref('updated_at') },
  });

/** Live streams with these ids. */
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

/** Notes the state of a broadcast wherever the organization shows it. It counts as no edit. */
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
