import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeLimits } from '../../src/server/core/limits/quotas.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { PIXEL } from '../server/features/history/changing-requests.ts';

describe.each(databases)('several bundles on %s', (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  let elsewhere: CommandLine;
  const names: string[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    elsewhere = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.two.admin.token });
    const client = api.client();
    const media = await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    for (const title of ['First', 'Second', 'Third']) {
      const template = await client.templates.create({ body: { name: `${title} look`, logo_file_id: media.id } });
      await client.rooms.create({ body: { title, template_id: template.id } });
      const name = join(line.folder, `${title}.enfilade.zip`);
      await line.done('rooms', 'export', title, '--with-media', name);
      names.push(name);
    }
  });
  afterAll(async () => {
    await line.close();
    await elsewhere.close();
    await api.close();
  });

  const jobs = async () => (await elsewhere.json('jobs')).length;
  /** All that the second organization has of what bundles bring. */
  const held = async () =>
    Promise.all(['rooms', 'templates', 'media'].map(async (what) => (await elsewhere.json(what, 'list')).length));

  it('of which one is cut off leave nothing', async () => {
    const whole = await readFile(names[2]!);
    const cut = await line.file('cut.enfilade.zip', whole.subarray(0, whole.length / 2));
    const run = await elsewhere.run(['rooms', 'import', names[0]!, names[1]!, cut]);
    expect(run).toMatchObject({ code: 1, out: '', error: expect.stringContaining("isn't a valid bundle") });
    expect([await held(), await jobs()]).toEqual([[0, 0, 0], 0]);
  });

  it('that a quota refuses leave neither rooms nor templates nor media', async () => {
    await changeLimits(api.services.db, api.two.id, { spaces: 2 });
    const run = await elsewhere.run(['rooms', 'import', ...names]);
    await changeLimits(api.services.db, api.two.id, { spaces: null });
    expect(run).toMatchObject({ code: 3, out: '' });
    expect([await held(), await jobs()]).toEqual([[0, 0, 0], 0]);
  });

  it('are one plan and one job, which one undo takes back', async () => {
    const plan = await elsewhere.json('rooms', 'import', ...names);
    expect(plan).toMatchObject({ applied: true, counts: { create: 6 } });
    expect([await held(), await jobs()]).toEqual([[3, 3, 1], 1]);
    expect(await elsewhere.done('undo', String(plan.job))).toBe('Undone: 6.\n');
    expect((await held()).slice(0, 2)).toEqual([0, 0]);
  });
});
