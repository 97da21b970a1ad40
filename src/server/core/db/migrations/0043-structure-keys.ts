import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { keysBetween } from '../../../../../engine/document/sibling-keys.ts';
import { columnsFor } from './columns.ts';

/** The table as of this migration. */
interface Tables {
  endpoints: {
    id: number;
    organization_id: number;
    parent_endpoint_id: number | null;
    order_rank: number;
    index: string;
  };
}

/** Structures are ordered among siblings by keys instead of numbers, like elements. */
export const structureKeys: Migration = {
  up: async (untyped: Kysely<unknown>) => {
    const db = untyped as Kysely<Tables>;
    const { index } = columnsFor(untyped);
    const type = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`;
    await db.schema
      .alterTable('endpoints')
      .addColumn('index', type, (column) => column.notNull().defaultTo(''))
      .execute();
    const rows = await db
      .selectFrom('endpoints')
      .select(['id', 'organization_id', 'parent_endpoint_id'])
      .orderBy('order_rank')
      .orderBy('id')
      .execute();
    const lists = Map.groupBy(rows, (row) => `${row.organization_id} ${row.parent_endpoint_id}`);
    for (const siblings of lists.values()) {
      const keys = keysBetween(null, null, siblings.length);
      for (const [at, { id }] of siblings.entries())
        await db.updateTable('endpoints').set({ index: keys[at]! }).where('id', '=', id).execute();
    }
    await db.schema.dropIndex('endpoints_organization_id_order_rank_id').execute();
    await db.schema.alterTable('endpoints').dropColumn('order_rank').execute();
    await index('endpoints', ['organization_id', 'index', 'id']);
  },
};
