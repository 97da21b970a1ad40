import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('labels from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('are imported, listed and removed', async () => {
    await line.file('labels.csv', 'name,color\nUrgent,#ff0000\n');
    expect(await line.done('labels', 'import', 'labels.csv', '--yes')).toBe('create Urgent\n');
    expect(await line.json('labels', 'list')).toMatchObject([{ name: 'Urgent', color: '#ff0000' }]);
    expect(await line.done('labels', 'remove', 'Urgent', '--yes')).toMatch(/^removed \d+ Urgent$/m);
  });
});
