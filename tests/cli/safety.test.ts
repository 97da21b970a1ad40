import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { simplestImage } from '../../fixtures/make/iiif-manifests.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { pannellumTour } from '../harness/made-tours.ts';
import { tourPhoto } from '../harness/tour-photos.ts';

/** Commands that change nothing on a server, one thing at most, or files that they are told to write. */
const HARMLESS = new Set([
  ...[
    'login',
    'logout',
    'completion',
    'jobs',
    'serve',
    'mcp',
    // Writes to the given folder, and replaces only an earlier build.
    'site build',
    'endpoints scorm',
    'site lint',
    'accessibility report',
    'accessibility findings',
    'statistics',
    'webhooks list',
    'webhooks add',
    'webhooks test',
    'webhooks log',
    'mailings list',
    'translations export',
    ...['proposals list', 'proposals show', 'proposals create'],
    ...['blocks list', 'blocks show', 'blocks rename', 'blocks places'],
    'mailings status',
  ],
  ...[
    'rooms list',
    'rooms log',
    'rooms export',
    'rooms copy',
    'rooms lint',
    'rooms diff',
    'rooms simulate',
    'rooms budget',
  ],
  ...['folders list', 'folders create', 'folders rename', 'folders move'],
  ...['media-folders list', 'media-folders create', 'media-folders rename', 'media-folders move'],
  ...['media uses', 'media download', 'media keywords', 'media move'],
  // The replaced content stays as an earlier version.
  ...['media replace', 'media versions', 'media restore'],
  // Writes the file that it is told to, without a question: git runs it.
  'rooms merge',
  ...['templates list', 'templates export', 'templates copy', 'endpoints list', 'endpoints export', 'endpoints copy'],
  ...['tokens list', 'tokens export', 'media list', 'media export', 'media update', 'media optimize'],
  ...['users list', 'users export', 'org list', 'org usage'],
  ...['org export', 'org diff'],
  ...['feeds list', 'feeds items list'],
  // Adds what is named, and changes nothing that is there.
  ...['media import', 'users add', 'users limit', 'org create', 'org quota'],
  // Each changes one organization, and another command takes it back.
  ...['org rename', 'org hosts', 'org suspend', 'org resume'],
  'org restore',
  // Copies into a new place, or into an empty database; the server itself brings a database up to date.
  ...['backup', 'backup verify', 'move', 'migrate'],
]);

/** What every other command is given to do something. */
const CALLS: Record<string, string[]> = {
  'rooms import': ['hall.json'],
  'rooms create': ['--template', 'hall.json', '--rows', 'rows.csv'],
  'rooms remove': ['Hall'],
  'rooms move': ['Hall', '--folder', 'Museum'],
  'folders remove': ['Museum'],
  'rooms publish': ['Hall'],
  'rooms unpublish': ['Hall'],
  'proposals merge': ['1'],
  'proposals discard': ['1'],
  'blocks update': ['Desk'],
  'blocks remove': ['Desk'],
  'templates import': ['white.json'],
  'templates remove': ['White'],
  'endpoints import': ['places.json'],
  'endpoints remove': ['museum'],
  'tokens import': ['codes.csv', '--endpoint', 'museum'],
  'tokens remove': ['known', '--endpoint', 'museum'],
  'media remove': ['1'],
  'media merge': ['1', '1'],
  'media-folders remove': ['Museum'],
  'feeds items approve': ['1'],
  'feeds items hide': ['1'],
  'feeds items remove': ['1'],
  'feeds items restore': ['2'],
  'rooms hang': ['1', 'works.csv'],
  'rooms replace': ['Hall', 'Hall', 'Room'],
  'tours create': ['walk', '--name', 'Walk'],
  'tours import': ['old', '--name', 'Walk'],
  'tours merge': ['a', 'b', '--name', 'Walk'],
  'iiif import': ['manifest.json'],
  'translations import': ['Hall', 'nl.csv', '--language', 'nl'],
  'translations draft': ['Hall', '--language', 'nl'],
  'users import': ['users.json'],
  'users remove': ['kim@example.com'],
  'webhooks remove': ['Build'],
  'mailings send': ['museum', '--subject', 'Welcome', '--body-file', 'invitation.txt'],
  'org import': ['whole.zip', '--undo-file', 'undone.ndjson'],
  'org undo': ['undo.ndjson'],
  undo: ['1'],
  key: ['--replace', '--data', 'there'],
  restore: ['backup', '--force', '--data', 'there'],
  'org delete': ['2', '--data', 'there'],
};

function* leaves(command: Command, path: string[] = []): Generator<[string, Command]> {
  if (command.commands.length === 0 || command.registeredArguments.length > 0) yield [path.join(' '), command];
  for (const each of command.commands) yield* leaves(each, [...path, each.name()]);
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';

describe('what changes much at once, or destroys', () => {
  const guarded = [...leaves(createProgram())].filter(([name]) => !HARMLESS.has(name));
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({
      ENFILADE_URL: api.origin,
      ENFILADE_KEY: api.one.admin.token,
      ENFILADE_YES: undefined,
    });
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    await client.folders.create({ body: { name: 'Museum' } });
    await client.mediaFolders.create({ body: { name: 'Museum' } });
    const { id: endpoint } = await client.endpoints.create({ body: { name: 'Museum', room_id: id } });
    await client.accessTokens.create({
      body: { endpoint_id: endpoint, token: 'known', holder_email: 'guest@example.com' },
    });
    await client.templates.create({ body: { name: 'White' } });
    await client.proposals.create({ params: { id }, body: { name: 'Autumn' } });
    await client.blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } });
    await client.webhooks.create({
      body: { name: 'Build', url: 'https://example.com/hook', events: ['space.published'] },
    });
    await client.imports.users({ body: { items: [{ email: 'kim@example.com', name: 'Kim' }] } });
    const { id: wall } = await client.feeds.create({
      body: { name: 'Wall', type: 'local', moderation: { hold: true } },
    });
    const button = { title: 'Share', navigation: { type: 'modal_share' as const, type_config: { feed_id: wall } } };
    await client.rooms.addElement({ params: { id }, body: { element: 'button', config: button } });
    for (const message of ['Stays', 'Goes'])
      await client.visit.share({ body: { name: 'Kim', message, feed_id: wall } });
    await client.feeds.removeItems({ body: { ids: [2] } });
    const file = new File([Buffer.from(PIXEL, 'base64')], 'pixel.png');
    await client.media.upload({ body: {}, files: { file } });
    await Promise.all([
      line.file('hall.json', '{"title": "Hall", "width": 700}'),
      line.file('rows.csv', 'name\nAnnex\n'),
      line.file('white.json', '{"name": "Blue"}'),
      line.file('places.json', '{"path": "annex", "room": "Hall"}'),
      line.file('codes.csv', 'other\n'),
      line.file('manifest.json', JSON.stringify(simplestImage('https://example.com'))),
      line.file('works.csv', 'Image\npixel.png\n'),
      line.file('nl.csv', 'id,text,translation\nspace.title,Hall,Zaal\n'),
      line.file('invitation.txt', 'Enter: {link}\n'),
      line.file('users.json', '{"email": "lee@example.com", "name": "Lee"}'),
    ]);
    await mkdir(join(line.folder, 'walk'));
    for (const title of ['a', 'b']) {
      const photo = await tourPhoto(`${title}.jpg`);
      const { id: file_id } = await client.media.upload({ body: {}, files: { file: photo } });
      const template = await client.templates.create({ body: { name: title, model_type: 'pano', file_id } });
      await client.rooms.create({ body: { title, template_id: template.id } });
      await writeFile(join(line.folder, 'walk', `${title}.jpg`), new Uint8Array(await photo.arrayBuffer()));
    }
    for (const [path, content] of Object.entries(await pannellumTour())) {
      await mkdir(join(line.folder, 'old', dirname(path)), { recursive: true });
      await writeFile(join(line.folder, 'old', path), content);
    }
    await line.done('org', 'export', '--out', 'whole.zip');
    const { organization } = await client.users.active();
    const about = { format: 'enfilade-organization-undo', version: 1, at: '2026-03-10' };
    const head = { ...about, site: organization.origin, organization: organization.name };
    await line.file('undo.ndjson', `${JSON.stringify(head)}\n{"do":"undo_job","job":1,"force":false}\n`);
    await line.done('migrate', '--data', 'there');
    for (const name of ['one', 'two'])
      await line.done('organizations', 'create', '--name', name, '--email', `${name}@example.com`, '--data', 'there');
    await line.done('backup', 'backup', '--data', 'there');
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('is every command that is not known to be harmless, and each has --dry-run and --yes', () => {
    expect(guarded.map(([name]) => name).sort()).toEqual(Object.keys(CALLS).sort());
    for (const [name, command] of guarded)
      expect(
        command.options.map(({ long }) => long),
        name,
      ).toEqual(expect.arrayContaining(['--dry-run', '--yes']));
  });

  it.each(Object.entries(CALLS))(
    '%s: without a terminal and --yes it is refused; --dry-run tells and changes nothing',
    async (name, args) => {
      const before = await api.dump(['imports']);
      const words = [...name.split(' '), ...args];
      const [refused, tried] = await Promise.all([line.run(words), line.run([...words, '--dry-run'])]);
      expect(refused).toMatchObject({ code: 2, out: '', error: expect.stringContaining('not_confirmed') });
      expect(refused.error).toContain('Add --yes to confirm, or --dry-run for a preview.');
      expect([tried.code, tried.error]).toEqual([0, '']);
      expect(tried.out).not.toBe('');
      expect(await api.dump(['imports'])).toBe(before);
    },
  );

  it('is done with --yes, and by what ENFILADE_YES says for a whole script', async () => {
    expect(await line.done('rooms', 'import', 'hall.json', '--yes')).toMatch(/^create 0|^update 1\n/);
    const { code, out } = await line.run(['undo', '2'], { environment: { ENFILADE_YES: '1' } });
    expect([code, out]).toEqual([0, 'Undone: 1.\n']);
    const again = await line.run(['undo', '2', '--yes']);
    expect(again).toMatchObject({
      code: 1,
      error: expect.stringContaining('Run `enfilade jobs` to see when it was undone.'),
    });
    expect(await line.done('rooms', 'remove', 'Hall', '--yes')).toMatch(
      /^remove 1\n {2}remove +room +Hall\n {2}Run `enfilade undo 3` to undo this/,
    );
    expect(await line.done('jobs')).toMatch(/ rooms /);
    expect(await line.done('undo', '3', '--yes')).toBe('Undone: 1.\n');
    expect(await line.done('rooms', 'list', '--csv')).toContain('"Hall"');
  });

  it('says before it is done that a public address would show another room', async () => {
    await line.file('taken.csv', 'name,path\nOther,museum\n');
    const run = await line.done('rooms', 'create', '--template', 'hall.json', '--rows', 'taken.csv', '--dry-run');
    expect(run).toMatch(/museum: .*room_id.* \(this public path would show another room\)\n/);
  });

  it('tokens come back as list --csv wrote them, with their times', async () => {
    const times = [{ token: 'timed', valid_till: '2031-01-01T00:00:00.000Z', valid_duration: 45 }];
    await line.file('times.json', JSON.stringify(times));
    await line.done('tokens', 'import', 'times.json', '--endpoint', 'museum', '--yes');
    await line.done('tokens', 'list', '--endpoint', 'museum', '--csv', '--out', 'listed.csv');
    const before = await line.json('tokens', 'list', '--endpoint', 'museum');
    const same = await line.done('tokens', 'import', 'listed.csv', '--endpoint', 'museum', '--yes');
    expect(same).toContain('listed.csv: nothing changed (2 tokens checked)');
    await line.done('tokens', 'remove', 'timed', 'known', '--endpoint', 'museum', '--yes');
    await line.done('tokens', 'import', 'listed.csv', '--endpoint', 'museum', '--yes');
    const after = await line.json('tokens', 'list', '--endpoint', 'museum');
    const content = (list: { token: string; valid_till: string; valid_duration: number }[]) =>
      list.map(({ token, valid_till, valid_duration }) => [token, valid_till, valid_duration]).sort();
    expect(content(after)).toEqual(content(before));
  });
});

describe('a server that is starting again', () => {
  const ends: Server[] = [];
  let line: CommandLine;
  beforeAll(async () => {
    line = await CommandLine.here({ ENFILADE_KEY: 'x'.repeat(40), ENFILADE_WAIT: undefined });
  });
  afterAll(async () => {
    for (const server of ends) server.close();
    await line.close();
  });

  type Answer = (count: number) => 'cut' | [status: number, body: unknown];
  /** A server of which the first answers are as told. Gives its address and how many requests came. */
  const serve = async (answer: Answer) => {
    const seen = { count: 0, origin: '' };
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const given = answer(++seen.count);
        if (given === 'cut') request.socket.destroy();
        else response.writeHead(given[0], { 'content-type': 'application/json' }).end(JSON.stringify(given[1]));
      });
    });
    ends.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    seen.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return seen;
  };
  const page = [200, { data: [], meta: { total: 0, page: 1, last_page: 1 } }] as [number, unknown];
  const away = (code: string) =>
    [503, { code, msg: { error: ['Later.'] }, suggestion: '', retry_after: 0 }] as [number, unknown];

  it('is asked again, and that is said once', async () => {
    const answers = ['cut', [502, {}], away('unavailable'), page] as ('cut' | [number, unknown])[];
    const seen = await serve((count) => answers[count - 1]!);
    const run = await line.run(['rooms', 'list'], { environment: { ENFILADE_URL: seen.origin } });
    expect(run).toMatchObject({ code: 0, out: 'No entries.\n' });
    expect(run.error).toBe('enfilade: The connection was closed. Retrying for 75 seconds. Press Ctrl-C to stop.\n');
    expect(seen.count).toBe(4);
  });

  it('is not asked twice for what it may have done, but is for what it said it did not do', async () => {
    const template = { data: [{ id: 1, name: 'White' }], meta: { total: 1, page: 1, last_page: 1 } };
    const run = async (second: 'cut' | [number, unknown]) => {
      const seen = await serve((count) =>
        count === 1 ? [200, template] : count === 2 ? second : [404, { code: 'not_found', msg: {} }],
      );
      const { code } = await line.run(['templates', 'copy', 'White'], { environment: { ENFILADE_URL: seen.origin } });
      return [code, seen.count];
    };
    expect(await run('cut')).toEqual([3, 2]);
    expect(await run([502, {}])).toEqual([3, 2]);
    expect(await run(away('unavailable'))).toEqual([1, 3]);
  });
});
