import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Rooms have a log of the commands that changed them. What a room is when its first command comes becomes its base. */
export const roomCommands: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { table, index, integer, refers } = columnsFor(db);
    await db.schema.alterTable('rooms').addColumn('seq', integer, zero).execute();
    const ofRoom = (name: string) =>
      table(name)
        .addColumn('room_id', integer, refers('rooms', 'cascade'))
        .addColumn('organization_id', integer, refers('organizations', 'cascade'));
    await ofRoom('room_bases').addColumn('seq', integer, required).addColumn('content', 'text', required).execute();
    await index('room_bases', ['room_id'], true);
    await ofRoom('room_commands')
      .addColumn('seq', integer, required)
      .addColumn('client', 'text')
      .addColumn('mutation', integer)
      .addColumn('origin', 'text', required)
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('author_name', 'text')
      .addColumn('at', 'text', required)
      .addColumn('commands', 'text', required)
      .addColumn('inverses', 'text', required)
      .addColumn('ids', 'text', required)
      .execute();
    await index('room_commands', ['room_id', 'seq'], true);
    await index('room_commands', ['room_id', 'client', 'mutation'], true);
    await index('room_commands', ['user_id']);
    await index('room_commands', ['at']);
    await ofRoom('element_leases')
      .addColumn('client', 'text', required)
      .addColumn('first', integer, required)
      .addColumn('last', integer, required)
      .addColumn('at', 'text', required)
      .execute();
    await index('element_leases', ['room_id']);
    await index('element_leases', ['first']);
    await index('element_leases', ['at']);
  },
};
