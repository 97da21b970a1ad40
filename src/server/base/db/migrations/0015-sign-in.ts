import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required, zero } from './columns.ts';

/** Second factors, passkeys, and an identity provider for each organization. */
export const signIn: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { integer, refers, table, owned, index } = columnsFor(db);
    await table('second_factors')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('secret', 'text', required)
      .addColumn('is_confirmed', 'integer', zero)
      .addColumn('last_step', integer, zero)
      .addColumn('created_at', 'text', required)
      .execute();
    await index('second_factors', ['user_id'], true);
    await table('recovery_codes')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('code_hash', 'text', required)
      .execute();
    await index('recovery_codes', ['user_id', 'code_hash'], true);
    await table('passkeys')
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('name', 'text', required)
      .addColumn('credential_id', 'text', required)
      .addColumn('public_key', 'text', required)
      .addColumn('counter', integer, zero)
      .addColumn('transports', 'text', required)
      .addColumn('site', 'text', required)
      .addColumn('created_at', 'text', required)
      .addColumn('last_used_at', 'text')
      .execute();
    await index('passkeys', ['user_id']);
    await index('passkeys', ['credential_id'], true);
    await table('sign_in_steps')
      .addColumn('purpose', 'text', required)
      .addColumn('token_hash', 'text', required)
      .addColumn('user_id', integer, refers('users', 'cascade', false))
      .addColumn('bound_to', 'text', required)
      .addColumn('expires_at', 'text', required)
      .execute();
    await index('sign_in_steps', ['token_hash'], true);
    await index('sign_in_steps', ['user_id']);
    await index('sign_in_steps', ['expires_at']);
    await owned('identity_providers')
      .addColumn('issuer', 'text', required)
      .addColumn('client_id', 'text', required)
      .addColumn('client_secret', 'text', required)
      .addColumn('domains', 'text', required)
      .addColumn('button_text', 'text', required)
      .addColumn('creates_users', 'integer', zero)
      .addColumn('policies', 'text', required)
      .execute();
    await index('identity_providers', ['organization_id'], true);
    await table('identities')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('user_id', integer, refers('users', 'cascade'))
      .addColumn('issuer', 'text', required)
      .addColumn('subject', 'text', required)
      .addColumn('created_at', 'text', required)
      .execute();
    await index('identities', ['organization_id', 'issuer', 'subject'], true);
    await index('identities', ['user_id']);
    const flag = (target: string, name: string, value: number) =>
      db.schema
        .alterTable(target)
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(value))
        .execute();
    await flag('users', 'has_second_factor', 0);
    await flag('organizations', 'requires_second_factor', 0);
    await flag('organizations', 'has_password_sign_in', 1);
    await db.schema
      .alterTable('sessions')
      .addColumn('method', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
