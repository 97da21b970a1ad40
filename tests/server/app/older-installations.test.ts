import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/server/core/db/database.ts';
import { migrate, migrations } from '../../../src/server/core/db/migrate.ts';
import { ApiApp, databases } from '../../harness/api-app.ts';
import { CommandLine } from '../../harness/command-line.ts';
import { StartedServer } from '../../harness/started-server.ts';
import { createDatabase, type DatabaseKind } from '../../harness/test-database.ts';

/** Files that 0.14.7 wrote: one of everything, and a space with nested elements. */
const OLDER = join(import.meta.dirname, '../../../fixtures/older/0.14.7');

/** The migrations that 0.14.7 lists, in order. */
const LISTED = [
  ['first-rooms', 'access-tokens', 'services', 'revisions', 'imports', 'token-references', 'author-names'],
  ['import-steps', 'own-texts', 'token-order', 'media-rights', 'own-sessions', 'audit', 'organizations-apart'],
  ['sign-in', 'font-colors', 'installation-notes', 'hotspots', 'room-commands', 'publications', 'old-addresses'],
  ['statistics', 'webhooks', 'moderation', 'posters', 'poster-files', 'posters-of-all', 'turntables', 'preferences'],
  ['token-lists', 'changes-in-logs'],
]
  .flat()
  .map((name, index) => `${String(index + 1).padStart(4, '0')}-${name}`);

const folderFor = () => mkdtemp(join(tmpdir(), 'enfilade-older-'));

/** Restores the backup with the command line. */
async function restored(kind: DatabaseKind): Promise<ApiApp> {
  const [folder, database] = await Promise.all([folderFor(), createDatabase(kind)]);
  const line = await CommandLine.here({});
  const { url } = database;
  await line.done('restore', join(OLDER, 'backup.zip'), '--data', folder, ...(url ? ['--database', url] : []));
  await line.close();
  return ApiApp.on(kind, folder, { ...database, leave: database.drop });
}

/** Opens a copy of the data folder. */
async function opened(): Promise<ApiApp> {
  const folder = await folderFor();
  await cp(join(OLDER, 'installation'), folder, { recursive: true });
  await writeFile(join(folder, 'enfilade.sqlite'), gunzipSync(await readFile(join(folder, 'enfilade.sqlite.gz'))));
  return ApiApp.on('sqlite', folder, { url: undefined, leave: async () => {}, drop: async () => {} });
}

const installations = [
  ...databases.map((kind) => ({ what: `a backup, restored into ${kind}`, open: () => restored(kind) })),
  { what: 'a data folder', open: opened },
];

describe('an installation of 0.14.7', () => {
  test.each(installations)('opens without loss: $what', async ({ open }) => {
    const api = await open();
    try {
      const admin = await api.services.db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow();
      const client = api.client({ token: await api.signIn(admin) });
      const { data: rooms } = await client.rooms.list({ query: {} });
      const kept = rooms.find(({ name }) => name === 'Kept')!;
      const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, policies, ...before } = JSON.parse(
        await readFile(join(OLDER, 'room.json'), 'utf8'),
      );
      expect(await client.rooms.read({ params: { id: kept.id } })).toMatchObject({ ...before, version: 2 });

      // Its log still reads, and further edits follow.
      const { entries } = await client.rooms.log({ params: { id: kept.id }, query: {} });
      expect(entries.at(-1)!.commands.map(({ type }) => type)).toEqual(['element.move', 'room.update']);
      const { seq } = await client.rooms.commit({
        params: { id: kept.id },
        body: { client: 'page', mutation: 1, commands: [{ type: 'room.update', fields: { title: 'Later' } }] },
      });
      expect(seq).toBe(entries.at(-1)!.seq + 1);

      // What was deleted comes back from the bin, and an import is undone.
      const { data: bin } = await client.bin.list({ query: {} });
      const removed = bin.find(({ name }) => name === 'Removed')!;
      const { id } = await client.history.restore({ params: { id: removed.id } });
      const { elements } = await client.rooms.read({ params: { id } });
      expect(elements.map(({ name, children }) => [name, children.map((child) => child.name)])).toEqual([
        ['Wall', ['One', 'Two', 'Inner']],
        ['Door', []],
      ]);
      const { data: jobs } = await client.imports.list({ query: {} });
      await client.imports.undo({ params: { id: jobs.at(-1)!.id }, body: {} });
      expect((await client.imports.list({ query: {} })).data.at(-1)).toMatchObject({
        id: jobs.at(-1)!.id,
        undone_at: expect.any(String),
      });

      // Secrets are still sealed by the same key, and addresses lead to the same structures, in their order.
      const webhooks = await client.webhooks.list();
      expect(webhooks).toHaveLength(1);
      const structures = await client.endpoints.list();
      expect(structures.map(({ slug }) => slug)).toEqual(['entrance', 'kept', 'removed', 'zebra', 'apple', 'mango']);
      const page = await api.send('GET', '/kept', { token: null });
      expect(page.status).toBe(200);
    } finally {
      await api.close();
    }
  });

  test.each(databases)('exported bundles that are imported as they were, on %s', async (kind) => {
    const api = await ApiApp.start(kind);
    const line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    try {
      await line.done('rooms', 'import', join(OLDER, 'room.enfilade.zip'));
      const { data } = await api.client().rooms.list({ query: {} });
      const { elements } = await api.client().rooms.read({ params: { id: data[0]!.id } });
      const wall = elements.find(({ name }) => name === 'Wall')!;
      expect(elements.map(({ name }) => name)).toEqual(['Door', 'Wall']);
      expect(wall.children.map(({ name }) => name)).toEqual(['One', 'Two', 'Inner']);
    } finally {
      await line.close();
      await api.close();
    }
  });

  test('is updated by a server that logs each migration, and its database is closed to other users', async () => {
    const folder = await folderFor();
    await cp(join(OLDER, 'installation'), folder, { recursive: true });
    const file = join(folder, 'enfilade.sqlite');
    await writeFile(file, gunzipSync(await readFile(`${file}.gz`)), { mode: 0o644 });
    const server = new StartedServer({ DATA_DIR: folder, DATABASE_URI: 'postgres://db.example/rooms' });
    await server.address();
    const lines = server.lines();
    const logged = lines.filter(({ migration }) => migration);
    expect(logged.map(({ migration }) => migration)).toEqual(Object.keys(migrations).slice(1));
    expect(logged.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
    const warning = 'Warning: DATABASE_URI is no setting and has no effect. Did you mean DATABASE_URL?';
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([`Updating the database: ${logged.length} migrations…`, warning]),
    );
    for (const name of [file, `${file}-wal`, `${file}-shm`])
      expect(((await stat(name)).mode & 0o777).toString(8), name).toBe('600');
    expect(await server.stop()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  });

  test.each(databases)('is marked as being at the baseline, by several servers at once, on %s', async (kind) => {
    const [folder, { url, drop }] = await Promise.all([folderFor(), createDatabase(kind)]);
    const places = kind === 'sqlite' ? [folder] : [folder, join(folder, 'a'), join(folder, 'b')];
    const servers = places.map((place) => openDatabase({ url, folder: place }));
    const [db] = servers as [Database];
    const list = async (names: string[]) => {
      await sql`delete from kysely_migration`.execute(db);
      for (const name of names)
        await sql`insert into kysely_migration (name, timestamp) values (${name}, ${'2026-11-01'})`.execute(db);
    };
    const names = async () => {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
      return rows.map(({ name }) => name);
    };
    try {
      await migrate(db, '0031-baseline');
      await list(LISTED.slice(0, 30));
      await expect(migrate(db)).rejects.toThrow(/older than 0\.14\.7\. Start 0\.15\.0 once/);
      expect(await names()).toEqual(LISTED.slice(0, 30));
      await list(LISTED);
      await Promise.all(servers.map((server) => migrate(server)));
      expect(await names()).toEqual(Object.keys(migrations));
    } finally {
      await Promise.all(servers.map((server) => server.destroy()));
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
