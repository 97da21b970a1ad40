import { domainToASCII } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

interface Organization {
  id: number;
  host: string | null;
}

/** A host name as browsers send it; what cannot be one stays as it is, and is asked for by nobody. */
const normalized = (host: string): string => domainToASCII(host.trim().replace(/:\d*$/, '').replace(/\.$/, '')) || host;

/**
 * Each organization has its own credentials of platforms and its own quotas. Host names are kept as browsers send them;
 * of two that become the same, the first keeps it and the other stays as it is.
 */
export const organizationsApart: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index } = columnsFor(db);
    await owned('platform_credentials')
      .addColumn('platform', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('sealed', 'text', required)
      .addColumn('hint', 'text', required)
      .addCheckConstraint('platform_credentials_platform', sql`platform in ('youtube', 'vimeo', 'wowza', 'instagram')`)
      .execute();
    await index('platform_credentials', ['organization_id', 'platform', 'name'], true);
    await db.schema
      .alterTable('organizations')
      .addColumn('quotas', 'text', (text) => text.notNull().defaultTo('{}'))
      .execute();

    const { rows } = await sql<Organization>`select id, host from organizations order by id`.execute(db);
    const taken = new Set(rows.map(({ host }) => host));
    for (const { id, host } of rows) {
      const next = host === null ? null : normalized(host);
      if (next === host || taken.has(next)) continue;
      taken.add(next);
      await sql`update organizations set host = ${next} where id = ${id}`.execute(db);
    }
  },
};
