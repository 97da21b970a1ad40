import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Revisions of spaces. */
export const revisions: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, owned, index } = columnsFor(db);
    await owned('revisions')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('kind', 'text', required)
      .addColumn('name', 'text', required)
      .addColumn('hash', 'text', required)
      .addColumn('elements', 'integer', required)
      .addColumn('content', 'text', required)
      .addCheckConstraint('revisions_kind', sql`kind in ('named', 'automatic', 'before_restore')`)
      .execute();
    await index('revisions', ['room_id', 'id']);
    await index('revisions', ['organization_id', 'id']);
    await index('revisions', ['user_id']);
  },
};
