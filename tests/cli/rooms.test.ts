import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, open, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LINT_CODES } from '../../engine/document/lint/codes.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { makeFilm } from '../harness/film.ts';
import { ROOT } from '../harness/started-server.ts';
import { zipOf } from '../harness/zip.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

/** Milliseconds that a test of many commands may take on a slow machine. */
const LONG = 600_000;

describe.each(databases)('rooms from the command line on %s', { timeout: LONG }, (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  /** The same for the other organization: another place to import into. */
  let elsewhere: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    elsewhere = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.two.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await elsewhere.close();
    await api.close();
  });

  it('lists come in the order that is asked for, and refuse one that they do not have', async () => {
    const client = api.client();
    for (const name of ['Sorted A', 'Sorted B']) {
      api.clock.advance(1000);
      await client.rooms.create({ body: { title: name, name } });
      await client.templates.create({ body: { name } });
      await client.feeds.create({ body: { name, type: 'local' } });
      await client.users.invite({ body: { name, email: `${name.at(-1)}@example.com`, policies: allPolicies() } });
    }
    for (const [noun, sort] of [
      ['rooms', '-edited'],
      ['templates', '-edited'],
      ['feeds', '-name'],
      ['users', '-email'],
    ] as const) {
      const rows = await line.json(noun, 'list', '--sort', sort);
      const names = rows.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('Sorted'));
      expect(names, noun).toEqual(['Sorted B', 'Sorted A']);
    }
    expect(await line.run(['rooms', 'list', '--sort', 'size'])).toMatchObject({ code: 2 });
    for (const noun of ['rooms', 'templates'] as const)
      for (const { id } of (await client[noun].list({ query: { search: 'Sorted' } })).data)
        await client[noun].remove({ params: { id } });
  });

  it('a bundle brings a room with its template and media elsewhere; exported from there it is the same, byte by byte', async () => {
    const client = api.client();
    const upload = (content: Buffer, name: string) =>
      client.media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } });
    const media = await upload(PIXEL, 'pixel.png');
    const page = [
      { name: 'index.html', content: '<h1>Hi</h1>' },
      { name: 'a/b.txt', content: 'b' },
    ];
    const site = await upload(zipOf(page), 'page.zip');
    const files = { logo_file_id: media.id, video_file_id: (await upload(makeFilm(), 'film.mp4')).id };
    const template = await client.templates.create({ body: { name: 'White', ...files } });
    const room = await client.rooms.create({ body: { title: 'Gallery', template_id: template.id } });
    const params = { id: room.id };
    const door = await client.rooms.addElement({ params, body: { element: 'view_point', name: 'Door' } });
    const navigation = { type: 'view_point' as const, type_config: { view_point_id: door.id } };
    await client.rooms.addElement({ params, body: { element: 'image', file_id: media.id, config: { navigation } } });
    await client.rooms.addElement({ params, body: { element: 'iframe', file_id: site.id } });
    await client.rooms.addElement({
      params,
      body: { element: 'html', config: { body: `<p><img src="${media.url}" /></p>` } },
    });
    await client.endpoints.create({ body: { name: 'Gallery', room_id: room.id } });

    const first = join(line.folder, 'gallery.enfilade.zip');
    await line.done('rooms', 'export', 'gallery', '--with-media', first);
    const dry = await elsewhere.json('rooms', 'import', first, '--dry-run');
    expect(dry).toMatchObject({ applied: false, job: null, counts: { create: 2 } });
    expect(await elsewhere.json('rooms', 'list')).toEqual([]);
    expect(await elsewhere.done('rooms', 'import', first)).toMatch(
      /create +template +White\n[\s\S]*create +room +Gallery\n/,
    );
    const [made] = await elsewhere.json('rooms', 'list');
    const second = join(elsewhere.folder, 'again.enfilade.zip');
    await elsewhere.done('rooms', 'export', 'Gallery', '--with-media', second);
    expect((await readFile(second)).equals(await readFile(first))).toBe(true);

    const copy = await api.client(api.two.admin).rooms.read({ params: { id: made.id } });
    const [point, image, frame, html] = copy.elements;
    expect(image!.file).toMatchObject({ name: 'pixel.png', url: media.url });
    expect(image!.file_id).not.toBe(media.id);
    expect(image!.config).toMatchObject({ navigation: { type_config: { view_point_id: point!.id } } });
    expect(frame!.file!.url).toMatch(/index\.html$/);
    expect(html!.config).toMatchObject({ body: expect.stringContaining(media.url) });
    expect(copy.template).toMatchObject({ name: 'White', logo_file: { name: 'pixel.png' } });
    expect(copy.template).toMatchObject({ video_file: { name: 'film.mp4', type: 'video' } });
    // Nothing is stored twice, and what is there already stays as it is, whatever ids it has.
    await copyFile(second, join(elsewhere.folder, 'same.ZIP'));
    const same = await elsewhere.done('rooms', 'import', 'same.ZIP');
    expect(same).toBe('Nothing changed (2 things checked).\n');
    // Bundles and documents beside each other are one import, with one job.
    await elsewhere.file('beside.json', JSON.stringify({ title: 'Beside' }));
    const mixed = await elsewhere.json('rooms', 'import', 'same.ZIP', 'beside.json');
    expect(mixed).toMatchObject({ job: expect.any(Number), counts: { create: 1, unchanged: 2 } });
    const both = await elsewhere.run(['rooms', 'export', 'Gallery', '--with-media', 'a.zip', '--out', 'b.zip']);
    expect(both).toMatchObject({ code: 2, error: expect.stringContaining('both specify the output file') });
    expect(await elsewhere.json('media', 'list')).toHaveLength(3);
  });

  it('exports documents and tables, imports them with a plan, and takes a run back', async () => {
    const file = await line.file(
      'hall.json',
      JSON.stringify({ title: 'Hall', elements: [{ id: 1, element: 'group' }] }),
    );
    const table = await line.file('rooms.csv', 'name;width;duration\r\n"Hall, ""west""";500;60\r\n=Sum;;\r\n');
    const made = await line.json('rooms', 'import', file, table);
    expect(made.counts).toMatchObject({ create: 3, wrong: 0 });
    expect(await line.done('rooms', 'import', file, table)).toBe('Nothing changed (3 rooms checked).\n');
    const exported = await line.done('rooms', 'export', 'Hall', '--out', 'again.json');
    expect(exported).toBe('');
    expect(await line.done('rooms', 'import', 'again.json')).toBe('Nothing changed (1 room checked).\n');
    const csv = await line.done('rooms', 'export', '--all', '--csv');
    expect(csv).toContain('"Hall, ""west""","Hall, ""west""","","","500","1000","6000","60"\r\n');
    expect(csv).toContain(`"'=Sum"`);
    await line.file('back.csv', csv);
    expect(await line.done('rooms', 'import', 'back.csv')).toMatch(/^Nothing changed \(.* checked\)\.\n$/);
    expect((await line.json('jobs'))[0]).toMatchObject({ id: made.job, is_undoable: true });
    expect(await line.done('undo', String(made.job))).toBe('Undone: 3.\n');
    const names = (await line.json('rooms', 'list')).map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Hall');
  });

  it('makes a room and its structure from each row, updates them when run again, and takes one run back', async () => {
    const template = {
      title: '{name} at {City}',
      name: '{name}',
      elements: [{ id: 1, element: 'text', name: 'Sign', config: { text: 'Welcome to {City}' } }],
      endpoint: { path: '{path}' },
    };
    await line.file('venue.json', JSON.stringify(template));
    await line.file('map.json', JSON.stringify({ Seconds: 'config.duration' }));
    const run = (rows: string) =>
      line
        .file('venues.csv', rows)
        .then(() =>
          line.json('rooms', 'create', '--template', 'venue.json', '--rows', 'venues.csv', '--map', 'map.json'),
        );
    const first = await run('name,path,City,Seconds\nOne,one,Bonn,60\nTwo,two,Köln,90\n');
    expect(first.counts).toMatchObject({ create: 4 });
    await line.file('wrong.csv', 'name,path,City\nThree,three,Ulm\n,four,Trier\n');
    const flags = ['--template', 'venue.json', '--rows', 'wrong.csv', '--map', 'map.json'];
    const wrong = await line.run(['rooms', 'create', ...flags]);
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.error).toContain('wrong.csv, line 1, Seconds: the mapping refers to a missing column');
    const second = await run('name,path,City,Seconds\nOne,one,Bonn,60\nTwo,two,Kiel,90\n');
    expect(second.counts).toMatchObject({ create: 0, update: 2 });
    const two = JSON.parse(await line.done('rooms', 'export', 'two'));
    expect([two.title, two.config.duration, two.elements[0].config.text]).toEqual([
      'Two at Kiel',
      90,
      'Welcome to Kiel',
    ]);
    await line.done('undo', String(second.job));
    expect(JSON.parse(await line.done('rooms', 'export', 'two')).title).toBe('Two at Köln');
    await line.done('undo', String(first.job));
    const paths = (await line.json('endpoints', 'list')).map(({ path }: { path: string }) => path);
    expect(paths.filter((path: string) => ['one', 'two'].includes(path))).toEqual([]);
  });

  it('imports structures from a table, and finds dead and hidden links between them', async () => {
    const link = (path: string) => ({
      name: path,
      navigation: { type: 'space', type_config: { endpoint_url: `/${path}` } },
    });
    const config = { top_left_link: link('nowhere'), top_right_link: link('store') };
    await line.file('site.json', JSON.stringify([{ title: 'Shop', config }, { title: 'Store' }]));
    await line.done('rooms', 'import', 'site.json');
    await line.file(
      'paths.csv',
      'path,name,room,is_visible\nhome,Home,Store,yes\nshop,Shop,Shop,yes\nstore,Store,Store,no\n',
    );
    await line.done('endpoints', 'import', 'paths.csv');
    const lint = await line.run(['site', 'lint', '--json']);
    expect(lint.code).toBe(1);
    const found = JSON.parse(lint.out).map(({ code, at }: { code: string; at: string }) => `${code} ${at}`);
    expect(found).toEqual(expect.arrayContaining(['dead-link shop', 'hidden-target shop', 'unreachable shop']));
    const exported = await line.done('endpoints', 'list', '--csv');
    await line.file('same.csv', exported);
    expect(await line.done('endpoints', 'import', 'same.csv')).toMatch(/^Nothing changed \(.* checked\)\.\n$/);
  });

  it('says where files are wrong, and changes nothing', async () => {
    const before = await api.dump();
    const cases: [string, string | Uint8Array, RegExp][] = [
      ['cut.json', '{"title": "Cut", "elements": [', /cut\.json, line 1: /],
      ['latin.json', new Uint8Array([0x22, 0xe9, 0x22]), /latin\.json isn't encoded as UTF-8/],
      ['list.json', '[1]', /list\.json, line 1, \[0\]: not an object/],
      ['second.json', '[{"title": "A"},\n{"title": "B", "width": "x"}]', /second\.json, line 2, B, width: /],
      ['column.CSV', 'name,color\nA,red\n', /column\.CSV, line 1: unknown column "color"/],
      ['table.txt', '\ufeffname,color\nA,red\n', /table\.txt, line 1: unknown column "color"/],
      ['document.txt', '{"title": "A", "width": "x"}', /document\.txt, line 1, A, width: /],
      ['column.csv', 'name,color\nA,red\n', /column\.csv, line 1: unknown column "color"/],
      ['long.csv', 'name,width\nA,1,2\n', /long\.csv, line 2: the row has 3 cells/],
      ['number.csv', 'name,width\nA,1\nB,wide\n', /number\.csv, line 3, width: "wide" is not a number/],
      ['twice.csv', 'name\nA\nA\n', /twice\.csv, line 3, name: This is in the file twice/],
      ['open.csv', 'name\n"A\n', /open\.csv, line \d: unclosed quotation mark/],
      ['negative.csv', 'name,width\nA,-1\n', /negative\.csv, line 2, width: /],
      [
        'many.csv',
        `name\n${'A\n'.repeat(100_001)}`,
        /The import has more than 100000 items\. .*\n {2}Split it into several files/,
      ],
      ['bad.zip', zipOf([{ name: '../evil', content: 'x' }]), /bad\.zip isn't a valid bundle/],
      ['other.zip', zipOf([{ name: 'evil.txt', content: 'x' }]), /unexpected file "evil\.txt"/],
    ];
    await Promise.all(
      cases.map(async ([name, content, reason]) => {
        const run = await line.run(['rooms', 'import', await line.file(name, content)]);
        expect(run).toMatchObject({ code: 1, out: '', error: expect.stringMatching(reason) });
      }),
    );
    expect(await api.dump()).toBe(before);
  });
});

if (!existsSync('/dev/full')) console.log('Skipped: what is said of a full disk; this machine has no /dev/full.');

describe('the command line without a server', () => {
  let line: CommandLine;
  const rooms = join(ROOT, 'fixtures/rooms');
  beforeAll(async () => {
    line = await CommandLine.here({});
  });
  afterAll(() => line.close());

  it('lints, compares and merges files', async () => {
    const good = await line.run(['rooms', 'lint', '-'], { input: '{"id": 1, "title": "Hall"}' });
    expect(good).toMatchObject({ code: 0, out: 'standard input: nothing found\n' });
    const codes = await line.done('rooms', 'lint', '--codes');
    expect(codes.split('\n')).toHaveLength(Object.keys(LINT_CODES).length + 1);
    expect(codes).toContain(`  ${LINT_CODES['unknown-element-type']}\n`);
    const [listed] = await line.json('rooms', 'lint', '--codes');
    expect(listed).toMatchObject({ code: Object.keys(LINT_CODES)[0], meaning: Object.values(LINT_CODES)[0] });
    expect((await line.run(['rooms', 'lint'])).code).toBe(2);
    const broken = await line.file(
      'broken.json',
      '{"id": 1, "title": "A", "elements": [{"id": 1, "element": "hologram"}]}',
    );
    const bad = await line.run(['rooms', 'lint', broken, '--json']);
    expect([bad.code, JSON.parse(bad.out)[0].findings[0].code]).toEqual([1, 'unknown-element-type']);

    const room = (title: string, x: number, fov: number, more: object[] = []) =>
      JSON.stringify({
        id: 1,
        title,
        config: { camera: { fov } },
        elements: [{ id: 1, element: 'image', name: 'Portrait', position_x: x }, ...more],
      });
    const base = await line.file('base.json', room('Hall', 0, 50));
    const ours = await line.file('ours.json', room('Hall', 10, 50, [{ id: 2, element: 'light' }]));
    const theirs = await line.file('theirs.json', room('Hall', 0, 70, [{ id: 3, element: 'group' }]));
    const diff = await line.run(['rooms', 'diff', base, ours]);
    expect(diff).toMatchObject({ code: 1, out: expect.stringContaining('“Portrait” moved from 0, 0, 0 to 10, 0, 0') });
    const git = await line.run(['rooms', 'diff', 'rooms/a.json', base, 'x', '100644', ours, 'y', '100644']);
    expect(git).toMatchObject({ code: 0, out: expect.stringContaining('room rooms/a.json\n  ') });

    expect(await line.run(['rooms', 'merge', base, ours, theirs])).toMatchObject({ code: 0, error: '' });
    const merged = JSON.parse(await readFile(ours, 'utf8'));
    expect([merged.config.camera.fov, merged.elements.map((each: { id: number }) => each.id)]).toEqual([70, [1, 3, 2]]);
    expect(merged.elements[0].position_x).toBe(10);
    const clash = await line.file('clash.json', room('Lobby', 5, 50));
    const conflict = await line.run(['rooms', 'merge', base, ours, clash]);
    expect(conflict).toMatchObject({
      code: 1,
      error: expect.stringContaining('element 1.position_x: ours 10, theirs 5'),
    });
    expect(JSON.parse(await readFile(ours, 'utf8')).title).toBe('Lobby');
  });

  it('plays a room over time, along a path', async () => {
    const file = join(rooms, 'timed-media.json');
    const rows = await line.json('rooms', 'simulate', file, '--from', '19:55', '--to', '19:57');
    expect(rows[0]).toMatchObject({ clock: '19:55:00', time: 0, event: 'timed' });
    expect(rows.find(({ event }: { event: string }) => event === 'media.ended')).toMatchObject({ clock: '19:55:20' });
    const path = await line.file('poses.csv', 'time,x,y,z\n12:00,0,0,4000\n12:00:20,0,0,0\n');
    const near = join(rooms, 'proximity.json');
    const walked = await line.done('rooms', 'simulate', near, '--from', '12:00', '--to', '12:00:30', '--path', path);
    expect(walked).toMatch(/12:00:\d\d +\d+ +proximity/);
    await line.file('bad.csv', 'time,x,y,z\nnoon,0,0,0\n');
    const bad = await line.run(['rooms', 'simulate', near, '--from', '12:00', '--to', '12:01', '--path', 'bad.csv']);
    expect(bad).toMatchObject({
      code: 1,
      error: expect.stringContaining('bad.csv, line 2, time: invalid number or time "noon"'),
    });
    expect((await line.run(['rooms', 'simulate', near, '--from', '25:00', '--to', '12:01'])).code).toBe(2);
  });

  it('finds times that clocks skip, and shows nothing then when that day is played', async () => {
    const times = { start_time: '02:10', end_time: '02:50', time_zone: 'Europe/Amsterdam' };
    const elements = [{ id: 1, element: 'text', ...times }];
    const file = await line.file('night.json', JSON.stringify({ id: 1, title: 'Night', elements }));
    const [{ findings }] = await line.json('rooms', 'lint', file);
    const [{ code, message }] = findings;
    expect(code).toBe('skipped-by-clock-change');
    const day = new Date(`${/on (.+?)\. On /.exec(message)![1]} UTC`);
    const shownOn = async (date: Date) => {
      const during = ['--from', '01:30', '--to', '04:00', '--time-zone', 'Europe/Amsterdam', '--step', '60'];
      const rows = await line.json('rooms', 'simulate', file, '--date', date.toISOString().slice(0, 10), ...during);
      return rows.filter(({ event }: { event: string }) => event === 'element.shown').length;
    };
    expect(await shownOn(day)).toBe(0);
    expect(await shownOn(new Date(day.getTime() + 86_400_000))).toBe(1);
  });

  it.runIf(existsSync('/dev/full'))('says that the disk is full, and never that all went well', async () => {
    const full = await open('/dev/full', 'w');
    const args = [join(ROOT, 'cli/enfilade.js'), 'completion', 'bash'];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full.fd, 'pipe'] });
    await full.close();
    expect([status, stderr.toString()]).toEqual([1, expect.stringContaining('[disk]')]);
  });

  it('says how it is used, keeps a key for its owner only, and says when no server is there', async () => {
    expect((await line.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const mistyped = await line.run(['rooms', 'lst', '--json']);
    expect([mistyped.code, mistyped.out, JSON.parse(mistyped.error).error]).toEqual([
      2,
      '',
      {
        code: 'usage',
        message: "Unknown command 'lst'.",
        suggestion: expect.stringMatching(/^Did you mean list\? /),
        problems: [],
      },
    ]);
    const bare = await line.run(['rooms']);
    expect(bare).toMatchObject({ code: 2, out: '', error: expect.stringMatching(/^Usage: enfilade rooms /) });
    const unset = await line.run(['rooms', 'list']);
    expect(unset).toMatchObject({ code: 2, error: expect.stringContaining('Set ENFILADE_URL') });
    const nobody = { ENFILADE_URL: 'http://127.0.0.1:1', ENFILADE_KEY: 'x'.repeat(40) };
    const gone = await line.run(['rooms', 'list', '--json'], { environment: nobody });
    expect([gone.code, JSON.parse(gone.error).error.code]).toEqual([3, 'unreachable']);

    const api = await ApiApp.start('sqlite');
    try {
      // A page in the place of an answer, and an answer that gives no reason.
      const stranger = createServer(({ url }, response) =>
        response.writeHead(url!.includes('rooms') ? 502 : 200).end('<p>Hi</p>'),
      );
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
      const ENFILADE_URL = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
      await Promise.all(
        ['rooms', 'users'].map(async (noun) => {
          const run = await line.run([noun, 'list', '--json'], { environment: { ...nobody, ENFILADE_URL } });
          expect([run.code, JSON.parse(run.error).error.code]).toEqual([3, 'foreign_answer']);
        }),
      );
      stranger.close();
      const refused = await line.run(['login', '--url', api.origin], { input: 'not-a-key-at-all-xxxxxxxx\n' });
      expect(refused).toMatchObject({
        code: 3,
        error: expect.stringMatching(/\[signed_out\]\n {2}Check ENFILADE_KEY/),
      });
      const { key } = await api.client().apiKeys.create({ body: { name: 'Script', policies: allPolicies() } });
      const run = await line.run(['login', '--url', `${api.origin}/admin`], { input: `${key}\n` });
      expect(run).toMatchObject({ code: 0, error: '' });
      const file = join(line.folder, 'enfilade/login.json');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await line.done('rooms', 'list')).toBe('No entries.\n');
      const lists = await Promise.all(['rooms', 'templates', 'media'].map((noun) => line.json(noun, 'list')));
      expect(lists).toEqual([[], [], []]);
      const [undone, exported] = await Promise.all([line.run(['undo', '7']), line.run(['rooms', 'export', '7'])]);
      expect(undone).toMatchObject({ code: 1, error: expect.stringContaining('Job 7 not found.') });
      expect(exported).toMatchObject({ code: 1, error: expect.stringContaining('Room "7" not found.') });
      // The key goes to no other server than its own.
      const other = await line.run(['rooms', 'list'], { environment: { ENFILADE_URL: 'http://127.0.0.1:1' } });
      expect(other).toMatchObject({ code: 2, error: expect.stringContaining('No API key specified') });
      expect(await line.done('logout')).toBe('Deleted the stored credentials.\n');
      expect(await line.done('logout')).toBe('No stored credentials.\n');
    } finally {
      await api.close();
    }
  });
});
