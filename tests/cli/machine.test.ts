import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { withStartLock } from '../../src/server/core/db/start-lock.ts';
import { databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { serveHere } from '../harness/serve-here.ts';
import { createDatabase } from '../harness/test-database.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };
/** Milliseconds that a test of many commands may take on a slow machine. */
const LONG = 600_000;
const PICTURE = join(import.meta.dirname, '../../fixtures/media/panorama-poster.jpg');

interface Manifest {
  tables: { name: string; rows: number; hash: string; last_id: number }[];
  files: { path: string; hash: string }[];
}

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.here({});
});
afterAll(() => line.close());

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(line.folder, folder, 'manifest.json'), 'utf8'));
const contentOf = async (folder: string) => {
  const { tables, files } = await manifestOf(folder);
  // What is noted of the installation tells of the backup before, and so differs from one to the next.
  return { tables: tables.filter(({ name }) => name !== 'installation_notes'), files };
};

/** Signs in to a server, and sends what an administrator's page would. */
async function signIn(origin: string) {
  const headers = { 'content-type': 'application/json' };
  const send = async (path: string, method: string, body: unknown) => {
    const response = await fetch(`${origin}/api/v1/backend${path}`, { method, headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as { data: { id: number; updated_at: string }; token: string };
  };
  const { token } = await send('/users/login', 'POST', ADMIN);
  Object.assign(headers, { authorization: `Bearer ${token}` });
  return { send, token };
}

describe.each(databases)('an installation on %s', { timeout: LONG }, (kind) => {
  let url: string | undefined;
  let drop: () => Promise<void>;
  const place = () => ['--data', `data-${kind}`, ...(url ? ['--database', url] : [])];
  const environment = () => ({
    DATA_DIR: join(line.folder, `data-${kind}`),
    ADMIN_PASSWORD: ADMIN.password,
    ...(url && { DATABASE_URL: url }),
  });

  beforeAll(async () => {
    ({ url, drop } = await createDatabase(kind));
    const server = await serveHere(environment());
    const { send, token } = await signIn(server.origin);
    const room = (await send('/rooms', 'POST', { title: 'Hall' })).data.id;
    const add = async (body: object) => (await send(`/rooms/${room}/element`, 'POST', body)).data.id;
    const portrait = await add({ element: 'image', name: 'Portrait\u2028“é”' });
    const group = await add({ element: 'group', name: 'Wall' });
    // A row that refers to a later one.
    await send(`/elements/${portrait}`, 'PUT', { parent_element_id: group });
    const gone = (await send('/rooms', 'POST', { title: 'Removed' })).data.id;
    const authorization = `Bearer ${token}`;
    const { origin } = server;
    await fetch(`${origin}/api/v1/backend/rooms/${gone}`, { method: 'DELETE', headers: { authorization } });
    const form = new FormData();
    form.set('file', new File([await readFile(PICTURE)], 'poster.jpg'));
    form.set('accept', 'image');
    const sent = await fetch(`${origin}/api/v1/backend/media`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    expect(sent.ok).toBe(true);
    await server.stop();
  });
  afterAll(() => drop());

  test('is backed up while nothing is lost, and comes back elsewhere as it was', async () => {
    const backup = `backup-${kind}`;
    expect(await line.json('backup', backup, ...place())).toMatchObject({ folder: backup, files: expect.any(Number) });
    const before = await contentOf(backup);
    expect(before.files.length).toBeGreaterThan(0);
    expect(before.tables.find(({ name }) => name === 'elements')).toMatchObject({ rows: 2, last_id: 2 });
    // The id of the room that was removed is not given again.
    expect(before.tables.find(({ name }) => name === 'rooms')).toMatchObject({ rows: 1, last_id: 2 });

    const elsewhere = await createDatabase(kind);
    const other = ['--data', `other-${kind}`, ...(elsewhere.url ? ['--database', elsewhere.url] : [])];
    try {
      await line.done('restore', backup, ...other);
      await line.done('backup', `again-${kind}`, ...other);
      expect(await contentOf(`again-${kind}`)).toEqual(before);

      const refused = await line.run(['restore', backup, ...other]);
      expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('The database is in use.') });
      await line.done('users', 'add', '--email', 'kim@example.com', ...other);
      await line.done('restore', backup, '--force', ...other);
      await line.done('backup', `forced-${kind}`, ...other);
      expect(await contentOf(`forced-${kind}`)).toEqual(before);
    } finally {
      await elsewhere.drop();
    }
  });

  test('a backup that is not whole, or not what it was, changes nothing', async () => {
    const backup = `broken-${kind}`;
    await line.done('backup', backup, ...place());
    const taken = await line.run(['backup', backup, ...place()]);
    expect(taken).toMatchObject({ code: 1, error: expect.stringContaining('is there already') });
    await line.done('backup', `before-${kind}`, ...place());

    const rooms = join(line.folder, backup, 'tables/rooms.jsonl');
    const text = await readFile(rooms, 'utf8');
    const tries: [() => Promise<unknown>, RegExp][] = [
      [() => writeFile(rooms, text.replace('Hall', 'Wall')), /rooms\.jsonl is damaged/],
      [() => writeFile(rooms, text.slice(0, -20)), /rooms\.jsonl is damaged/],
      [() => rm(rooms), /rooms\.jsonl is missing/],
      [() => writeFile(join(line.folder, backup, 'manifest.json'), '{"format":1}'), /manifest\.json is damaged/],
    ];
    for (const [spoil, sentence] of tries) {
      await spoil();
      const run = await line.run(['restore', backup, '--force', ...place()]);
      expect(run).toMatchObject({ code: 1, error: expect.stringMatching(sentence) });
    }
    await line.done('backup', `after-${kind}`, ...place());
    expect(await contentOf(`after-${kind}`)).toEqual(await contentOf(`before-${kind}`));
  });

  test('is one file as well, from which it comes back as it was', async () => {
    const archive = `whole-${kind}.enfilade-backup.zip`;
    const made = await line.json('backup', archive, ...place());
    expect(made).toMatchObject({ file: archive, files: expect.any(Number) });
    expect((await stat(join(line.folder, archive))).mode & 0o777).toBe(0o600);
    expect((await readdir(line.folder)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
    await line.done('backup', `folder-${kind}`, ...place());
    const elsewhere = await createDatabase(kind);
    const other = ['--data', `unpacked-${kind}`, ...(elsewhere.url ? ['--database', elsewhere.url] : [])];
    try {
      await line.done('restore', archive, ...other);
      await line.done('backup', `from-archive-${kind}`, ...other);
      const before = await contentOf(`folder-${kind}`);
      expect(await contentOf(`from-archive-${kind}`)).toEqual(before);
      expect(before.files.length).toBe(made.files);
      const key = join(line.folder, `unpacked-${kind}`, 'secret.key');
      expect((await stat(key)).mode & 0o777).toBe(0o600);
    } finally {
      await elsewhere.drop();
    }
    const taken = await line.run(['backup', archive, ...place()]);
    expect(taken).toMatchObject({ code: 1, error: expect.stringContaining('is there already') });
  });

  test('one file that is cut off or damaged anywhere restores nothing', async () => {
    const archive = `cut-${kind}.zip`;
    await Promise.all([archive, `uncut-${kind}`].map((target) => line.done('backup', target, ...place())));
    const whole = await readFile(join(line.folder, archive));
    const swapped = (at: number) => {
      const copy = Buffer.from(whole);
      copy[at] = copy[at]! ^ 0xff;
      return copy;
    };
    const picture = whole.indexOf(Buffer.from([0xff, 0xd8, 0xff])) + 1000;
    expect(picture).toBeGreaterThan(1000);
    const table = whole.indexOf('tables/changes.jsonl') + 100;
    const tries: [Buffer, RegExp][] = [
      [Buffer.alloc(0), /is no backup, or is cut off/],
      [whole.subarray(0, 100), /is no backup, or is cut off/],
      [whole.subarray(0, Math.floor(whole.length / 2)), /is no backup, or is cut off/],
      [whole.subarray(0, -1), /is no backup, or is cut off/],
      [swapped(picture), /media\/.* in .*cut-.*\.zip is damaged/],
      [swapped(table), /tables\/.*\.jsonl in .* is damaged/],
    ];
    const other = ['--data', `empty-${kind}`];
    for (const [bytes, sentence] of tries) {
      await writeFile(join(line.folder, archive), bytes);
      const places = [['--force', ...place()], other];
      const runs = await Promise.all(places.map((where) => line.run(['restore', archive, ...where])));
      for (const run of runs) expect(run).toMatchObject({ code: 1, error: expect.stringMatching(sentence) });
    }
    // A refused backup creates no database for the new installation.
    expect(await readdir(line.folder)).not.toContain(`empty-${kind}`);
    await line.done('backup', `still-${kind}`, ...place());
    expect(await contentOf(`still-${kind}`)).toEqual(await contentOf(`uncut-${kind}`));
  });

  test.skipIf(!databases.includes('postgres'))('moves into PostgreSQL, compared row by row', async () => {
    const target = await createDatabase('postgres');
    try {
      const moved = await line.json('move', '--to', target.url!, ...place());
      await Promise.all([
        line.done('backup', `from-${kind}`, ...place()),
        line.done('backup', `to-${kind}`, '--data', `data-${kind}`, '--database', target.url!),
      ]);
      const [from, to] = [await contentOf(`from-${kind}`), await contentOf(`to-${kind}`)];
      expect(to).toEqual(from);
      const all = (await manifestOf(`from-${kind}`)).tables;
      expect(moved.rows).toBe(all.reduce((sum, { rows }) => sum + rows, 0));
      const twice = await line.run(['move', '--to', target.url!, ...place()]);
      expect(twice).toMatchObject({ code: 1, error: expect.stringContaining('holds an organization already') });

      // The moved installation goes on: references hold, and ids go on after the highest that was ever given.
      const server = await serveHere({ ...environment(), DATABASE_URL: target.url! });
      const { send } = await signIn(server.origin);
      expect((await send('/rooms', 'POST', { title: 'New' })).data.id).toBe(3);
      await server.stop();
    } finally {
      await target.drop();
    }
  });
});

describe('the database on this machine', () => {
  const place = ['--data', 'own'];

  test('gets organizations under normalized hosts, and users, whose passwords open the back-office', async () => {
    const made = await line.json('org', 'create', '--name', 'Museum', '--email', 'Ann@Example.com', ...place);
    expect(made).toEqual({ id: 1, email: 'ann@example.com', password: expect.stringMatching(/^(?:\w{4}-){3}\w{4}$/) });
    const second = ['org', 'create', '--name', 'Hall', '--email', 'bob@example.com', '--host', 'Hall.Example.com.:443'];
    const asked = await line.run([...second, '--ask-password', ...place], { input: `${ADMIN.password}\n` });
    expect(asked).toMatchObject({ code: 0, out: 'Organization 2: Hall\nE-mail    bob@example.com\n' });
    const server = await serveHere({ DATA_DIR: join(line.folder, 'own') });
    const login = async (email: string, password: string) =>
      (
        await fetch(`${server.origin}/api/v1/backend/users/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        })
      ).status;
    expect(await login('ann@example.com', made.password)).toBe(200);
    expect(await login('ann@example.com', ADMIN.password)).toBe(422);
    expect(await login('bob@example.com', ADMIN.password)).toBe(200);
    await server.stop();
  });

  test('limits what an organization may have, and lists what it has', async () => {
    const set = await line.run(['org', 'quota', '2', '--storage', '1.5GB', '--spaces', '20', '--mails', '5', ...place]);
    expect(set).toMatchObject({ code: 0 });
    expect(set.out).toMatch(/^Organization 2: Hall\nstorage {5}0 of 1,500 MB\nspaces {6}0 of 20\nstructures {2}0\n/);
    const { usage } = await line.json('org', 'quota', '2', '--spaces', 'none', ...place);
    expect(usage.map(({ quota, limit }: { quota: string; limit: number | null }) => [quota, limit])).toEqual([
      ['storage', 1_500_000_000],
      ['spaces', null],
      ['structures', null],
      ['users', null],
      ['tokens', null],
      ['mails', 5],
    ]);
    const list = await line.json('org', 'list', ...place);
    expect(list.map(({ name, host }: { name: string; host: string | null }) => [name, host])).toEqual([
      ['Museum', null],
      ['Hall', 'hall.example.com'],
    ]);
    expect((await line.run(['org', 'list', ...place])).out).toMatch(/ 2 +Hall +hall\.example\.com +0 of 1,500 MB /);
  });

  test('lets passwords in again with a user who is added here: the way in when an identity provider is lost', async () => {
    const db = openDatabase({ folder: join(line.folder, 'own') });
    await db.updateTable('organizations').set({ has_password_sign_in: 0 }).execute();
    await line.done('users', 'add', '--email', 'eva@example.com', '--organization', '1', ...place);
    const rows = await db.selectFrom('organizations').select('has_password_sign_in').orderBy('id').execute();
    expect(rows.map(({ has_password_sign_in }) => has_password_sign_in)).toEqual([1, 0]);
    await db.destroy();
  });

  test.each([
    [['org', 'quota', '9', '--spaces', '1'], 1, 'Organization 9 not found'],
    [['org', 'quota', 'x', '--spaces', '1'], 1, 'Organization x not found'],
    [['org', 'quota', '1'], 2, 'No limit specified'],
    [['org', 'quota', '1', '--spaces', '-1'], 2, '--spaces: invalid limit -1'],
    [['org', 'quota', '1', '--spaces', '1.5'], 2, '--spaces: invalid limit 1.5'],
    [['org', 'quota', '1', '--storage', '5 boxes'], 2, '--storage: invalid limit 5 boxes'],
    [['org', 'create', '--name', 'X', '--email', 'ann@example.com'], 1, 'address ann@example.com already exists'],
    [
      ['org', 'create', '--name', 'X', '--email', 'x@y.z', '--host', 'hall.example.com'],
      1,
      'hall.example.com is already used',
    ],
    [
      ['org', 'create', '--name', 'X', '--email', 'x@y.z', '--host', 'HALL.example.com.'],
      1,
      'host name hall.example.com is already used',
    ],
    [['org', 'create', '--name', 'X', '--email', 'x@y.z', '--host', 'https://x.example'], 2, 'Invalid host name'],
    [['users', 'add', '--email', 'nobody'], 2, 'Invalid e-mail address: nobody'],
    [['users', 'add', '--email', 'new@example.com'], 2, 'Specify the organization with --organization'],
    [['users', 'add', '--email', 'new@example.com', '--organization', '9'], 1, 'Organization 9 not found'],
    [['users', 'add', '--email', 'new@example.com', '--organization', '1', '--ask-password'], 2, '10 to 1024'],
    [['move', '--to', 'mysql://x'], 2, '--to must start with postgres://'],
    [['move', '--to', 'postgres://127.0.0.1:1/none'], 3, "can't be reached"],
    [['restore', 'nothing'], 1, 'is no backup'],
    [['restore', 'nothing.zip'], 1, 'is no backup'],
    [['backup', '/dev/null/monday.zip'], 1, 'Disk error: '],
    [['migrate', '--database', 'nonsense'], 2, 'DATABASE_URL must begin with postgres://'],
  ])('%j is refused', async (args, code, sentence) => {
    const run = await line.run([...args, ...place], { input: 'short\n' });
    expect(run).toMatchObject({ code, out: '', error: expect.stringContaining(sentence) });
  });

  test.runIf(databases.includes('postgres'))(
    'is brought up to date while no server does: commands wait for one that starts',
    async () => {
      const { url: empty, drop: dropEmpty } = await createDatabase('postgres');
      const db = openDatabase({ url: empty, folder: line.folder });
      const waiting = async () =>
        (await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db)).rows.length;
      const begun = Promise.withResolvers<void>();
      const ends = Promise.withResolvers<void>();
      const starting = withStartLock(empty, () => {
        begun.resolve();
        return ends.promise;
      });
      await begun.promise;
      const command = line.run(['migrate', '--database', empty!]);
      await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
      ends.resolve();
      await starting;
      expect(await command).toMatchObject({ code: 0, out: expect.stringContaining('0031-baseline') });
      await db.destroy();
      await dropEmpty();
    },
  );

  test('is brought up to date once', async () => {
    const first = await line.json('migrate', '--data', 'fresh');
    expect(first.done.length).toBeGreaterThan(3);
    expect(first.steps[0]).toEqual({ name: '0031-baseline', milliseconds: expect.any(Number) });
    expect(await line.json('migrate', '--data', 'fresh')).toEqual({ done: [], steps: [] });
    expect((await line.run(['migrate', '--dry-run', '--data', 'none'])).error).toContain('No installation in');
    const empty = await line.run(['move', '--to', 'postgres://127.0.0.1:1/none', '--data', 'fresh']);
    expect(empty.code).not.toBe(0);
    await mkdir(join(line.folder, 'blank'));
    const nothing = await line.run(['backup', 'none', '--data', 'blank']);
    expect(nothing).toMatchObject({ code: 1, error: expect.stringContaining('No installation in') });
    // A folder that is mistyped does not become one.
    expect(await readdir(join(line.folder, 'blank'))).toEqual([]);
    expect(await readdir(line.folder)).not.toContain('none');
  });

  test('serves until it is stopped, and ends well', async () => {
    let output = '';
    const { code } = await line.run(['serve', '--port', '0', '--data', 'own'], {
      onStart: (child) =>
        child.stdout!.on('data', (text: Buffer) => {
          output += text;
          if (/"admin":"http[^"]+"/.test(output)) child.kill('SIGTERM');
        }),
    });
    expect(code).toBe(0);
  });
});
