import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Policies = Partial<Record<string, Partial<Record<string, boolean>>>>;

/** Areas in which files are chosen and uploaded. */
const USING = ['rooms', 'templates', 'settings'];

/** The rights that somebody made use of without having been given them: files could be had by whoever was signed in. */
function rightsFor(policies: Policies): Record<string, boolean> {
  const edits = USING.some((area) => policies[area]?.create || policies[area]?.update);
  return { view_any: edits, create: edits, update: edits, delete: edits && policies.rooms?.delete === true };
}

/** The media library has rights of its own. Whoever edits what files are used in goes on to see and add them. */
export const mediaRights: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['users', 'api_keys']) {
      const { rows } = await sql<{ id: number; policies: string }>`
        select id, policies from ${sql.table(table)} order by id
      `.execute(db);
      for (const row of rows) {
        const policies: Policies = JSON.parse(row.policies);
        const given = JSON.stringify({ ...policies, media: rightsFor(policies) });
        await sql`update ${sql.table(table)} set policies = ${given} where id = ${row.id}`.execute(db);
      }
    }
  },
};
