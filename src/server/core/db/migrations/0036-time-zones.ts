import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Time zones of start times, and the organization's default. Elements store theirs in their bodies. */
export const timeZones: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['endpoints', 'organizations'])
      await db.schema.alterTable(table).addColumn('time_zone', 'text').execute();
  },
};
