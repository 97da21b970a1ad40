import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { ApiApp, PASSWORD } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { furnishFactors } from '../harness/factors.ts';

describe('a session on the command line', () => {
  let line: CommandLine;
  beforeAll(async () => {
    line = await CommandLine.here({});
  });
  afterAll(() => line.close());

  it('signs a user in with a password, keeps the session as long as it is used, and ends it', async () => {
    const api = await ApiApp.start('sqlite');
    const { email } = api.one.admin;
    const login = (input: string) => line.run(['login', '--url', api.origin, '--email', email], { input });
    const kept = async () => JSON.parse(await readFile(join(line.folder, 'enfilade/login.json'), 'utf8')).key as string;
    try {
      expect(await login('wrong password\n')).toMatchObject({
        code: 1,
        error: expect.stringContaining('[wrong_login]'),
      });
      expect(await login(`${PASSWORD}\n`)).toMatchObject({ code: 0, error: '' });
      const first = await kept();
      // What keys may not do is done by a user.
      const policies = allPolicies();
      const { key } = await api.client().apiKeys.create({ body: { name: 'Script', policies } });
      await line.file('kim.json', JSON.stringify({ email: 'kim@example.com', name: 'Kim' }));
      const environment = { ENFILADE_URL: api.origin, ENFILADE_KEY: key };
      const refused = await line.run(['users', 'import', 'kim.json'], { environment });
      expect(refused).toMatchObject({ code: 3, error: expect.stringContaining("API keys can't do this") });
      expect(await line.done('users', 'import', 'kim.json')).toMatch(/^create 1\n/);
      api.clock.advance(31 * 60 * 1000);
      await line.done('rooms', 'list');
      const second = await kept();
      expect(second).not.toBe(first);
      api.clock.advance(2 * 60 * 1000);
      expect(await line.done('rooms', 'list')).toBe('No entries.\n');
      expect((await stat(join(line.folder, 'enfilade/login.json'))).mode & 0o777).toBe(0o600);
      expect(await line.done('logout')).toBe('Deleted the stored credentials and ended the session.\n');
      const ended = { ENFILADE_URL: api.origin, ENFILADE_KEY: second };
      expect(await line.run(['rooms', 'list'], { environment: ended })).toMatchObject({ code: 3 });
      await login(`${PASSWORD}\n`);
    } finally {
      await api.close();
    }
    expect(await line.done('logout')).toMatch(/^Deleted the stored credentials\. Couldn't end the session/);
  });

  it('asks a user with a second factor for the code', async () => {
    const api = await ApiApp.start('sqlite');
    try {
      const { guarded } = await furnishFactors(api, api.one);
      const args = ['login', '--url', api.origin, '--email', guarded.user.email];
      const input = `${PASSWORD}\n`;
      expect(await line.run(args, { input })).toMatchObject({
        code: 2,
        error: expect.stringContaining('The code of the second factor is missing'),
      });
      expect(await line.run([...args, '--code', '000000'], { input })).toMatchObject({ code: 1 });
      expect(await line.run([...args, '--code', guarded.code], { input })).toMatchObject({ code: 0, error: '' });
      expect(await line.done('logout')).toBe('Deleted the stored credentials and ended the session.\n');
    } finally {
      await api.close();
    }
  });
});
