import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Publications of spaces, and what a structure shows of its space: as it is edited, or as it is published. */
export const publications: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('publications')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      // A revision that is named here is not removed by itself, only with its space.
      .addColumn('revision_id', integer, (column) => column.references('revisions.id').onDelete('no action'))
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('author_name', 'text')
      .addColumn('at', 'text', required)
      .addColumn('zone', 'text')
      .addColumn('is_scheduled', 'integer', zero)
      .addColumn('template_id', integer)
      .addColumn('file_ids', 'text', required)
      .execute();
    await index('publications', ['room_id', 'is_scheduled', 'id']);
    await index('publications', ['organization_id', 'id']);
    await index('publications', ['revision_id']);
    await index('publications', ['user_id']);
    await sql`create unique index publications_schedule on publications (room_id) where is_scheduled = 1`.execute(db);
    await sql`create index publications_due on publications (at) where is_scheduled = 1`.execute(db);
    await db.schema
      .alterTable('endpoints')
      .addColumn('shows', 'text', (column) =>
        column.notNull().defaultTo('edited').check(sql`shows in ('edited', 'published')`),
      )
      .execute();
    await db.schema.alterTable('rooms').addColumn('touches', 'integer', zero).execute();
  },
};
