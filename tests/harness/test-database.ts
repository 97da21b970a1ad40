import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { inject } from 'vitest';
import { type Database, isPostgres } from '../../src/server/core/db/database.ts';
import type { Tables } from '../../src/server/core/db/tables.ts';
import { layMigrated } from './migrated-file.ts';
import { emptyDatabase, runOn, urlOf } from './postgres.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** The databases of the API tests: always SQLite, and PostgreSQL if it is available. */
export const databases: readonly DatabaseKind[] = inject('postgres') ? ['sqlite', 'postgres'] : ['sqlite'];
/**
 * One of them, PostgreSQL if it is available: for matrices of logic without SQL, or with statements that other tests
 * run on both.
 */
export const oneDatabase: readonly DatabaseKind[] = databases.slice(-1);

/**
 * A new database for one run of a suite.
 * @param language collation of PostgreSQL; bytewise by default
 */
export async function createDatabase(
  kind: DatabaseKind,
  language?: string,
): Promise<{ url: string | undefined; drop(): Promise<void> }> {
  if (kind === 'sqlite') return { url: undefined, drop: async () => {} };
  const name = `enfilade_${randomUUID().replaceAll('-', '')}`;
  const locale = language === undefined ? '' : ` locale_provider icu icu_locale '${language}' locale 'C'`;
  return { url: await make(name, `template0${locale}`), drop: () => dropDatabase(name) };
}

/** Creates a PostgreSQL database from a template. @returns its URL */
async function make(name: string, template: string): Promise<string> {
  const base = inject('postgres')!;
  await runOn(base, `create database ${name} template ${template}`);
  // These tests don't simulate power failures, and waiting for the disk would take a third of their time.
  await runOn(base, `alter database ${name} set synchronous_commit = off`);
  return urlOf(base, name);
}

const dropDatabase = (name: string) => runOn(inject('postgres')!, `drop database if exists ${name} with (force)`);

/** Names of emptied PostgreSQL databases of this process, for reuse. */
const emptied: string[] = [];

/** A migrated database. */
export interface Migrated {
  /** PostgreSQL URL; undefined for a file in the data folder. */
  url: string | undefined;
  /** Empties it for the next suite. */
  leave(): Promise<void>;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
}

/** An empty migrated database: in the data folder, or in PostgreSQL. */
export async function migratedDatabase(kind: DatabaseKind, folder: string): Promise<Migrated> {
  if (kind === 'sqlite') {
    await layMigrated(folder);
    return { url: undefined, leave: async () => {}, drop: async () => {} };
  }
  const template = inject('migrated')!;
  const left = emptied.pop();
  const name = left ?? `${template}_${randomUUID().slice(0, 8)}`;
  const url = left ? urlOf(inject('postgres')!, left) : await make(name, template);
  let isThere = true;
  return {
    url,
    leave: async () => {
      if (!isThere) return;
      await emptyDatabase(url);
      emptied.push(name);
    },
    drop: async () => {
      isThere = false;
      await dropDatabase(name);
    },
  };
}

/** Every table by name: a missing one does not compile. */
const TABLES: Record<keyof Tables, true> = {
  organizations: true,
  organization_hosts: true,
  organization_months: true,
  users: true,
  sessions: true,
  attempts: true,
  media: true,
  media_optimizations: true,
  image_sheets: true,
  image_sheet_files: true,
  templates: true,
  blocks: true,
  block_versions: true,
  proposals: true,
  rooms: true,
  folders: true,
  media_folders: true,
  media_versions: true,
  room_bases: true,
  room_commands: true,
  element_leases: true,
  editor_clients: true,
  bulk_jobs: true,
  elements: true,
  endpoints: true,
  endpoint_addresses: true,
  access_tokens: true,
  check_in_links: true,
  visitor_sessions: true,
  export_tickets: true,
  password_resets: true,
  second_factors: true,
  recovery_codes: true,
  passkeys: true,
  sign_in_steps: true,
  identity_providers: true,
  identities: true,
  api_keys: true,
  changes: true,
  audit_events: true,
  imports: true,
  change_rows: true,
  live_streams: true,
  platform_credentials: true,
  feeds: true,
  feed_items: true,
  revisions: true,
  publications: true,
  posters: true,
  poster_files: true,
  poster_drawings: true,
  statistics_events: true,
  statistics_hours: true,
  statistics_poses: true,
  statistics_salts: true,
  webhooks: true,
  webhook_deliveries: true,
  translation_webhooks: true,
  mail_settings: true,
  mailings: true,
  mailing_emails: true,
  mailboxes: true,
  structure_visits: true,
  installation_notes: true,
};

/** Rows of several tables as text, one line per table. @param wanted condition for each included table */
export async function textOfRows(
  db: Database,
  wanted: readonly [keyof Tables, RawBuilder<boolean>][],
): Promise<string> {
  if (!isPostgres(db)) {
    const parts: string[] = [];
    for (const [table, condition] of wanted) {
      const rows = await db.selectFrom(table).selectAll().where(condition).orderBy('id').execute();
      parts.push(`${table} ${JSON.stringify(rows)}`);
    }
    return parts.join('\n');
  }
  // One statement, because separate queries take several times as long.
  const parts = wanted.map(
    ([table, condition]) =>
      sql`(select ${sql.lit(`${table} [`)} || coalesce(string_agg(row_to_json(t)::text, ',' order by t.id), '') || ']'
        from ${sql.table(table)} t where ${condition})`,
  );
  const { rows } = await sql<{ text: string }>`select concat_ws(e'\\n', ${sql.join(parts)}) as text`.execute(db);
  return rows[0]!.text;
}

/** Every row of every table as text. */
export function dumpOf(db: Database, leaveOut: readonly (keyof Tables)[] = []): Promise<string> {
  const tables = (Object.keys(TABLES) as (keyof Tables)[]).filter((table) => !leaveOut.includes(table));
  return textOfRows(
    db,
    tables.map((table) => [table, sql<boolean>`1 = 1`]),
  );
}
