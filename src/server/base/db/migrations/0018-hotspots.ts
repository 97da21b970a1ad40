import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Templates say how what can be pressed in their rooms is marked. */
export const hotspots: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('templates')
      .addColumn('hotspot_style', 'text', (column) => column.notNull().defaultTo('dot'))
      .execute();
  },
};
