import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { serveHere } from '../harness/serve-here.ts';
import { createDatabase } from '../harness/test-database.ts';

const MONTH = new Date().toISOString().slice(0, 7);

describe.each(databases)('organizations of a server that runs, on %s', (kind) => {
  let line: CommandLine;
  let drop: () => Promise<void>;
  let place: string[];
  let stop: () => Promise<void>;
  let origin: string;
  beforeAll(async () => {
    line = await CommandLine.here({ ENFILADE_YES: undefined });
    const database = await createDatabase(kind);
    drop = database.drop;
    const folder = join(line.folder, 'data');
    place = ['--data', folder, ...(database.url ? ['--database', database.url] : [])];
    ({ origin, stop } = await serveHere({ DATA_DIR: folder, ...(database.url && { DATABASE_URL: database.url }) }));
    const create = ['organizations', 'create', '--name', 'Museum', '--email', 'two@example.com'];
    await line.done(...create, '--host', 'two.example', ...place);
  });
  afterAll(async () => {
    await stop();
    await line.close();
    await drop();
  });

  const run = (...args: string[]) => line.run(['organizations', ...args, ...place]);
  const done = (...args: string[]) => line.done('organizations', ...args, ...place);
  const list = async () => JSON.parse(await done('list', '--json'));

  /** Status under a host, which `fetch` can't set. */
  const statusUnder = (host: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${origin}/api/v1/settings`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.on('error', reject).end();
    });

  it('are listed with their state and hosts, also under the older name of the group', async () => {
    expect(await list()).toMatchObject([
      { id: 1, hosts: [], state: 'active' },
      { id: 2, name: 'Museum', host: 'two.example', hosts: ['two.example'], state: 'active', delete_after: null },
    ]);
    expect(await line.done('org', 'list', '--csv', ...place)).toBe(await done('list', '--csv'));
    const [head] = (await done('list', '--csv')).split('\r\n');
    expect(head).toBe(
      '"id","name","hosts","storage","spaces","structures","users","tokens","mails","state","delete_after","created_at"',
    );
  });

  it('are suspended, and the server follows within seconds', async () => {
    expect(await done('suspend', '2')).toBe('Organization 2: Museum, suspended\n');
    expect((await list())[1]).toMatchObject({ state: 'suspended', suspended_at: expect.any(String) });
    await expect.poll(() => statusUnder('two.example')).toBe(503);
    expect(await run('suspend', '2')).toMatchObject({
      code: 1,
      error: expect.stringContaining('is suspended already'),
    });
    expect(await done('resume', '2')).toBe('Organization 2: Museum, active\n');
    await expect.poll(() => statusUnder('two.example')).toBe(200);
    expect(await run('resume', '2')).toMatchObject({ code: 1, error: expect.stringContaining("isn't suspended") });
  });

  it('get other names and host names', async () => {
    expect(await done('rename', '2', 'City Museum')).toBe('Organization 2: City Museum, active\n');
    expect(await done('hosts', '2', '--add', 'WWW.Two.example')).toBe('two.example  (primary)\nwww.two.example\n');
    expect(JSON.parse(await done('hosts', '2', '--primary', 'www.two.example', '--json'))).toEqual({
      id: 2,
      hosts: ['www.two.example', 'two.example'],
    });
    expect(await done('hosts', '1')).toBe('None: it answers on all host names of no other organization.\n');
    await expect.poll(() => statusUnder('www.two.example')).toBe(200);
  });

  it.each([
    [['hosts', '1', '--add', 'two.example'], 1, 'is already used by City Museum'],
    [['hosts', '1', '--add', 'http://x'], 2, 'Invalid host name: http://x'],
    [['hosts', '2', '--remove', 'two.example', '--remove', 'www.two.example'], 1, 'is the last host name'],
    [['hosts', '9'], 1, 'Organization 9 not found'],
    [['rename', '2', ' '], 1, 'The name must have 1 to 255 characters'],
    [['suspend', 'museum'], 1, 'Organization museum not found'],
    [['restore', '2'], 1, "hasn't been deleted"],
    [['delete', '2'], 2, 'not_confirmed'],
    [['delete', '2', '--after', '0', '--yes'], 2, 'Invalid period: 0 days'],
    [['delete', '2', '--after', 'x', '--yes'], 2, 'invalid number of days x'],
    [['delete', '2', '--after', '3', '--now', '--yes'], 2, '--now excludes --after'],
    [['delete', '2', '--now', '--yes'], 1, "The confirmation doesn't match"],
    [['delete', '2', '--now', '--confirm', 'city museum', '--yes'], 1, "The confirmation doesn't match"],
    [['usage', '--month', '2026-13'], 2, 'invalid month 2026-13'],
  ])('%j is refused, and changes nothing', async (args, code, message) => {
    const before = await done('list', '--json');
    expect(await run(...args)).toMatchObject({ code, out: '', error: expect.stringContaining(message) });
    expect(await done('list', '--json')).toBe(before);
  });

  it('show the usage of a month as a table, CSV and JSON', async () => {
    const [one, two] = JSON.parse(await done('usage', '--json'));
    expect(one).toMatchObject({ id: 1, month: MONTH, seats: 1 });
    expect(two).toMatchObject({
      id: 2,
      name: 'City Museum',
      bytes: 0,
      visits: 0,
      active_users: 0,
      seats: 1,
      emails: 0,
    });
    expect((await done('usage', '--month', MONTH, '--csv')).split('\r\n').slice(0, 1)).toEqual([
      '"id","name","month","bytes","visits","active_users","seats","emails"',
    ]);
    expect(await done('usage', '--month', '2001-01')).toBe('No entries.\n');
  });

  it('are deleted after a period, until which they are restored; with --now at once', async () => {
    expect(await done('delete', '2', '--dry-run')).toBe(
      'Would suspend organization 2: City Museum, and delete its data after 30 days.\n',
    );
    expect((await list())[1]).toMatchObject({ state: 'active' });
    expect(await done('delete', '2', '--after', '10', '--yes')).toMatch(
      /^Organization 2: City Museum, deleted\nIts data is deleted after \d{4}-.*Z\. Until then, .* restore 2 cancels it\.\n$/,
    );
    const [, { delete_after, state }] = await list();
    expect([state, Math.round((Date.parse(delete_after) - Date.now()) / 86_400_000)]).toEqual(['deleted', 10]);
    expect(await run('suspend', '2')).toMatchObject({ code: 1, error: expect.stringContaining('has been deleted') });
    expect(await run('delete', '1', '--yes')).toMatchObject({
      code: 1,
      error: expect.stringContaining('is the only one'),
    });
    expect(await done('restore', '2')).toBe('Organization 2: City Museum, active\n');
    await done('delete', '2', '--now', '--confirm', 'City Museum', '--yes');
    expect(await run('restore', '2')).toMatchObject({ code: 1, error: expect.stringContaining('The period of') });
    // A server that starts begins with it; so does one that runs, within a minute.
    await stop();
    const url = place[3];
    ({ origin, stop } = await serveHere({ DATA_DIR: place[1]!, ...(url && { DATABASE_URL: url }) }));
    await expect.poll(async () => (await list()).map(({ id }: { id: number }) => id)).toEqual([1]);
    const db = openDatabase({ folder: place[1]!, url });
    expect(await db.selectFrom('organization_hosts').select('id').execute()).toEqual([]);
    await db.destroy();
    const usage = JSON.parse(await done('usage', '--json'));
    expect(usage.map(({ id, name }: { id: number; name: string | null }) => [id, name === null])).toEqual([
      [1, false],
      [2, true],
    ]);
  });
});
