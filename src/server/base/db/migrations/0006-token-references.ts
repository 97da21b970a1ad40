import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Access tokens refer to their structure. PostgreSQL looks a reference up for every row, which takes nearly half the time of
 * an import of many; here it does so once for each statement: the same is refused, locked and removed. That of the
 * organization goes, since it is the structure's.
 */
export const tokenReferences: Migration = {
  up: async (db: Kysely<unknown>) => {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await sql`
      alter table access_tokens
        drop constraint access_tokens_organization_id_fkey, drop constraint access_tokens_endpoint_id_fkey
    `.execute(db);
    // A structure that a token is being added to is not removed until that is done.
    await sql`
      create function access_tokens_refer() returns trigger language plpgsql as $$
      begin
        perform 1 from endpoints where id in (select distinct endpoint_id from changed) for key share;
        if exists (
          select 1 from (select distinct endpoint_id from changed) as named
          where not exists (select 1 from endpoints where id = endpoint_id)
        ) then
          raise foreign_key_violation using
            message = 'an access token refers to a structure that does not exist',
            table = 'access_tokens', constraint = 'access_tokens_endpoint_id_fkey';
        end if;
        return null;
      end $$
    `.execute(db);
    for (const action of ['insert', 'update'])
      await sql`
        create trigger ${sql.ref(`access_tokens_refer_${action}`)} after ${sql.raw(action)} on access_tokens
        referencing new table as changed for each statement execute function access_tokens_refer()
      `.execute(db);
    await sql`
      create function endpoints_remove_tokens() returns trigger language plpgsql as $$
      begin
        delete from access_tokens where endpoint_id in (select id from removed);
        return null;
      end $$
    `.execute(db);
    await sql`
      create trigger endpoints_remove_tokens after delete on endpoints
      referencing old table as removed for each statement execute function endpoints_remove_tokens()
    `.execute(db);
  },
};
