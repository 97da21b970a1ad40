import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/contract/client.ts';
import { ROOT, StartedServer } from '../../../harness/started-server.ts';

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
    const { password = '', email } = first.greeting!;
    expect(password.length).toBeGreaterThanOrEqual(16);
    expect(email).toBe('admin@example.com');
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
    expect(second.output).not.toContain('password');
    expect(await second.stop()).toBe(0);
  });

  describe('once it listens', () => {
    let data: string;
    let server: StartedServer;
    let address: string;
    beforeAll(async () => {
      data = join(folder, 'closed');
      await mkdir(data, { mode: 0o755 });
      server = new StartedServer({ DATA_DIR: data, ADMIN_PASSWORD: 'a password of my own', LOG_LEVEL: 'debug' });
      address = await server.address();
    });
    afterAll(() => server.stop());

    it('does not show a password that the settings give', () => {
      expect(server.output).not.toMatch(/"password"|a password of my own/);
    });

    it('keeps its data from other users of the machine, also what stood open before', async () => {
      const rightsOf = async (path: string) => ((await stat(join(data, path))).mode & 0o777).toString(8);
      expect([await rightsOf('.'), await rightsOf('enfilade.sqlite'), await rightsOf('media')]).toEqual([
        '700',
        '600',
        '700',
      ]);
    });

    it('logs requests without the secrets of their addresses', async () => {
      const secret = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6';
      for (const path of [
        `/admin/password/${secret}/reset`,
        `/api/v1/backend/endpoints/1/export-tokens?token=${secret}`,
        `/gallery?${secret}`,
        `/%2f${secret}`,
      ])
        await fetch(address + path).then((response) => response.arrayBuffer());
      await expect.poll(() => server.output.split('"url"').length).toBeGreaterThanOrEqual(5);
      expect(server.output).toContain('/admin/password/…/reset');
      expect(server.output).toContain('/export-tokens?token');
      expect(server.output).not.toContain(secret);
    });

    it('logs who asked for what in the line of each completed request, with times that people read', async () => {
      let token = '';
      const client = createClient({ origin: address, token: () => token, onToken: (value) => (token = value) });
      await client.users.login({ body: { email: 'admin@example.com', password: 'a password of my own' } });
      const { id } = await client.users.active();
      await client.rooms.list({ query: { search: 'hall' } });
      const completed = () =>
        server
          .lines()
          .find(({ msg, req }) => msg === 'request completed' && req.url.startsWith('/api/v1/backend/rooms'));
      await expect.poll(completed).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        req: { method: 'GET', url: '/api/v1/backend/rooms?search' },
        res: { statusCode: 200 },
        responseTime: expect.any(Number),
        user_id: id,
        organization_id: 1,
      });
    });
  });

  it('loads nothing that only reads what others sent, and ends with the threads that read it', async () => {
    const note = join(folder, 'note.mjs');
    const loaded = join(folder, 'loaded');
    await writeFile(
      note,
      `import { appendFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });`,
    );
    const environment = { NODE_OPTIONS: `--import=${note}`, LOADED: loaded };
    const ADMIN_PASSWORD = 'a password of my own';
    const server = new StartedServer({ DATA_DIR: join(folder, 'lean'), ADMIN_PASSWORD, ...environment });
    const origin = await server.address();
    const packages = async () => {
      const names = /node_modules\/((?:@[^/]+\/)?[^/]+)\//g;
      return new Set([...(await readFile(loaded, 'utf8')).matchAll(names)].map(([, name]) => name));
    };
    const readers = [
      'piscina',
      'sharp',
      'file-type',
      'yauzl',
      'gltf-validator',
      'music-metadata',
      'wawoff2',
      'feedsmith',
      '@opentelemetry/sdk-trace',
    ];
    const before = await packages();
    expect(before).toContain('fastify');
    expect(readers.filter((name) => before.has(name))).toEqual([]);

    const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
    let token = '';
    await client.users.login({ body: { email: 'admin@example.com', password: ADMIN_PASSWORD } });
    const file = await openAsBlob(join(ROOT, 'fixtures/media/panorama-poster.jpg'));
    await client.media.upload({ body: {}, files: { file: new File([file], 'poster.jpg') } });
    // Files are read by other processes, texts by threads.
    expect(await packages()).not.toContain('piscina');
    const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
    const { id } = await client.endpoints.create({ body: { name: 'Members', room_id, is_protected: true } });
    const access_tokens_file = new File(['AAA-001\nAAA-002\n'], 'tokens.csv');
    await client.accessTokens.importFile({ params: { id }, body: {}, files: { access_tokens_file } });
    expect(await packages()).toContain('piscina');
    expect(await server.stop()).toBe(0);
  });

  it.each([
    ['PORT', { PORT: 'abc' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'short' }],
    ['DATA_DIR /dev/null/data', { DATA_DIR: '/dev/null/data' }],
    ['DATA_DIR /proc/x', { DATA_DIR: '/proc/x' }],
    ['DATA_DIR /proc/x', { DATA_DIR: '/proc/x', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'foo' }],
    ['HOST', { HOST: '203.0.113.1' }],
  ])("says in one sentence that %s can't be used (%o)", async (name, environment) => {
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
    expect(server.lines().map(({ msg }) => msg)).toEqual([
      `Port ${port} is in use. Stop the other program, or start with PORT=0 or another port.`,
    ]);
    other.close();
  });

  /** A guess at a password whose body is sent when the test says so. */
  function guess(address: string, index: number) {
    const body = JSON.stringify({ email: `nobody-${index}@example.com`, password: 'x' });
    const sent = request(`${address}/api/v1/backend/users/login`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    });
    return {
      heard: once(sent, 'continue'),
      status: once(sent, 'response').then(([response]) => (response as IncomingMessage).resume().statusCode),
      send: () => sent.end(body),
      begin: () => sent.flushHeaders(),
    };
  }

  /** Waits until nobody is let in any more. */
  async function closed(address: string): Promise<void> {
    const { hostname, port } = new URL(address);
    for (;;) {
      const socket = connect(Number(port), hostname);
      const open = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (!open) return;
    }
  }

  it('security 53: answers the requests under way when it is told to stop', async () => {
    const server = new StartedServer({ DATA_DIR: join(folder, 'stopped') });
    const address = await server.address();
    const guesses = Array.from({ length: 9 }, (_, index) => guess(address, index));
    for (const { begin } of guesses) begin();
    await Promise.all(guesses.map(({ heard }) => heard));
    const code = server.stop();
    await closed(address);
    for (const { send } of guesses) send();
    expect(await Promise.all(guesses.map(({ status }) => status))).toEqual(guesses.map(() => 422));
    expect(await code).toBe(0);
  });

  it('security 53: tells those who were at the door to come back', async () => {
    const server = new StartedServer({ DATA_DIR: join(folder, 'at-the-door') });
    const { hostname, port } = new URL(await server.address());
    server.hold();
    const sockets = Array.from({ length: 9 }, () => connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const code = server.stop();
    server.goOn();
    const answers = await Promise.all(sockets.map((socket) => text(socket)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (?:200|503) /);
    expect(await code).toBe(0);
  });
});
