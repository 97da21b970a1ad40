import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp } from '../../../harness/api-app.ts';
import { type Opening, VisitorSocket } from './visitor-socket.ts';

let api: ApiApp;
let key: string;
const open: VisitorSocket[] = [];
let made = 0;

beforeAll(async () => {
  api = await ApiApp.start('sqlite');
  const { body } = await api.send('GET', '/api/v1/settings');
  key = body.data.realtime_api_key;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((visitor) => visitor.leave()));
});
afterAll(() => api.close());

/** A room with an element, shown by a structure. */
async function publish(fields: Record<string, unknown> = {}) {
  const client = api.client();
  const room = await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } });
  const element = await client.rooms.addElement({ params: { id: room.id }, body: { element: 'text', name: 'Sign' } });
  const endpoint = await client.endpoints.create({ body: { name: `Hall ${++made}`, room_id: room.id, ...fields } });
  return { room: room.id, element: element.id, endpoint };
}

const connect = async (options: Opening = {}) => {
  const visitor = await VisitorSocket.open(api.origin, { key, ...options });
  open.push(visitor);
  return visitor;
};
/** Waits until a visitor is in a room, as others there hear. */
const isHeard = async (guest: VisitorSocket, room: number) => {
  const other = await connect({ room });
  other.move('other', 1);
  guest.move('guest', 1);
  await expect.poll(() => other.placeOf('guest')?.x).toBe(1);
};
const refusal = (options: Opening) =>
  connect(options).then(
    () => 'let in',
    (error: Error) => error.message,
  );

describe('two visitors', () => {
  test('hear of each other in the form that was sent, floored, and not of themselves', async () => {
    const { room } = await publish();
    const [one, two] = [await connect({ room }), await connect({ room })];
    one.move('one', 10.9);
    two.move('two', 20);
    await expect
      .poll(() => [one.placeOf('two'), two.placeOf('one')])
      .toEqual([
        { x: 20, y: 2, z: -4 },
        { x: 10, y: 2, z: -4 },
      ]);
    expect(one.heard).toEqual([{ subject: 'position', data: { ref: 'two', position: { x: 20, y: 2, z: -4 } } }]);
    expect(one.placeOf('one')).toBeUndefined();
  });

  test('are apart in another room, and at another element', async () => {
    const hall = await publish();
    const attic = await publish();
    const inHall = await connect({ room: hall.room });
    const atElement = await connect();
    const inAttic = await connect({ room: attic.room });
    const subject = `position_${hall.element}`;
    const beside = await connect();
    inHall.move('a', 1);
    inAttic.move('b', 2);
    atElement.move('c', 3, subject);
    beside.move('d', 4, subject);
    await expect.poll(() => beside.placeOf('c', subject)?.x).toBe(3);
    await expect.poll(() => atElement.placeOf('d', subject)?.x).toBe(4);
    expect([inHall.heard, inAttic.heard]).toEqual([[], []]);
    expect([atElement.heard.length, beside.heard.length]).toEqual([1, 1]);
  });

  test('meet in the room under its own subject and under its number', async () => {
    // One more element keeps the room's number from being its element's too.
    const { room } = await publish();
    await api.client().rooms.addElement({ params: { id: room }, body: { element: 'text', name: 'One more' } });
    const hall = await publish();
    expect(hall.room).not.toBe(hall.element);
    const [one, two] = [await connect({ room: hall.room }), await connect({ room: hall.room })];
    one.move('one', 1);
    two.move('two', 2, `position_${hall.room}`);
    await expect.poll(() => one.placeOf('two')?.x).toBe(2);
    await expect.poll(() => two.placeOf('one')?.x).toBe(1);
  });

  test('see each other across both forms; frames name their changes only, and who left', async () => {
    const { room } = await publish();
    const single = await connect({ room });
    const batch = await connect({ room, mode: 'batch' });
    const other = await connect({ room, mode: 'batch' });
    single.move('single', 5);
    batch.move('batch', 6);
    other.move('other', 7);
    await expect.poll(() => [...batch.places.values()].map(({ x }) => x).sort()).toEqual([5, 6, 7]);
    await expect.poll(() => [single.placeOf('batch')?.x, single.placeOf('other')?.x]).toEqual([6, 7]);
    const own = batch.heard[0]!;
    expect(own.subject).toBe('position');
    expect(batch.places.get(own.data.slot)?.x).toBe(6);
    // A second's worth of frames is long over when nobody moved: there is nothing to say.
    await wait(600);
    const { frames } = batch;
    single.move('single', 5);
    await wait(100);
    expect(batch.frames).toBe(frames);
    await other.leave();
    await expect.poll(() => [...batch.places.values()].map(({ x }) => x).sort()).toEqual([5, 6]);
  });

  test('who says nothing for five seconds is gone', async () => {
    const { room } = await publish();
    const silent = await connect({ room, mode: 'batch' });
    const awake = await connect({ room, mode: 'batch' });
    silent.move('silent', 1);
    awake.move('awake', 2);
    await expect.poll(() => awake.places.size).toBe(2);
    const beat = setInterval(() => awake.move('awake', 2), 1000);
    await expect.poll(() => awake.places.size, { timeout: 30_000 }).toBe(1);
    clearInterval(beat);
    // And back with the next word.
    silent.move('silent', 3);
    await expect.poll(() => awake.places.size).toBe(2);
  });
});

describe('who may connect', () => {
  test('security 59: a foreign, a null or no origin, and a wrong key are refused; ours and embed domains are let in', async () => {
    const { room } = await publish();
    const embed_domains = [{ domain: 'https://friend.example' }];
    await api.client().organizations.update({ body: { name: 'One', embed_domains } });
    const strangers = ['https://evil.example', 'https://friend.example.evil.example', 'http://friend.example', 'null'];
    for (const origin of [...strangers, null]) expect(await refusal({ room, origin })).toBe('403');
    expect(await refusal({ room, key: 'wrong' })).toBe('403');
    expect(await refusal({ room, key: '' })).toBe('403');
    expect(await refusal({ room: -1 })).toBe('400');
    expect(await refusal({ room })).toBe('let in');
    expect(await refusal({ room, origin: 'https://friend.example' })).toBe('let in');
    // The key of one organization is none of another's.
    expect(await refusal({ room, host: 'two.example', origin: 'http://two.example' })).toBe('403');
  });

  test('a request that is no WebSocket is told so, and other paths take no upgrade', async () => {
    expect((await api.send('GET', `/realtime?key=${key}`)).status).toBe(426);
    const { host } = new URL(api.origin);
    const raw = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    const socket = createConnection(Number(host.split(':')[1]), '127.0.0.1');
    socket.write(raw);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('security 22: a protected room lets in the visit of its structure, and ends with it', async () => {
    const { room, endpoint } = await publish({ is_protected: true });
    const other = await publish({ is_protected: true });
    const client = api.client();
    const enter = async ({ id, slug }: { id: number; slug: string }) => {
      const { id: code, token } = await client.accessTokens.create({ body: { endpoint_id: id } });
      const answer = await api.send('POST', `/api/v1/endpoints/${slug}`, { body: { access_token: token } });
      return { code, token: answer.headers.get('authorization')!.replace('Bearer ', '') };
    };
    const here = await enter(endpoint);
    const elsewhere = await enter(other.endpoint);
    for (const token of [null, 'nonsense', elsewhere.token]) {
      const stranger = await connect({ room });
      if (token) stranger.say({ subject: 'enter', data: { token } });
      stranger.move('stranger', 1);
      expect((await stranger.closed).code).toBe(1008);
    }
    const guest = await connect({ room });
    const friend = await connect({ room });
    for (const visitor of [guest, friend]) visitor.say({ subject: 'enter', data: { token: here.token } });
    guest.move('guest', 1);
    friend.move('friend', 2);
    await expect.poll(() => guest.placeOf('friend')?.x).toBe(2);
    await client.accessTokens.remove({ params: { id: here.code } });
    expect((await guest.closed).code).toBe(1008);
  });

  test('security 4: hiding a structure closes the sockets of its room', async () => {
    const { room, endpoint } = await publish();
    const guest = await connect({ room });
    await isHeard(guest, room);
    const hidden = { name: endpoint.name, room_id: room, is_visible: false };
    await api.client().endpoints.update({ params: { id: endpoint.id }, body: hidden });
    expect((await guest.closed).code).toBe(1008);
  });
});

describe('what a visitor may send', () => {
  test('security 59: what is not a position, two a second, or under a kilobyte is dropped or ends the connection', async () => {
    const { room, element } = await publish();
    const [one, two] = [await connect({ room }), await connect({ room })];
    two.move('two', 1);
    const position = { x: 1, y: 1, z: 1 };
    const wrong: unknown[] = [
      'nonsense',
      '[]',
      'null',
      '{"__proto__":1}',
      { subject: 'position' },
      { subject: 'elsewhere', data: { ref: 'one', position } },
      { subject: 'position_0', data: { ref: 'one', position } },
      { subject: `position_${element + 1000}`, data: { ref: 'one', position } },
      { subject: 'position', data: { ref: '<b>', position } },
      { subject: 'position', data: { ref: 'one', position: { x: '1', y: 1, z: 1 } } },
      { subject: 'position', data: { ref: 'one', position: { ...position, x: 1e9 } } },
    ];
    for (const message of wrong) one.say(message);
    // So many a second are heard, and no more.
    await wait(1000);
    expect(two.heard).toEqual([]);
    for (let x = 1; x <= 20; x++) one.move('one', x);
    await expect.poll(() => two.placeOf('one')?.x).toBe(2);
    // A reference that is somebody else's already.
    const thief = await connect({ room });
    thief.move('one', 99);
    // What comes later has come: nothing of either is on the way.
    const later = await connect({ room });
    later.move('later', 1);
    await expect.poll(() => two.placeOf('later')?.x).toBe(1);
    expect(two.placeOf('one')?.x).toBe(2);
    one.say(`"${'x'.repeat(2000)}"`);
    expect((await one.closed).code).toBe(1009);
  });

  test('security 59: a thousand messages a second end the connection, and others hear on', async () => {
    const { room } = await publish();
    const [loud, one, two] = [await connect({ room }), await connect({ room }), await connect({ room })];
    for (let x = 0; x < 1000; x++) loud.move('loud', x);
    expect((await loud.closed).code).toBe(1008);
    two.move('two', 1);
    one.move('one', 1);
    await expect.poll(() => two.placeOf('one')?.x).toBe(1);
  });

  test('is counted', async () => {
    const { text: measures } = await api.metrics();
    expect(measures).toMatch(/^enfilade_realtime_connections \d+$/m);
    expect(Number(/^enfilade_realtime_messages_total (\d+)$/m.exec(measures)?.[1])).toBeGreaterThan(10);
    expect(Number(/^enfilade_realtime_messages_dropped_total (\d+)$/m.exec(measures)?.[1])).toBeGreaterThan(10);
  });
});

test('security 4: a server that stops says goodbye to its visitors', async () => {
  const { room } = await publish();
  const guest = await connect({ room });
  await isHeard(guest, room);
  await api.restart();
  expect((await guest.closed).code).toBe(1012);
});
