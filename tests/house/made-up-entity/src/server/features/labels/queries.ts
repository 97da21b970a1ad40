import { type Selectable, sql } from 'kysely';
import type { LABEL_ORDERS } from '../../../contract/calls/labels.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import type { Database } from '../../core/db/database.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { LabelTable } from './table.ts';

export type LabelRow = Selectable<LabelTable>;

export const labelRows = recordedRows('labels', { entity: 'label' });

/** A page of labels, and the total number. */
export const listLabels = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof LABEL_ORDERS)[number] },
): Promise<{ rows: LabelRow[]; total: number }> =>
  listInOrder(db, 'labels', organizationId, query, { orders: { edited: sql.ref('updated_at') } });

export async function countLabels(db: Database, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('labels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
