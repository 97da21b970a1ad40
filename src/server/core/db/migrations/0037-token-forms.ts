import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { normalToken } from '../../../../contract/token-text.ts';

/** Tokens per batch. */
const BATCH = 5000;

/**
 * The normalized form of tokens stored without it, and the holder of a token. New tokens equal their normalized form,
 * so neither slows down large imports.
 */
export const tokenForms: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const column of ['normal', 'holder_name', 'holder_email'])
      await db.schema.alterTable('access_tokens').addColumn(column, 'text').execute();
    // Only these can differ from their normalized form.
    const isUnusual =
      db.getExecutor().adapter instanceof PostgresAdapter ? sql`token ~ '[^!-~]'` : sql`token glob ${'*[^!-~]*'}`;
    for (let last = 0; ; ) {
      const { rows } = await sql<{ id: number; token: string }>`
        select id, token from access_tokens where id > ${last} and ${isUnusual} order by id limit ${sql.lit(BATCH)}
      `.execute(db);
      for (const { id, token } of rows) {
        const normal = normalToken(token);
        if (normal !== token) await sql`update access_tokens set normal = ${normal} where id = ${id}`.execute(db);
      }
      if (rows.length < BATCH) break;
      last = Number(rows.at(-1)!.id);
    }
    for (const column of ['normal', 'holder_name', 'holder_email'])
      await sql`
        create index ${sql.ref(`access_tokens_${column}`)} on access_tokens (endpoint_id, ${sql.ref(column)})
        where ${sql.ref(column)} is not null
      `.execute(db);
  },
};
