import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { openDatabase } from '../../src/server/base/db/database.ts';
import { migrate } from '../../src/server/base/db/migrate.ts';

/** Where the tests look when they are not told. */
const USUAL = 'postgres://postgres@127.0.0.1:5432/test';

/** The PostgreSQL that the tests use: `TEST_DATABASE_URL`, or the usual place; null where none answers. */
export async function findPostgres(): Promise<string | null> {
  const url = process.env.TEST_DATABASE_URL ?? USUAL;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return url;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs a statement on a connection of its own. */
export async function runOn(base: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Makes a database that has gone through all migrations, for others to begin as copies of. Gives its name, and what drops it. */
export async function createTemplate(base: string): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `enfilade_migrated_${randomUUID().replaceAll('-', '')}`;
  await runOn(base, `create database ${name} template template0`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const db = openDatabase({ url: url.href, folder: tmpdir() });
  await migrate(db);
  await db.destroy();
  return { name, drop: () => runOn(base, `drop database if exists ${name} with (force)`) };
}
