import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Database, isPostgres, openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import { createDatabase, databases } from '../harness/test-database.ts';

/** The migration after which a database is filled: later ones have rows to change. */
const FILLED = '0031-baseline';
/** Tokens, and the normal form that a later migration gives them. */
const TOKENS = [
  { token: 'plain', normal: null },
  { token: 'no\u2011break', normal: 'no-break' },
];

/** How an update ended. */
const update = (folder: string, url: string | undefined, statement: number) =>
  new Promise<string>((resolve) => {
    const script = join(import.meta.dirname, 'migrate-until.ts');
    const child = spawn(process.execPath, [script, folder, url ?? '', String(statement)], { stdio: 'inherit' });
    child.on('exit', (code, signal) => resolve(signal ?? String(code)));
  });

/** Everything that a database is made of: tables, columns, indexes, triggers; not the notes on what has been done. */
async function schemaOf(db: Database): Promise<string[]> {
  const text = isPostgres(db)
    ? sql<{ text: string }>`
        select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as text
        from information_schema.columns where table_schema = 'public'
        union all select indexdef from pg_indexes where schemaname = 'public'
        union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace`
    : sql<{ text: string }>`select coalesce(sql, name) as text from sqlite_master`;
  const { rows } = await text.execute(db);
  const own = rows.map((row) => row.text).filter((line) => !line.includes('kysely_migration'));
  return own.sort();
}

async function withDatabase<T>(
  place: { url?: string; folder: string },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase(place);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** A database of an older version, with tokens that don't have their normal form yet. */
async function fill(db: Database): Promise<void> {
  await migrate(db, FILLED);
  const at = '2026-01-01T00:00:00.000Z';
  await sql`
    insert into organizations (name, meta_title, meta_description, embed_domains, realtime_api_key, created_at, updated_at)
    values ('Museum', '', '', '[]', 'key', ${at}, ${at})
  `.execute(db);
  await sql`
    insert into endpoints (organization_id, name, slug, order_rank, is_visible, created_at, updated_at)
    values (1, 'Hall', 'hall', 0, 1, ${at}, ${at})
  `.execute(db);
  for (const { token } of TOKENS)
    await sql`
      insert into access_tokens (organization_id, endpoint_id, token, created_at, updated_at)
      values (1, 1, ${token}, ${at}, ${at})
    `.execute(db);
}

/** From where a database is updated, and how many statements later than the last one the next kill comes. */
const updates: { from: string; often: string; stride: number; begin: (db: Database) => Promise<void> }[] = [
  { from: 'nothing', often: 'every ninth', stride: 9, begin: async () => {} },
  { from: `${FILLED}, with rows`, often: 'each', stride: 1, begin: fill },
];

describe.each(databases)('an update of the database that is killed, on %s', (kind) => {
  it.each(updates)(
    'security 64: from $from, at $often statement: it is as it was or done, and resumes',
    async (way) => {
      const folder = await mkdtemp(join(tmpdir(), 'enfilade-migrate-'));
      const { url, drop } = await createDatabase(kind);
      const other = await createDatabase(kind);
      const place = { url, folder };
      try {
        await withDatabase(place, way.begin);
        const old = await withDatabase(place, schemaOf);
        const updated = await withDatabase({ url: other.url, folder: join(folder, 'other') }, async (db) => {
          await migrate(db);
          return schemaOf(db);
        });
        const started = performance.now();
        let kills = 0;
        for (let at = 1; (await update(folder, url, at)) === 'SIGKILL'; at += way.stride) {
          kills++;
          // The last statement comes when everything is done.
          expect([old, updated], `killed at statement ${at}`).toContainEqual(await withDatabase(place, schemaOf));
        }
        const now = await withDatabase(place, async (db) => ({
          schema: await schemaOf(db),
          left: await migrate(db),
          tokens: await db.selectFrom('access_tokens').select(['token', 'normal']).orderBy('id').execute(),
        }));
        expect(now).toEqual({ schema: updated, left: [], tokens: way.begin === fill ? TOKENS : [] });
        const seconds = Math.round((performance.now() - started) / 1000);
        console.log(`Killed ${kills} times while ${kind} was updated from ${way.from}, in ${seconds} s.`);
        expect(kills).toBeGreaterThan(10);
      } finally {
        await drop();
        await other.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
