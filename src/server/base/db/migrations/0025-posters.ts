import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Posters: what spaces look like, small and large. */
export const posters: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('posters')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('drawn', 'chosen')`))
      .addColumn('token', 'text', required)
      .addColumn('small', 'text', required)
      .addColumn('large', 'text', required)
      .execute();
    await index('posters', ['room_id'], true);
    await index('posters', ['token'], true);
    await index('posters', ['organization_id']);
  },
};
