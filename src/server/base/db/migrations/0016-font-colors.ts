import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What `font_color` was stored as where nobody had chosen one. Nothing was drawn in it. */
const UNCHOSEN = '#14171C';

/** Font colors may be left out: a template's for the organization's, that one for the built-in one. */
export const fontColors: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['organizations', 'templates']) {
      await db.schema.alterTable(table).addColumn('chosen_color', 'text').execute();
      await sql`update ${sql.table(table)} set chosen_color = nullif(font_color, ${UNCHOSEN})`.execute(db);
      await db.schema.alterTable(table).dropColumn('font_color').execute();
      await db.schema.alterTable(table).renameColumn('chosen_color', 'font_color').execute();
    }
  },
};
