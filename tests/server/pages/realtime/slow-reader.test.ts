import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Channel } from '../../../../src/server/pages/realtime/channel.ts';
import { GuestNumbers } from '../../../../src/server/pages/realtime/guest-numbers.ts';
import { Receiver } from '../../../../src/server/pages/realtime/receiver.ts';
import { socketFrame } from '../../../../src/server/pages/sockets/socket-frame.ts';

const FILLER = socketFrame('text', Buffer.from(JSON.stringify({ filler: 'x'.repeat(500_000) })));

let server: Server;
let sockets: WebSocketServer;

beforeAll(async () => {
  server = createServer();
  sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const each of sockets.clients) each.terminate();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A visitor with both ends of its line, and where it has heard the others to be. */
async function connect() {
  let connection: Socket | undefined;
  const joined = new Promise<WebSocket>((resolve) =>
    sockets.once('connection', (ws, request) => {
      connection = request.socket;
      resolve(ws);
    }),
  );
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const heard: number[] = [];
  client.on('message', (data) => {
    const { data: said } = JSON.parse(data.toString()) as { data?: { position: { x: number } } };
    if (said) heard.push(said.position.x);
  });
  const closed = new Promise((resolve) => client.on('close', resolve));
  const receiver = new Receiver('single', { ws: await joined, socket: connection! });
  await new Promise((resolve) => (client.readyState === WebSocket.OPEN ? resolve(null) : client.once('open', resolve)));
  return { client, heard, receiver, closed };
}

/** Writes more to a visitor who does not read than fits on the way: 20 MB, where a few are kept by the system. */
async function clog(receiver: Receiver) {
  for (let frames = 0; frames < 40; frames++) {
    receiver.write(FILLER);
    await nextTurn();
  }
  expect(receiver.isFull).toBe(true);
}

test('security 59: who reads slowly misses frames, catches up with one, and is let go after ten seconds; others hear on', async () => {
  let now = 0;
  const channel = new Channel(
    1,
    'position',
    new GuestNumbers(),
    () => undefined,
    () => now,
  );
  const [slow, quick] = [await connect(), await connect()];
  channel.see({ ref: 'slow', position: { x: 100, y: 0, z: 0 } }, slow.receiver);
  channel.see({ ref: 'quick', position: { x: 200, y: 0, z: 0 } }, quick.receiver);
  await expect.poll(() => [slow.heard.at(-1), quick.heard.at(-1)]).toEqual([200, 100]);
  const move = async (x: number) => {
    channel.see({ ref: 'mover', position: { x, y: 0, z: 0 } });
    await expect.poll(() => quick.heard.at(-1)).toBe(x);
  };

  slow.client.pause();
  await clog(slow.receiver);
  for (const x of [1, 2, 3]) await move(x);
  slow.client.resume();
  await expect.poll(() => slow.receiver.isFull).toBe(false);
  await move(4);
  // Where everybody is now, not where they were in between.
  await expect.poll(() => slow.heard.at(-1)).toBe(4);
  expect(slow.heard).not.toContain(2);

  slow.client.pause();
  await clog(slow.receiver);
  await move(5);
  now += 9000;
  await move(6);
  expect(sockets.clients.size).toBe(2);
  now += 2000;
  await move(7);
  await expect.poll(() => sockets.clients.size).toBe(1);
  slow.client.resume();
  await slow.closed;
  await move(8);
  channel.close();
});
