import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../src/contract/calls.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { noRights } from '../harness/call-requests.ts';
import { canMount } from '../harness/can-mount.ts';
import { CommandLine } from '../harness/command-line.ts';
import { unzip } from '../harness/zip.ts';

describe.each(databases)('enfilade site build (%s)', (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  let photo: { id: number; url: string };
  let hall: number;

  const read = (...path: string[]) => readFile(join(line.folder, ...path), 'utf8');
  const isThere = (...path: string[]) =>
    read(...path).then(
      () => true,
      () => false,
    );

  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    const noise = { width: 1200, height: 600, channels: 3 as const, background: '#336699' };
    const file = new File([new Uint8Array(await sharp({ create: noise }).jpeg().toBuffer())], 'photo.jpg');
    photo = await client.media.upload({ body: {}, files: { file } });
    await client.media.update({ params: { id: photo.id }, body: { title: 'Night', rights: '© Museum' } });
    const room = await client.rooms.create({ body: { title: 'Hall', description: '<p>The hall</p>' } });
    await client.rooms.addElement({
      params: { id: room.id },
      body: { element: 'image', name: 'Photo', file_id: photo.id },
    });
    for (const [name, body] of Object.entries({
      Hall: {},
      Vault: { is_protected: true },
      Cellar: { is_visible: false },
    }))
      await client.endpoints.create({ body: { name, room_id: room.id, ...body } });
    const [first] = await client.endpoints.list();
    hall = first!.id;
    await client.endpoints.update({ params: { id: hall }, body: { slug: 'great-hall' } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('writes rooms, text views, data, media with their copies, and old addresses', async () => {
    const { code, out, error } = await line.run(['site', 'build', '--out', 'site', '--url', 'https://www.example.com']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^1 structures, \d+ files: site\n$/)]);
    expect(error).toContain('/vault is left out: It is protected by access tokens.');
    expect(error).toContain('/cellar is left out: It is hidden.');
    const page = await read('site/great-hall/index.html');
    expect(page).toContain('<html lang="en" data-static>');
    expect(page).toContain('href="https://www.example.com/great-hall/"');
    expect(page).not.toContain('rooms.example.com');
    expect(await read('site/index.html')).toContain('data-static');
    expect(await read('site/great-hall/text.html')).toContain('The hall');
    const { data } = JSON.parse(await read('site/api/v1/endpoints/great-hall.json'));
    expect(data.room.title).toBe('Hall');
    expect(JSON.parse(await read('site/api/v1/endpoints.json')).data[0].path).toBe('/great-hall');
    for (const copy of ['', '.width-128.webp', '.width-490.webp'])
      expect(await isThere('site', photo.url + copy)).toBe(true);
    expect(await read('site/hall/index.html')).toContain('url=/great-hall/');
    expect(await read('site/sitemap.xml')).toContain('<loc>https://www.example.com/</loc>');
    expect(await read('site/robots.txt')).toContain('Sitemap: https://www.example.com/sitemap.xml');
    expect(await isThere('site/404.html')).toBe(true);
    expect(await isThere('site/vault/index.html')).toBe(false);
    expect((await readdir(line.folder)).sort()).toEqual(['site']);
  });

  it('replaces an earlier build, and nothing else in its folder', async () => {
    await writeFile(join(line.folder, 'site/CNAME'), 'www.example.com');
    await api.client().endpoints.update({ params: { id: hall }, body: { slug: 'hall' } });
    await line.done('site', 'build', '--out', 'site');
    expect(await isThere('site/hall/text.html')).toBe(true);
    expect(await isThere('site/great-hall/text.html')).toBe(false);
    expect(await read('site/CNAME')).toBe('www.example.com');
  });

  it('refuses a folder with other files, unless it may write among them', async () => {
    await mkdir(join(line.folder, 'full/hall'), { recursive: true });
    await writeFile(join(line.folder, 'full/notes.txt'), 'mine');
    const refused = await line.run(['site', 'build', '--out', 'full']);
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('not of an earlier build')]);
    expect(await readdir(join(line.folder, 'full'))).toEqual(['hall', 'notes.txt']);
    await line.done('site', 'build', '--out', 'full', '--force');
    expect(await read('full/notes.txt')).toBe('mine');
    expect(await isThere('full/hall/index.html')).toBe(true);
    await rm(join(line.folder, 'full'), { recursive: true });
    await mkdir(join(line.folder, 'full/index.html'), { recursive: true });
    const clash = await line.run(['site', 'build', '--out', 'full', '--force']);
    expect([clash.code, clash.error]).toEqual([2, expect.stringContaining('has the name of a file of the site')]);
    expect(await readdir(join(line.folder, 'full'))).toEqual(['index.html']);
  });

  it('refuses a named structure that is protected or hidden, and opens it if asked to', async () => {
    const refused = await line.run(['site', 'build', 'vault', '--out', 'vault']);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('/vault: It is protected')]);
    expect((await line.run(['site', 'build', 'cellar', '--out', 'vault'])).error).toContain('/cellar: It is hidden.');
    await line.done('site', 'build', 'vault', '--out', 'vault', '--include-protected');
    const { data } = JSON.parse(await read('vault/api/v1/endpoints/vault.json'));
    expect([data.is_protected, data.room.title]).toEqual([false, 'Hall']);
    expect(await read('vault/index.html')).toContain('data-static');
    expect(await read('vault/vault/text.html')).toContain('The hall');
  });

  it('knows only structures of its own organization, and needs the right to see them', async () => {
    const other = await api.client(api.two.admin).rooms.create({ body: { title: 'Elsewhere' } });
    const { id } = await api.client(api.two.admin).endpoints.create({ body: { name: 'Far', room_id: other.id } });
    const { token } = api.one.admin;
    expect((await api.call(calls.endpoints.buildSite, {}, { token, query: `ids=${id}` })).status).toBe(404);
    const policies = noRights();
    const ask = async (query: string) => {
      const user = await api.addUser(api.one, policies);
      return (await api.call(calls.endpoints.buildSite, {}, { token: user.token, query })).status;
    };
    expect(await ask('')).toBe(403);
    policies.endpoints.view_any = true;
    expect(await ask('include_protected=1')).toBe(403);
    expect(await ask('archive=1')).toBe(403);
    expect(await ask('')).toBe(200);
  });

  it('packs one room as a bag with its original, its rights and checksums', async () => {
    await line.done('site', 'build', 'hall', '--zip', 'hall.zip');
    const files = await unzip(await readFile(join(line.folder, 'hall.zip')));
    expect(files.get('bagit.txt')!.toString()).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
    const listed = new Map<string, string>();
    for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt'])
      for (const row of files.get(name)!.toString().trim().split('\n')) listed.set(row.slice(66), row.slice(0, 64));
    for (const [path, content] of files)
      if (path !== 'tagmanifest-sha256.txt')
        expect(listed.get(path), path).toBe(createHash('sha256').update(content).digest('hex'));
    expect(files.has('data/site/hall/index.html')).toBe(true);
    expect(files.has('data/originals/photo.jpg')).toBe(true);
    expect(files.get('data/files.csv')!.toString()).toContain('"originals/photo.jpg","Night","","","© Museum"');
    const payload = [...files].filter(([path]) => path.startsWith('data/'));
    const bytes = payload.reduce((sum, [, { length }]) => sum + length, 0);
    expect(files.get('bag-info.txt')!.toString()).toContain(`Payload-Oxum: ${bytes}.${payload.length}\n`);
  });

  it('rejects options that do not fit together', async () => {
    for (const [args, text] of [
      [[], 'Specify either --out or --zip.'],
      [['--zip', 'a.zip'], 'An archive contains one structure.'],
      [['--out', 'a', '--kiosk', '5'], 'from 10 to 3600'],
      [['--out', 'a', '--url', 'https://example.com/museum'], 'Use an origin'],
    ] as const) {
      const { code, error } = await line.run(['site', 'build', ...args]);
      expect([code, error]).toEqual([2, expect.stringContaining(text)]);
    }
  });

  it.runIf(canMount)('a full disk is an error, and leaves the folder as it was', async () => {
    const disk = join(line.folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]);
    try {
      await mkdir(join(disk, 'site'));
      const { code, error } = await line.run(['site', 'build', '--out', 'disk/site']);
      expect([code, error]).toEqual([1, expect.stringContaining('[disk]')]);
      expect(await readdir(disk, { recursive: true })).toEqual(['site']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('lists a file that is missing on the server, and ends with 1', async () => {
    const { hash } = await api.services.db
      .selectFrom('media')
      .select('hash')
      .where('id', '=', photo.id)
      .executeTakeFirstOrThrow();
    await rm(api.services.media.folderOf(hash), { recursive: true });
    const { code, error } = await line.run(['site', 'build', 'hall', '--out', 'gap']);
    expect([code, error]).toEqual([1, expect.stringContaining(`${photo.url} is missing on the server.`)]);
    expect(await isThere('gap/hall/index.html')).toBe(true);
  });
});
