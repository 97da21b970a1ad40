import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as recipes from '../../fixtures/make/iiif-manifests.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { IiifServer } from '../harness/stand-ins/iiif-server.ts';

describe('enfilade iiif import', () => {
  let server: IiifServer;
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    server = await new IiifServer().start();
    api = await ApiApp.start('sqlite', {}, { allowed: [new URL(server.url).host] });
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    for (let nth = 1; nth <= 4; nth++) server.image(`/images/page-${nth}.png`, { width: 90 + nth, height: 140 });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
    await server.stop();
  });

  it('plans without storing anything, imports, and can be undone', async () => {
    const url = server.add(recipes.book(server.url));
    const client = api.client();
    const plan = await line.done('iiif', 'import', url, '--limit', '2', '--dry-run');
    expect(plan).toBe(
      [
        'Would create A book with 2 works, in en',
        '  image  Blank page',
        '  image  Frontispiece',
        '  remark  Only the first 2 canvases are imported. Import the others from their own manifests.',
        '',
      ].join('\n'),
    );
    expect((await client.media.list()).total).toBe(0);
    const { code, out, error } = await line.run(['iiif', 'import', url, '--path', 'book']);
    expect([code, error]).toEqual([1, 'Downloading 1 of 5\n']);
    expect(out).toMatch(
      /^Room \d+: A book, 4 works\n {2}remark {2}“A book, 5” is left out: .*404.*\n {2}Run `enfilade undo \d+` to undo this\.\n$/,
    );
    expect(await line.json('endpoints', 'list')).toMatchObject([{ name: 'A book', slug: 'book' }]);
    const [job] = (await client.imports.list()).data;
    expect(await line.done('undo', String(job!.id))).toBe('Undone: 3.\n');
    expect((await client.rooms.list()).data).toEqual([]);
  });

  it('reads files, and reports their errors before any download', async () => {
    const { ...book } = recipes.book(server.url);
    await line.file('book.json', JSON.stringify({ ...book, items: (book.items as unknown[]).slice(0, 4) }));
    const made = await line.json('iiif', 'import', 'book.json', '--name', 'Pages');
    expect(made).toMatchObject({ hung: 4, remarks: [], job: expect.any(Number) });
    server.takeSeen();
    const run = async (...args: string[]) => {
      const { code, error } = await line.run(['iiif', 'import', ...args]);
      return [code, error];
    };
    expect(await run('book.json', '--name', 'Pages')).toEqual([
      1,
      expect.stringContaining('Another space has this name'),
    ]);
    expect(await run('nowhere.json')).toEqual([2, expect.stringContaining('File not found: nowhere.json.')]);
    expect(await run('book.json', '--limit', '1001')).toEqual([2, expect.stringContaining('from 1 to 1000')]);
    await line.file('page.json', '<!doctype html>');
    expect(await run('page.json')).toEqual([1, expect.stringContaining('web page, not a IIIF manifest')]);
    expect(server.takeSeen()).toEqual([]);
  });
});
