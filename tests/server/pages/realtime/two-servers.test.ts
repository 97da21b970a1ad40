import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { createClient } from '../../../../src/contract/client.ts';
import { EditorSocket } from '../../../harness/editor-socket.ts';
import { EditsSocket } from '../../../harness/edits-socket.ts';
import { freePort } from '../../../harness/free-port.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { VisitorSocket } from './visitor-socket.ts';

const hasNats = spawnSync('nats-server', ['--version']).status === 0;
if (!hasNats) console.log('Skipped: two servers over NATS; this machine has no nats-server.');

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

describe.skipIf(!hasNats)('two servers over NATS', () => {
  let folder: string;
  let port: number;
  let nats: ChildProcess;
  let servers: StartedServer[] = [];
  let origins: string[] = [];
  let key: string;
  let session: string | null = null;
  let room: number;

  const startNats = () => spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const stopNats = async () => {
    const ended = new Promise((resolve) => nats.on('exit', resolve));
    nats.kill();
    await ended;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-nats-'));
    port = await freePort();
    const environment = {
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      ADMIN_PASSWORD: ADMIN.password,
      NATS_URL: `nats://127.0.0.1:${port}`,
    };
    // NATS is not there yet: the servers start all the same.
    for (let index = 0; index < 2; index++) {
      const server = new StartedServer(environment);
      servers.push(server);
      origins.push(await server.address());
    }
    nats = startNats();
    const client = createClient({ origin: origins[0]!, token: () => session, onToken: (value) => (session = value) });
    await client.users.login({ body: ADMIN });
    room = (await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
    key = calls.visit.settings.output.parse(await client.visit.settings()).realtime_api_key;
  });
  afterAll(async () => {
    await stopNats();
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
    servers = [];
    origins = [];
    await rm(folder, { recursive: true, force: true });
  });

  const countOf = ({ places }: VisitorSocket) => places.size;

  test('an edit on one server reaches the editors and the visitors of the other', async () => {
    const far = createClient({ origin: origins[1]!, token: () => null });
    const shown = calls.visit.one.output.parse(await far.visit.one({ params: { slugOne: 'hall' } })).room!;
    const editor = await EditorSocket.open(origins[1]!, room, { token: session!, client: 'far' });
    const visitor = await EditsSocket.connect(origins[1]!);
    visitor.send({ path: '/hall', token: null, tag: shown.tag });
    await expect.poll(() => editor.of('opened').length).toBe(1);
    // Who edits on different servers sees each other: by then NATS is there.
    const other = await EditorSocket.open(origins[0]!, room, { token: session!, client: 'near' });
    await expect.poll(() => editor.of('editor').at(-1)?.editor.client).toBe('near');
    const near = createClient({ origin: origins[0]!, token: () => session });
    const begun = performance.now();
    await near.rooms.addElement({ params: { id: room }, body: { element: 'text', name: 'Sign' } });
    await expect.poll(() => editor.of('entry').length, { interval: 5 }).toBe(1);
    const told = performance.now() - begun;
    await expect
      .poll(() => visitor.shown(shown)?.room.elements.map(({ name }) => name), { interval: 5 })
      .toEqual(['Sign']);
    console.log(`Told after ${Math.round(told)} ms, visitors after ${Math.round(performance.now() - begun)} ms.`);
    for (const { ws } of [editor, visitor, other]) ws.close();
    await expect.poll(() => editor.ws.readyState).toBe(editor.ws.CLOSED);
  });

  test('security 60: visitors of both see each other; NATS restarted heals within 10 s, HTTP unaffected', async () => {
    const visitors = await Promise.all(
      origins.map((origin) => VisitorSocket.open(origin, { key, room, mode: 'batch' })),
    );
    const single = await VisitorSocket.open(origins[1]!, { key, room });
    let x = 0;
    const beat = setInterval(() => {
      x++;
      for (const [index, visitor] of visitors.entries()) visitor.move(`v${index}`, x);
      single.move('single', x);
    }, 500);
    await expect.poll(() => visitors.map(countOf), { timeout: 30_000 }).toEqual([3, 3]);
    await expect.poll(() => single.placeOf('v0') !== undefined).toBe(true);
    await stopNats();
    // Visitors of the other server fade; those of one's own stay.
    await expect.poll(() => visitors.map(countOf), { timeout: 30_000 }).toEqual([1, 2]);
    for (const origin of origins) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    nats = startNats();
    const back = performance.now();
    await expect.poll(() => visitors.map(countOf), { timeout: 30_000, interval: 50 }).toEqual([3, 3]);
    console.log(`Healed ${Math.round(performance.now() - back)} ms after NATS was started again.`);
    const { places } = visitors[0]!;
    const furthest = () => Math.max(...[...places.values()].map((place) => place.x));
    const before = furthest();
    await expect.poll(furthest, { timeout: 30_000 }).toBeGreaterThan(before);
    await visitors[1]!.leave();
    await expect.poll(() => countOf(visitors[0]!), { timeout: 30_000 }).toBe(2);
    clearInterval(beat);
    await Promise.all([visitors[0]!.leave(), single.leave()]);
  });
});
