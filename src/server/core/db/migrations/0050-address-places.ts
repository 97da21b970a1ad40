import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Previous addresses of spaces that became places of a tour lead to the place. */
export const addressPlaces: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('endpoint_addresses').addColumn('view_point_id', 'integer').execute();
  },
};
