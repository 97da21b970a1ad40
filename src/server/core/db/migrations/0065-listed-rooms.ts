import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Organizations can allow search engines to list their rooms, not only the front page. */
export const listedRooms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('organizations')
      .addColumn('lists_rooms', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
