import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Database } from '../../src/server/base/db/database.ts';
import type { Tables } from '../../src/server/base/db/tables.ts';
import { layMigrated } from './migrated-file.ts';
import { runOn } from './postgres.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** The databases that the API tests run on: SQLite always, PostgreSQL where one answers. */
export const databases: readonly DatabaseKind[] = inject('postgres') ? ['sqlite', 'postgres'] : ['sqlite'];
/**
 * One of them, PostgreSQL where one answers: for matrices of what is decided before any SQL, as what a file is, or by
 * statements that other tests make on both.
 */
export const oneDatabase: readonly DatabaseKind[] = databases.slice(-1);

/** A database of its own for one run of a suite. @param template database of PostgreSQL that it begins as a copy of */
export async function createDatabase(
  kind: DatabaseKind,
  template = 'template0',
): Promise<{ url: string | undefined; drop(): Promise<void> }> {
  if (kind === 'sqlite') return { url: undefined, drop: async () => {} };
  const base = inject('postgres')!;
  const name = `enfilade_${randomUUID().replaceAll('-', '')}`;
  await runOn(base, `create database ${name} template ${template}`);
  // What a power cut leaves is not what these tests are about: waiting for the disk takes a third of their time.
  await runOn(base, `alter database ${name} set synchronous_commit = off`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(base, `drop database if exists ${name} with (force)`) };
}

/** A database of its own that has gone through all migrations: in the data folder, or in PostgreSQL. */
export async function createMigrated(
  kind: DatabaseKind,
  folder: string,
): Promise<{ url: string | undefined; drop(): Promise<void> }> {
  if (kind === 'sqlite') await layMigrated(folder);
  return createDatabase(kind, inject('migrated') ?? undefined);
}

/** Every table, by name: one that is missing here does not compile. */
const TABLES: Record<keyof Tables, true> = {
  organizations: true,
  users: true,
  sessions: true,
  attempts: true,
  media: true,
  templates: true,
  rooms: true,
  room_bases: true,
  room_commands: true,
  element_leases: true,
  elements: true,
  endpoints: true,
  endpoint_addresses: true,
  access_tokens: true,
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
  import_steps: true,
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
  structure_visits: true,
  installation_notes: true,
};

/** Every row of every table, as text. */
export async function dumpOf(db: Database, leaveOut: readonly (keyof Tables)[] = []): Promise<string> {
  const parts: string[] = [];
  for (const table of Object.keys(TABLES) as (keyof Tables)[]) {
    if (leaveOut.includes(table)) continue;
    const rows = await db.selectFrom(table).selectAll().orderBy('id').execute();
    parts.push(`${table} ${JSON.stringify(rows)}`);
  }
  return parts.join('\n');
}
