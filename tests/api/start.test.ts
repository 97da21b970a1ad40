import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, StartedServer } from '../harness/started-server.ts';

describe('starting the server', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-start-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('shows the address, the e-mail and once the password, which opens the back-office', async () => {
    // Relative, as the default is.
    const DATA_DIR = relative(ROOT, join(folder, 'first'));
    const first = new StartedServer({ DATA_DIR });
    const address = await first.address();
    const password = /Password\s+(\S+)/.exec(first.output)![1]!;
    expect(password.length).toBeGreaterThanOrEqual(16);
    expect(first.output).toContain('admin@example.com');
    const signIn = (origin: string) =>
      fetch(`${origin}/api/v1/backend/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@example.com', password }),
      });
    const { data } = (await (await signIn(address)).json()) as { data: { policies: object } };
    expect(JSON.stringify(data.policies)).not.toContain('false');
    expect(await first.stop()).toBe(0);

    const second = new StartedServer({ DATA_DIR });
    expect((await signIn(await second.address())).status).toBe(200);
    expect(second.output).not.toContain('Password');
    expect(await second.stop()).toBe(0);
  });

  it('does not show a password that the settings give', async () => {
    const server = new StartedServer({ DATA_DIR: join(folder, 'given'), ADMIN_PASSWORD: 'a password of my own' });
    await server.address();
    expect(server.output).not.toMatch(/Password|a password of my own/);
    await server.stop();
  });

  it.each([
    ['PORT', { PORT: 'abc' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'short' }],
    ['/dev/null/data', { DATA_DIR: '/dev/null/data' }],
    ['HOST', { HOST: '203.0.113.1' }],
  ])('says in one sentence that %s can not be used (%o)', async (name, environment) => {
    const server = new StartedServer({ DATA_DIR: join(folder, 'wrong'), ...environment } as Record<string, string>);
    expect(await server.ended).toBe(1);
    expect(server.output).toContain(name);
    expect(server.output.trim().split('\n')).toHaveLength(1);
    expect(server.output).not.toMatch(/\n\s+at /);
  });

  it('says in one sentence that the port is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, 'localhost', () => resolve((other.address() as { port: number }).port)),
    );
    const server = new StartedServer({ DATA_DIR: join(folder, 'used'), PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.output.trim()).toMatch(new RegExp(`^Port ${port} is in use\\. .*\\.$`));
    other.close();
  });

  it('security 53: answers the requests under way when it is told to stop', async () => {
    const server = new StartedServer({ DATA_DIR: join(folder, 'stopped') });
    const address = await server.address();
    const guesses = Array.from({ length: 9 }, (_, index) =>
      fetch(`${address}/api/v1/backend/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'x' }),
      }).then(({ status }) => status),
    );
    await guesses[0];
    const code = server.stop();
    // Those that had not arrived yet are told to come back.
    for (const status of await Promise.all(guesses)) expect([422, 503]).toContain(status);
    expect(await code).toBe(0);
  });
});
