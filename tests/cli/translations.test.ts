import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { Translator } from '../harness/stand-ins/translator.ts';

describe('translations from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    await api.client().rooms.create({ body: { title: 'Harbour', description: '<p>Ships</p>' } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('are exported, previewed, and set; refused ones end with exit code 1', async () => {
    const file = join(line.folder, 'nl.xlf');
    await line.done('translations', 'export', 'Harbour', '--language', 'nl', '--out', file);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('<source>Harbour</source>', '$&<target>Haven</target>'));
    const wanted = ['translations', 'import', 'Harbour', file, '--language', 'nl'];
    expect(await line.done(...wanted, '--dry-run')).toBe(
      '1 to set, 1 unchanged, 0 refused\n  set      room title: "Haven"\n',
    );
    expect(await line.done(...wanted, '--yes')).toContain('1 set, 1 unchanged, 0 refused');
    expect(await line.done('translations', 'export', 'Harbour', '--language', 'nl', '--format', 'csv')).toContain(
      '"space.title","Space: Title","Harbour","Haven","done"',
    );
    await api.client().rooms.update({ params: { id: 1 }, body: { title: 'Port' } });
    const late = await line.run([...wanted, '--yes']);
    expect([late.code, late.out]).toEqual([1, expect.stringContaining('refused  room title: The text has changed')]);
  });

  it('of what belongs to the room are exported, and set; others than those asked for are not', async () => {
    const client = api.client();
    const { id } = await client.endpoints.create({ body: { name: 'At the water', slug: 'water', room_id: 1 } });
    const args = ['1', '--language', 'nl'];
    expect(await line.done('translations', 'export', ...args, '--with', '')).not.toContain('At the water');
    const text = await line.done('translations', 'export', ...args, '--with', 'structures');
    const file = await line.file('w.xlf', text.replace('<source>At the water</source>', '$&<target>Water</target>'));
    expect(await line.done('translations', 'import', '1', file, '--language', 'nl', '--yes')).toContain(
      `  set      structure ${id} name: "Water"\n`,
    );
    expect((await line.run(['translations', 'export', ...args, '--with', 'all'])).code).not.toBe(0);
    await client.endpoints.remove({ params: { id } });
  });

  it('of structures are exported with those below, and set', async () => {
    const client = api.client();
    const { id } = await client.endpoints.create({ body: { name: 'The quay', slug: 'quay', room_id: 1 } });
    const args = ['--structure', '--language', 'nl'];
    const text = await line.done('translations', 'export', 'quay', ...args);
    const file = await line.file('quay.xlf', text.replace('<source>The quay</source>', '$&<target>De kade</target>'));
    const wanted = ['translations', 'import', 'quay', file, ...args];
    expect(await line.done(...wanted, '--dry-run')).toBe(
      `1 to set, 0 unchanged, 0 refused\n  set      structure ${id} name: "De kade"\n`,
    );
    expect(await line.done(...wanted, '--yes')).toContain('1 set, 0 unchanged, 0 refused');
    expect((await client.endpoints.read({ params: { id } })).translations).toMatchObject({
      nl: { name: { text: 'De kade' } },
    });
  });
});

describe('translated titles of structures from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    const room = await client.rooms.create({ body: { name: 'Hall', title: 'Hall' } });
    for (const slug of ['quay', 'pier'])
      await client.endpoints.create({ body: { name: slug, slug, room_id: room.id } });
    const [quay] = await client.endpoints.list();
    const texts = { name: 'De kade, "oud"' };
    await client.endpoints.translate({ params: { id: quay!.id }, body: { language: 'nl', texts } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it.each([
    ['endpoints.csv', ['--csv']],
    ['endpoints.json', []],
  ])('are exported to %s, imported unchanged, and added elsewhere', async (name, options) => {
    await line.done('endpoints', 'export', ...options, '--out', name);
    const read = async () =>
      (await api.client().endpoints.list()).map(({ slug, translations }) => [slug, translations]);
    const before = await read();
    expect(before[0]).toEqual(['quay', { nl: { name: expect.objectContaining({ text: 'De kade, "oud"' }) } }]);
    expect(await line.done('endpoints', 'import', name)).toMatch(/^Nothing changed /);
    await line.done('endpoints', 'remove', 'quay', 'pier', '--yes');
    await line.done('endpoints', 'import', name, '--yes');
    expect(await read()).toEqual(before);
  });

  it('are replaced by those of a file, and refused where they are not such', async () => {
    const file = (translations: unknown) =>
      line.file('one.json', JSON.stringify({ path: 'quay', room: 'Hall', translations }));
    const given = { de: { name: { text: 'Der Kai', source: '0123456789abcdef' } } };
    await line.done('endpoints', 'import', await file(given), '--yes');
    expect((await api.client().endpoints.list())[0]!.translations).toEqual(given);
    for (const wrong of [
      { de: { name: { text: 'x'.repeat(256), source: '0123456789abcdef' } } },
      { de: { slug: {} } },
      [1],
    ])
      expect((await line.run(['endpoints', 'import', await file(wrong), '--yes'])).code).toBe(1);
    await line.file('cell.csv', 'path,room,translations\nquay,Hall,{nl\n');
    const { code, error } = await line.run(['endpoints', 'import', 'cell.csv', '--yes']);
    expect([code, error]).toEqual([1, expect.stringContaining('"{nl" is not JSON')]);
    expect((await api.client().endpoints.list())[0]!.translations).toEqual(given);
  });
});

describe('machine drafts from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  let translator: Translator;
  beforeAll(async () => {
    translator = await new Translator().start();
    api = await ApiApp.start('sqlite', {}, { allowed: [new URL(translator.url).host] });
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    await api.client().rooms.create({ body: { title: 'Harbour', description: '<p>Ships</p>' } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
    await translator.stop();
  });

  it('are counted, made, and refused one by one with exit code 1', async () => {
    const wanted = ['translations', 'draft', 'Harbour', '--language', 'nl'];
    const early = await line.run([...wanted, '--yes']);
    expect([early.code, early.error]).toEqual([1, expect.stringContaining('Settings, Translation')]);
    const { secret } = await api.client().translationWebhook.update({ body: { url: translator.url } });
    translator.secret = secret!;
    expect(await line.done(...wanted, '--dry-run')).toBe('2 to draft\n');
    expect(await line.done(...wanted, '--yes')).toBe('2 drafted, 0 refused, 0 left\n');
    await api.client().rooms.update({ params: { id: 1 }, body: { title: 'Port' } });
    expect(await line.done(...wanted, '--yes')).toBe('0 to draft\n');
    translator.reply = ({ texts }) => ({ json: { translations: texts.map(({ id }) => ({ id, text: '' })) } });
    const late = await line.run([...wanted, '--outdated', '--yes']);
    expect([late.code, late.out]).toEqual([1, expect.stringContaining('refused  room title: The webhook returned no')]);
    expect(translator.wrong).toEqual([]);
  });
});
