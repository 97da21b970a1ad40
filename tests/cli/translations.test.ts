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
