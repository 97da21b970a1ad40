import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';

/** Default PostgreSQL URL. */
const USUAL = 'postgres://postgres@127.0.0.1:5432/test';

/** The PostgreSQL of the tests: `TEST_DATABASE_URL`, or the default URL; null if it is unavailable. */
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

/** Runs a statement on a new connection. */
export async function runOn(base: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** The template database of a run. */
export interface Template {
  /** A migrated database from which others are copied; their names start with its name. */
  name: string;
  /** Drops it and its copies. */
  drop(): Promise<void>;
}

/** Creates the template of the test databases. */
export async function createTemplate(base: string): Promise<Template> {
  const name = `enfilade_migrated_${randomUUID().slice(0, 8)}`;
  await runOn(base, `create database ${name} template template0`);
  const db = openDatabase({ url: urlOf(base, name), folder: tmpdir() });
  await migrate(db);
  await db.destroy();
  const drop = async () => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [name]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
    await client.end();
  };
  return { name, drop };
}

/** URL of another database on the same server. */
export function urlOf(base: string, name: string): string {
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}

/** Table size in bytes from which the table is truncated instead: deleted rows would slow down later scans. */
const LARGE = 256 * 1024;

/**
 * Empties a database for its next user: closes its connections, removes every row, and resets sequences. A new copy of
 * the template takes fifty times as long, because it has 700 files.
 */
export const emptyDatabase = (url: string): Promise<void> =>
  runOn(
    url,
    `do $$ declare name regclass; begin
      perform pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
      set local session_replication_role = replica;
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' loop
        if pg_table_size(name) > ${LARGE} then execute format('truncate %s cascade', name); else execute format('delete from %s', name); end if;
      end loop;
      perform setval(oid, 1, false) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace;
    end $$`,
  );
