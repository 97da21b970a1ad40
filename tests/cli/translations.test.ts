import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

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
});
