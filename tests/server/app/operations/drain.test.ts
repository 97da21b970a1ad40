import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/contract/client.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { VisitorSocket } from '../../pages/realtime/visitor-socket.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

describe('a server that is told to stop', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-drain-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (name: string, environment: Record<string, string>) =>
    new StartedServer({ DATA_DIR: join(folder, name), ADMIN_PASSWORD: ADMIN.password, ...environment });

  it('says so at /readyz and goes on serving for SHUTDOWN_DELAY, ends connections, and tells sockets to come back', async () => {
    const server = start('delay', { SHUTDOWN_DELAY: '3' });
    const origin = await server.address();
    let token: string | null = null;
    const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
    await client.users.login({ body: ADMIN });
    const { id: room } = await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } });
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
    const { realtime_api_key: key } = (await client.visit.settings()) as { realtime_api_key: string };
    const visitor = await VisitorSocket.open(origin, { key, room });

    const agent = new Agent({ keepAlive: true });
    const ask = async (path: string) => {
      const [answer] = (await once(get(origin + path, { agent }), 'response')) as [IncomingMessage];
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
      return { answer, body: (await json(answer)) as any };
    };
    expect((await ask('/readyz')).answer.headers.connection).toBe('keep-alive');
    const ended = server.stop();
    await expect.poll(async () => (await ask('/readyz')).answer.statusCode).toBe(503);
    const { answer, body } = await ask('/readyz');
    expect([body.status, body.code, answer.headers['retry-after']]).toEqual(['stopping', 'unavailable', '5']);
    const served = await ask('/api/v1/settings');
    expect([served.answer.statusCode, served.answer.headers.connection]).toEqual([200, 'close']);
    expect(await client.rooms.read({ params: { id: room } })).toMatchObject({ title: 'Hall' });
    expect((await visitor.closed).code).toBe(1012);
    expect(await ended).toBe(0);
    agent.destroy();
  });

  it('told a second time, ends at once', async () => {
    const server = start('twice', { SHUTDOWN_DELAY: '600' });
    const origin = await server.address();
    void server.stop();
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(503);
    expect(await server.stop()).toBe(1);
    expect(server.lines().at(-1).msg).toMatch(/^Second stop signal/);
  });

  it('cuts off what does not end within SHUTDOWN_GRACE, and says so', async () => {
    const server = start('grace', { SHUTDOWN_GRACE: '1' });
    const origin = await server.address();
    const upload = fetch(`${origin}/api/v1/backend/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // It never ends.
      body: new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{')) }),
      duplex: 'half',
    } as RequestInit).catch((error: Error) => error);
    // The one behind it has been answered, so that it has arrived.
    await fetch(`${origin}/healthz`);
    expect(await server.stop()).toBe(1);
    expect(server.lines().at(-1).msg).toMatch(/^Requests that didn't finish within SHUTDOWN_GRACE, 1 s/);
    expect(await upload).toBeInstanceOf(Error);
  });

  it('writes to standard output nothing but the log, a line of JSON each', async () => {
    const server = start('log', { LOG_LEVEL: 'debug', TRUSTED_PROXIES: '' });
    const origin = await server.address();
    const headers = { 'x-request-id': 'from-the-proxy', 'x-forwarded-for': '203.0.113.9' };
    await fetch(`${origin}/api/v1/backend/rooms`, { headers });
    await expect.poll(() => server.lines().filter(({ request_id }) => request_id === 'from-the-proxy').length).toBe(3);
    expect(
      server.lines().every(({ level, time, msg }) => level > 0 && Date.parse(time) > 0 && typeof msg === 'string'),
    ).toBe(true);
    expect(server.output.split('\n').filter((line) => line && !line.startsWith('{'))).toEqual([]);
    await server.stop();
  });

  it('stops before it starts where its key is not that of the database, until the key is replaced', async () => {
    const first = start('key', { SECRET_KEY: 'a'.repeat(32) });
    await first.address();
    await first.stop();
    const other = start('key', { SECRET_KEY: 'b'.repeat(32) });
    expect(await other.ended).toBe(1);
    expect(other.lines().map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        /^SECRET_KEY doesn't match the key that encrypted this database\. .*`enfilade key --replace`/,
      ),
    ]);
    const none = start('key', {});
    expect(await none.ended).toBe(1);
    expect(none.lines()[0].msg).toMatch(/^The key file secret\.key in DATA_DIR .* is missing/);
    const again = start('key', { SECRET_KEY: 'a'.repeat(32) });
    await again.address();
    await again.stop();
    await writeFile(join(folder, 'key', 'secret.key'), 'another one');
    expect(await start('key', {}).ended).toBe(1);
  });
});
