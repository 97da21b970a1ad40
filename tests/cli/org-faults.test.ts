import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeLimits } from '../../src/server/core/limits/quotas.ts';
import { ApiApp } from '../harness/api-app.ts';
import { noRights } from '../harness/call-requests.ts';
import { canMount } from '../harness/can-mount.ts';
import { CommandLine } from '../harness/command-line.ts';
import { otherPicture } from '../harness/media-requests.ts';
import { unzip, type ZipEntry, zipOf } from '../harness/zip.ts';
import { PIXEL } from '../server/features/history/changing-requests.ts';

const MANIFEST = 'manifest.json';
const all = { view_any: true, create: true, update: true, delete: true };

describe('exports of organizations that are damaged, or that can’t be imported', () => {
  let api: ApiApp;
  let line: CommandLine;
  let elsewhere: CommandLine;
  let files: Map<string, Buffer>;

  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    elsewhere = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.two.admin.token });
    const client = api.client();
    const image = await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    const template = await client.templates.create({ body: { name: 'White', logo_file_id: image.id } });
    for (const name of ['Hall', 'Annex']) {
      const { id } = await client.rooms.create({ body: { title: name, template_id: template.id } });
      await client.endpoints.create({ body: { name, room_id: id } });
    }
    await line.done('org', 'export', '--out', 'museum.zip', '--skip', 'users');
    await line.done('org', 'export', '--out', 'museum', '--skip', 'users');
    files = await unzip(await readFile(join(line.folder, 'museum.zip')));
  });
  afterAll(async () => {
    await line.close();
    await elsewhere.close();
    await api.close();
  });

  /** Rows of the other organization. */
  const held = async () => {
    const client = api.client(api.two.admin);
    const [rooms, templates, media] = [
      await client.rooms.list(),
      await client.templates.list(),
      await client.media.list(),
    ];
    return [rooms.meta.total, templates.meta.total, media.total, (await client.endpoints.list()).length];
  };
  const NOTHING = [0, 0, 0, 0];

  /** The archive with changed files; the manifest matches them unless it is changed, too. */
  const archiveWith = (change: (entries: ZipEntry[]) => ZipEntry[], isListed = false) => {
    const entries = change([...files].map(([name, content]) => ({ name, content })));
    if (!isListed) return zipOf(entries);
    const manifest = JSON.parse(files.get(MANIFEST)!.toString());
    manifest.files = entries
      .filter(({ name }) => name !== MANIFEST)
      .map(({ name: path, content = '' }) => ({
        path,
        bytes: Buffer.byteLength(content),
        sha256: createHash('sha256').update(content).digest('hex'),
      }));
    return zipOf(
      entries.map((entry) => (entry.name === MANIFEST ? { ...entry, content: JSON.stringify(manifest) } : entry)),
    );
  };
  const replaced = (path: string, change: (text: string) => string) => (entries: ZipEntry[]) =>
    entries.map((entry) => (entry.name === path ? { ...entry, content: change(String(entry.content)) } : entry));
  const added =
    (...more: ZipEntry[]) =>
    (entries: ZipEntry[]) => [...entries, ...more];

  const ROOM = 'rooms/hall.json';
  const BAD: [what: string, make: () => Buffer, reason: string | RegExp][] = [
    [
      'a path that leaves the folder',
      () => archiveWith(added({ name: '../evil.json' })),
      /invalid relative path|unexpected file/,
    ],
    ['an absolute path', () => archiveWith(added({ name: '/etc/evil.json' })), /absolute path|unexpected file/],
    [
      'an unknown file',
      () => archiveWith(added({ name: 'rooms/../evil.json' })),
      /invalid relative path|unexpected file/,
    ],
    ['the same file twice', () => archiveWith(added({ name: ROOM, content: '{}' })), `duplicate file ${ROOM}`],
    [
      'a file that the manifest lacks',
      () => archiveWith(added({ name: 'rooms/x.json', content: '{}' })),
      "rooms/x.json isn't in the manifest",
    ],
    [
      'a wrong checksum',
      () => archiveWith(replaced(ROOM, (text) => text.replace('Hall', 'Hell'))),
      `wrong checksum of ${ROOM}`,
    ],
    ['a wrong size', () => archiveWith(replaced(ROOM, (text) => `${text} `)), `${ROOM} has the wrong size`],
    [
      'a missing file',
      () => archiveWith((entries) => entries.filter(({ name }) => name !== ROOM)),
      `${ROOM} is missing`,
    ],
    [
      'no manifest',
      () => archiveWith((entries) => entries.filter(({ name }) => name !== MANIFEST)),
      `${MANIFEST} is missing`,
    ],
    [
      'another version',
      () => archiveWith(replaced(MANIFEST, (text) => text.replace('"version": 1', '"version": 2'))),
      'version 2 of the format',
    ],
    [
      'another format',
      () => archiveWith(replaced(MANIFEST, (text) => text.replace('enfilade-org', 'other'))),
      MANIFEST,
    ],
    [
      'a manifest that names files elsewhere',
      () => archiveWith(replaced(MANIFEST, (text) => text.replace(ROOM, '../hall.json'))),
      'unexpected file',
    ],
    [
      'a room that isn’t JSON',
      () =>
        archiveWith(
          replaced(ROOM, () => '{'),
          true,
        ),
      `${ROOM} isn't JSON`,
    ],
    [
      'a room without a name',
      () =>
        archiveWith(
          replaced(ROOM, () => '{"folder":"","elements":[]}'),
          true,
        ),
      `${ROOM}: name`,
    ],
    [
      'a file that unpacks to a thousand times its size',
      () => archiveWith(added({ name: `media/${'0'.repeat(64)}`, content: Buffer.alloc(2 ** 24) })),
      'unsupported compression',
    ],
    [
      'the first half of an archive',
      () => archiveWith((entries) => entries).subarray(0, 3000),
      'End of central directory',
    ],
    ['no archive', () => Buffer.from('museum'), "isn't a valid export"],
  ];

  it.each(BAD)('with %s are rejected, and nothing is imported', async (_what, make, reason) => {
    const file = await elsewhere.file('bad.zip', make());
    for (const args of [
      ['import', file, '--yes'],
      ['diff', file],
    ]) {
      const run = await elsewhere.run(['org', ...args]);
      expect(run).toMatchObject({ code: 1, out: '', error: expect.stringMatching(reason) });
    }
    expect(await held()).toEqual(NOTHING);
  });

  it('with a size in the archive that isn’t that of the content are rejected', async () => {
    const lying = archiveWith((entries) =>
      entries.map((entry) => (entry.name === ROOM ? { ...entry, claims: 100 } : entry)),
    );
    const run = await elsewhere.run(['org', 'import', await elsewhere.file('bad.zip', lying)]);
    expect(run).toMatchObject({ code: 1, out: '', error: expect.stringMatching(/wrong size|too many bytes/) });
  });

  it('in a folder with links, other files or huge ones are rejected', async () => {
    const copy = async (name: string) => {
      for (const [path, content] of files) {
        await mkdir(join(elsewhere.folder, name, path, '..'), { recursive: true });
        await writeFile(join(elsewhere.folder, name, path), content);
      }
      return join(elsewhere.folder, name);
    };
    await symlink('/etc/hostname', join(await copy('linked'), 'users.json'));
    await writeFile(join(await copy('other'), 'notes.txt'), 'x');
    await truncate(join(await copy('huge'), 'templates.json'), 2 ** 29);
    for (const [folder, reason] of [
      ['linked', 'unexpected file "users.json"'],
      ['other', 'unexpected file "notes.txt"'],
      ['huge', 'templates.json is too large'],
    ] as const) {
      const run = await elsewhere.run(['org', 'import', folder]);
      expect(run).toMatchObject({ code: 1, out: '', error: expect.stringContaining(reason) });
    }
    expect(await elsewhere.run(['org', 'import', 'missing.zip'])).toMatchObject({ code: 2 });
  });

  it.runIf(canMount)('a full disk is an error, and leaves nothing', async () => {
    const disk = join(line.folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', disk]);
    try {
      for (const out of ['disk/museum.zip', 'disk/museum']) {
        const { code, error } = await line.run(['org', 'export', '--out', out]);
        expect([code, error]).toEqual([1, expect.stringContaining('[disk]')]);
        expect(await readdir(disk)).toEqual([]);
      }
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('a file that is missing on the server is named', async () => {
    const owner = api.client();
    const file = await owner.media.upload({
      body: {},
      files: { file: new File([otherPicture().content], 'gone.png') },
    });
    await rm(api.services.media.folderOf(file.url.split('/')[2]!), { recursive: true });
    const run = await line.run(['org', 'export', '--out', 'gap.zip']);
    expect(run).toMatchObject({ code: 1, error: expect.stringContaining(`"gone.png" (ID ${file.id}) is missing`) });
    expect(await readdir(line.folder)).not.toContain('gap.zip');
    await owner.media.remove({ params: { id: file.id } });
  });

  it('a folder with other files is not replaced', async () => {
    await mkdir(join(line.folder, 'mine'));
    await line.file('mine/notes.txt', 'x');
    const run = await line.run(['org', 'export', '--out', 'mine']);
    expect(run).toMatchObject({ code: 2, error: expect.stringContaining('contains other files') });
    expect(await readdir(join(line.folder, 'mine'))).toEqual(['notes.txt']);
  });

  it('a key without rights gets a list of the missing ones before any change', async () => {
    const nobody = await api.addUser(api.two, noRights());
    const reader = await api.addUser(api.two, { ...noRights(), rooms: { ...all, create: false } });
    const run = (user: { token: string }, ...args: string[]) =>
      elsewhere.run(['org', ...args], { environment: { ENFILADE_KEY: user.token } });
    expect(await run(nobody, 'export', '--out', 'no.zip')).toMatchObject({
      code: 3,
      error: expect.stringMatching(/You don't have permission to see the .*\[forbidden\]/),
    });
    const see = { ...all, create: false, update: false, delete: false };
    const areas = ['endpoints', 'rooms', 'live_streams', 'access_tokens', 'settings', 'templates', 'media'];
    const viewer = await api.addUser(api.two, Object.fromEntries(areas.map((area) => [area, see])));
    const refused = await run(viewer, 'import', join(line.folder, 'museum.zip'));
    expect(refused).toMatchObject({ code: 3, out: '' });
    for (const right of ['to create rooms', 'to create templates', 'to create endpoints', 'to create media'])
      expect(refused.error).toContain(right);
    expect(await held()).toEqual(NOTHING);
    expect(reader.token).not.toBe(viewer.token);
  });

  it('a quota is checked before anything is done', async () => {
    await changeLimits(api.services.db, api.two.id, { spaces: 1 });
    const run = await elsewhere.run(['org', 'import', join(line.folder, 'museum.zip')]);
    await changeLimits(api.services.db, api.two.id, { spaces: null });
    expect(run).toMatchObject({
      code: 3,
      out: '',
      error: expect.stringContaining('spaces: 0 used, 2 more in the export, limit 1'),
    });
    expect(await held()).toEqual(NOTHING);
  });

  it('API keys don’t import users: an error before any change', async () => {
    const owner = api.client(api.two.admin);
    const { key } = await owner.apiKeys.create({
      body: { name: 'Script', policies: (await owner.users.active()).policies },
    });
    await line.done('org', 'export', '--out', 'people.zip');
    const run = await elsewhere.run(['org', 'import', join(line.folder, 'people.zip')], {
      environment: { ENFILADE_KEY: key },
    });
    expect(run).toMatchObject({ code: 3, out: '', error: expect.stringContaining('--skip users') });
    expect(await held()).toEqual(NOTHING);
  });

  it('an interrupted import lists its finished steps, and the next one finishes it', async () => {
    const owner = api.client(api.two.admin);
    // Such a key changes drafts, but nothing that visitors see.
    const { key } = await owner.apiKeys.create({
      body: { name: 'Drafts', policies: (await owner.users.active()).policies, scopes: ['write'] },
    });
    const archive = join(line.folder, 'museum.zip');
    const options = ['--skip', 'users', 'settings', '--undo-file', 'first.ndjson'];
    const run = await elsewhere.run(['org', 'import', archive, ...options], { environment: { ENFILADE_KEY: key } });
    expect(run).toMatchObject({ code: 3, out: '' });
    expect(run.error).toMatch(/Imported so far: 1 file, 1 template, 2 new rooms/);
    expect(run.error).toContain('enfilade org undo first.ndjson');
    expect(await held()).toEqual([2, 1, 1, 0]);
    // The same undo file is continued; that of something else is not replaced.
    await elsewhere.done('org', 'import', archive, '--skip', 'users', '--undo-file', 'first.ndjson');
    expect(await elsewhere.done('org', 'diff', archive)).toMatch(/^No differences/);
    await elsewhere.done('org', 'undo', 'first.ndjson');
    const other = await elsewhere.file('notes.txt', 'Mine\n');
    const refused = await elsewhere.run(['org', 'import', archive, '--undo-file', other]);
    expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining("isn't the undo file") });
    expect(await readFile(other, 'utf8')).toBe('Mine\n');
    expect(await held()).toEqual(NOTHING);
  });

  it('an undo file of another organization, and other files, are rejected', async () => {
    await elsewhere.done('org', 'import', join(line.folder, 'museum.zip'), '--undo-file', 'undo.ndjson');
    const foreign = await line.run(['org', 'undo', join(elsewhere.folder, 'undo.ndjson')]);
    expect(foreign).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('belongs to another organization'),
    });
    const other = await elsewhere.run(['org', 'undo', await elsewhere.file('other.json', '{}')]);
    expect(other).toMatchObject({ code: 1, out: '', error: expect.stringContaining("isn't the undo file") });
    expect(await elsewhere.done('org', 'undo', 'undo.ndjson', '--dry-run')).toMatch(/^Would undo \d+ steps of /);
    expect(await held()).toEqual([2, 1, 1, 2]);
    // Later changes are kept unless they are given up.
    const client = api.client(api.two.admin);
    const [room] = (await client.rooms.list()).data;
    await client.rooms.update({ params: { id: room!.id }, body: { description: '<p>Mine</p>' } });
    const stale = await elsewhere.run(['org', 'undo', 'undo.ndjson']);
    expect(stale).toMatchObject({ code: 1, error: expect.stringMatching(/has been changed since.*--force/s) });
    await elsewhere.done('org', 'undo', 'undo.ndjson', '--force');
    expect(await held()).toEqual(NOTHING);
  });

  it('on a terminal, --prune lists what it removes, and asks', async () => {
    const client = api.client(api.two.admin);
    await client.templates.create({ body: { name: 'Extra' } });
    const terminal = await CommandLine.in({
      ENFILADE_URL: api.origin,
      ENFILADE_KEY: api.two.admin.token,
      ENFILADE_YES: undefined,
    });
    const args = ['org', 'import', join(line.folder, 'museum.zip'), '--skip', 'settings', '--prune'];
    const { code, shown } = await terminal.onTerminal(args, [['Continue? [y/N]', 'n\n']]);
    await terminal.close();
    expect(code).toBe(1);
    expect(shown).toMatch(/remove +template +Extra/);
    expect(shown).toContain('Nothing was changed.');
    expect(await held()).toEqual([0, 1, 0, 0]);
    await client.templates.remove({ params: { id: (await client.templates.list()).data[0]!.id } });
  });

  it('compares with the server at a URL, and undoes settings unless they have changed since', async () => {
    const client = api.client(api.two.admin);
    await api.client().organizations.update({ body: { meta_title: 'Staging' } });
    await line.done('org', 'export', '--out', 'titled.zip', '--skip', 'users');
    const archive = join(line.folder, 'titled.zip');
    const compared = await line.run(['org', 'diff', archive, api.origin, '--json'], {
      environment: { ENFILADE_URL: 'http://127.0.0.1:9', ENFILADE_KEY: api.two.admin.token },
    });
    expect(compared.code).toBe(1);
    expect(JSON.parse(compared.out).differences.map(({ text }: { text: string }) => text)).toContain(
      'The settings differ: meta_title, name.',
    );
    await elsewhere.done('org', 'import', archive, '--undo-file', 'titled.ndjson');
    await client.organizations.update({ body: { meta_description: 'Mine' } });
    const stale = await elsewhere.run(['org', 'undo', 'titled.ndjson']);
    expect(stale).toMatchObject({ code: 1, error: expect.stringContaining('--force') });
    await elsewhere.done('org', 'undo', 'titled.ndjson', '--force');
    expect(await client.organizations.read()).toMatchObject({ meta_title: '', meta_description: 'Mine' });
    expect(await held()).toEqual(NOTHING);
  });

  it('names that two rooms of a folder have are not merged', async () => {
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hall', width: 777 } });
    await line.done('org', 'export', '--out', 'twice.zip', '--skip', 'users');
    const archive = join(line.folder, 'twice.zip');
    const run = await elsewhere.run(['org', 'import', archive]);
    expect(run).toMatchObject({ code: 1, out: '', error: expect.stringContaining('2 rooms are named "Hall"') });
    expect(await held()).toEqual(NOTHING);
    // Comparisons pair them in order, and say so.
    const same = await line.run(['org', 'diff', 'twice.zip']);
    expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/^No differences/) });
    expect(same.error).toMatch(/2 rooms are named "Hall" \(IDs \d+, \d+\).* They were compared in order\./);
    await client.rooms.remove({ params: { id } });
  });
});
