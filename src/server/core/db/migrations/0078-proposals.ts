import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Proposed changes of spaces: each has a space of its own until it is merged or discarded. */
export const proposals: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, integer, refers, index } = columnsFor(db);
    await db.schema
      .alterTable('rooms')
      .addColumn('branch_of', integer, refers('rooms', 'cascade', false))
      .execute();
    await index('rooms', ['branch_of']);
    await owned('proposals')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      .addColumn('branch_id', integer, refers('rooms', 'set null', false))
      .addColumn('name', 'text', required)
      .addColumn('note', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('is_agent', 'integer', zero)
      .addColumn('base', 'text', required)
      .addColumn('element_ids', 'text', required)
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('author_name', 'text', required)
      .addColumn('closed_at', 'text')
      .addColumn('closed_by', 'text')
      .execute();
    await index('proposals', ['organization_id', 'state']);
    await index('proposals', ['room_id']);
    await index('proposals', ['branch_id']);
    await index('proposals', ['user_id']);
  },
};
