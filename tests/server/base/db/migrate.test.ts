import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/server/base/clock.ts';
import { type Database, openDatabase } from '../../../../src/server/base/db/database.ts';
import { migrate, migrations } from '../../../../src/server/base/db/migrate.ts';
import { CommandLine } from '../../../harness/command-line.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { createDatabase, databases, dumpOf } from '../../../harness/test-database.ts';
import { insertOrganization, insertUser } from '../../../harness/test-organizations.ts';

/** Statements at which an update fails. */
const FAILURES = [1, 2, 5, 20, 60, 90];

/** Fails at one statement of those that are made through it. */
class FailAt implements KyselyPlugin {
  #left: number;
  constructor(statement: number) {
    this.#left = statement;
  }
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    if (--this.#left === 0) throw new Error('The disk is full.');
    return node;
  };
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}

const tablesOf = async (db: Database) => (await db.introspection.getTables()).map(({ name }) => name);

describe.each(databases)('bringing a database up to date, on %s', (kind) => {
  let folder: string;
  let url: string | undefined;
  let drop: () => Promise<void>;
  let db: Database;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-migrate-'));
    ({ url, drop } = await createDatabase(kind));
    db = openDatabase({ url, folder });
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('security 64: a statement that fails leaves nothing of what came before it, and the next try does all', async () => {
    for (const statement of FAILURES) {
      await expect(migrate(db.withPlugin(new FailAt(statement)))).rejects.toThrow('The disk is full.');
      expect(await tablesOf(db), `statement ${statement}`).toEqual([]);
    }
    expect(await migrate(db)).toEqual(Object.keys(migrations));
  });

  test('whoever could edit what files are used in goes on to have them, once the library has rights of its own', async () => {
    const { url: other, drop: dropOther } = await createDatabase(kind);
    const place = await mkdtemp(join(tmpdir(), 'enfilade-rights-'));
    const old = openDatabase({ url: other, folder: place });
    await migrate(old, '0010-token-order');
    const organization = await insertOrganization(old, systemClock, null);
    const all = { view_any: true, create: true, update: true, delete: true };
    const none = { view_any: false, create: false, update: false, delete: false };
    const view = { ...none, view_any: true };
    const given = {
      everything: { endpoints: all, rooms: all, live_streams: all, access_tokens: all, settings: all, templates: all },
      'rooms without removal': { rooms: { ...all, delete: false } },
      'templates only': { templates: { ...none, update: true } },
      'settings only': { settings: { ...none, update: true } },
      'a reader': { rooms: view, templates: view, settings: view, endpoints: all },
    };
    for (const [name, policies] of Object.entries(given)) {
      const user = await insertUser(old, systemClock, organization, {});
      // As they were stored before there was such an area.
      await old
        .updateTable('users')
        .set({ name, policies: JSON.stringify(policies) })
        .where('id', '=', user.id)
        .execute();
      const at = new Date(0).toISOString();
      const key = { organization_id: organization, user_id: user.id, name, hint: 'abcd', key_hash: name };
      const times = { expires_at: null, last_used_at: null, created_at: at, updated_at: at };
      await old
        .insertInto('api_keys')
        .values({ ...key, ...times, policies: JSON.stringify(policies) })
        .execute();
    }
    expect(await migrate(old)).toContain('0011-media-rights');
    for (const table of ['users', 'api_keys'] as const) {
      const rows = await old.selectFrom(table).select(['name', 'policies']).orderBy('id').execute();
      expect(rows.map(({ name, policies }) => [name, JSON.parse(policies).media])).toEqual([
        ['everything', all],
        ['rooms without removal', { ...all, delete: false }],
        ['templates only', { ...all, delete: false }],
        ['settings only', { ...all, delete: false }],
        ['a reader', none],
      ]);
      expect(JSON.parse(rows[0]!.policies)).toMatchObject(given.everything);
    }
    await old.destroy();
    await dropOther();
    await rm(place, { recursive: true, force: true });
  });

  test('host names are kept as browsers send them; of two that become one, the first has it', async () => {
    const { url: other, drop: dropOther } = await createDatabase(kind);
    const place = await mkdtemp(join(tmpdir(), 'enfilade-hosts-'));
    const old = openDatabase({ url: other, folder: place });
    await migrate(old, '0012-own-sessions');
    const at = new Date(0).toISOString();
    const hosts = ['C.Test', 'c.test:8080', 'münchen.example.', 'plain.example', null, null, 'no host'];
    for (const host of hosts)
      await sql`
        insert into organizations (name, host, meta_title, meta_description, font_color, embed_domains, realtime_api_key, created_at, updated_at)
        values ('X', ${host}, '', '', '#000000', '[]', 'key', ${at}, ${at})
      `.execute(old);
    await migrate(old);
    const rows = await old.selectFrom('organizations').select(['host', 'quotas']).orderBy('id').execute();
    const kept = ['c.test', 'c.test:8080', 'xn--mnchen-3ya.example', 'plain.example', null, null, 'no host'];
    expect(rows).toEqual(kept.map((host) => ({ host, quotas: '{}' })));
    await old.destroy();
    await dropOther();
    await rm(place, { recursive: true, force: true });
  });

  test('a font color that nobody chose is none; others stay', async () => {
    const { url: other, drop: dropOther } = await createDatabase(kind);
    const place = await mkdtemp(join(tmpdir(), 'enfilade-colors-'));
    const old = openDatabase({ url: other, folder: place });
    await migrate(old, '0015-sign-in');
    const at = new Date(0).toISOString();
    for (const color of ['#14171C', '#ABCDEF'])
      await sql`
        insert into organizations (name, meta_title, meta_description, font_color, embed_domains, realtime_api_key, created_at, updated_at)
        values ('X', '', '', ${color}, '[]', 'key', ${at}, ${at})
      `.execute(old);
    await migrate(old);
    const rows = await old.selectFrom('organizations').select('font_color').orderBy('id').execute();
    expect(rows).toEqual([{ font_color: null }, { font_color: '#ABCDEF' }]);
    await old.destroy();
    await dropOther();
    await rm(place, { recursive: true, force: true });
  });

  test('security 64: a database of a newer version is refused by server and command line, and stays as it is', async () => {
    await migrate(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '2099-01-01')`.execute(db);
    const before = await dumpOf(db);
    const says = /^The database belongs to a newer version of the program, or is damaged: .*9999-of-tomorrow/;
    await expect(migrate(db)).rejects.toThrow(says);
    const server = new StartedServer({ DATA_DIR: folder, ...(url && { DATABASE_URL: url }) });
    expect(await server.ended).toBe(1);
    expect(server.lines()[0].msg).toMatch(says);
    const line = await CommandLine.here({ DATA_DIR: folder, ...(url && { DATABASE_URL: url }) });
    const run = await line.run(['migrate']);
    expect([run.code, run.out]).toEqual([1, '']);
    expect(run.error).toContain('belongs to a newer version of the program');
    await line.close();
    expect(await dumpOf(db)).toBe(before);
  });
});
