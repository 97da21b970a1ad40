import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Client numbers belong to users. Numbers in the logs are assigned to the last user who sent them. */
export const editorClients: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { table, index, integer, refers } = columnsFor(db);
    await table('editor_clients')
      .addColumn('room_id', integer, refers('rooms', 'cascade'))
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('client', 'text', required)
      .addColumn('user_id', integer, refers('users', 'set null', false))
      .addColumn('at', 'text', required)
      .execute();
    await index('editor_clients', ['room_id', 'client'], true);
    await index('editor_clients', ['user_id']);
    await index('editor_clients', ['at']);
    await sql`
      insert into editor_clients (room_id, organization_id, client, user_id, at)
      select room_id, organization_id, client, user_id, at from room_commands
      where client is not null and seq = (
        select max(seq) from room_commands as later
        where later.room_id = room_commands.room_id and later.client = room_commands.client
      )
    `.execute(db);
  },
};
