import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('webhooks from the command line', () => {
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

  it('are added with their secret, listed, tested, looked at and removed', async () => {
    const added = await line.done(
      'webhooks',
      'add',
      'Build',
      'https://hook.invalid/hook',
      '--event',
      'space.published',
    );
    expect(added).toMatch(/^Webhook \d+: whsec_/);
    expect(await line.json('webhooks', 'list')).toMatchObject([{ name: 'Build', events: ['space.published'] }]);
    expect(await line.done('webhooks', 'test', 'Build')).toMatch(/^Message msg_\S+ has been queued/);
    expect(await line.json('webhooks', 'log', 'Build')).toMatchObject([{ event: 'test' }]);
    expect(await line.done('webhooks', 'remove', 'Build', '--yes')).toMatch(/^removed \d+ Build$/m);
    expect(await line.json('webhooks', 'list')).toEqual([]);
  });

  it('say what is wrong', async () => {
    const unknown = await line.run(['webhooks', 'test', 'Nobody']);
    expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining('No webhook named "Nobody".')]);
    const wrong = await line.run(['webhooks', 'add', 'Build', 'file:///etc/passwd', '--event', 'space.published']);
    expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('Use a URL such as')]);
  });
});
