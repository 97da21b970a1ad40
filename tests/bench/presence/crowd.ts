import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { readBatch } from '../../../src/contract/presence-batch.ts';
import type { JoinedMessage, PositionMessage } from '../../../src/contract/presence-messages.ts';

/**
 * Visitors who each say once a second where they are, evenly spread. Most only count the bytes that come; the first few
 * read everything and note how long it took to arrive.
 * Usage: `node crowd.ts <origin> <path> <frames or messages> <visitors> <seconds>`; a message "measure" begins, the
 * figures answer it.
 */
const PROBES = 5;
/** Messages of a visitor that are told apart: more than are under way. */
const KEPT = 512;
const [origin, path, form, count, seconds] = process.argv.slice(2) as [string, string, string, string, string];
const visitors = Number(count);
const { hostname, port, host } = new URL(origin);

/** A visitor: where it is, and how it says so. */
interface Visitor {
  sequence: number;
  y: number;
  z: number;
  send(text: string): void;
}

const crowd: Visitor[] = [];
const sentAt = Array.from({ length: visitors }, () => new Float64Array(KEPT));
const delays: number[] = [];
/** Whose slot it is. */
const bySlot = new Map<number, number>();
let isMeasuring = false;
let bytes = 0;

/** A probe heard of a visitor, whose x counts its messages. */
function heard(index: number, sequence: number): void {
  const at = sentAt[index]?.[sequence % KEPT];
  if (isMeasuring && at) delays.push(performance.now() - at);
}

/** A text as a client sends it: RFC 6455, section 5.2, masked with zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126 ? [0x81, 0x80 | payload.length] : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}

/** A connection that is open: how to write to it, and when it has been told its slot. */
interface Line {
  send: Visitor['send'];
  joined: Promise<number>;
}

/** Opens a connection that counts bytes and reads nothing but its slot. */
async function openThin(): Promise<Line> {
  const socket: Socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const key = randomBytes(16).toString('base64');
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`, 'Upgrade: websocket'];
  socket.write(
    [...lines, 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13', '', ''].join('\r\n'),
  );
  let begin = '';
  const opened = Promise.withResolvers<void>();
  const joined = Promise.withResolvers<number>();
  socket.once('error', opened.reject);
  const listen = (chunk: Buffer) => {
    begin += chunk.toString('latin1');
    if (begin.includes('\r\n\r\n'))
      begin.startsWith('HTTP/1.1 101') ? opened.resolve() : opened.reject(new Error(begin.slice(0, 200)));
    const slot = /"slot":(\d+)/.exec(begin)?.[1];
    if (slot === undefined) return;
    joined.resolve(Number(slot));
    socket.off('data', listen);
  };
  socket.on('data', listen);
  socket.on('data', (chunk: Buffer) => {
    if (isMeasuring) bytes += chunk.length;
  });
  await opened.promise;
  if (form !== 'frames') socket.off('data', listen);
  return { send: (text) => void socket.write(textFrame(text)), joined: joined.promise };
}

/** Opens a connection that reads everything. @param own its place in the crowd */
async function openProbe(own: number): Promise<Line> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, {
    headers: { origin },
    perMessageDeflate: false,
  });
  /** Where frames have the counter of each slot. */
  const counters = new Map<number, number>();
  const joined = Promise.withResolvers<number>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isMeasuring) bytes += data.length + 4;
    if (!isBinary) {
      const message = JSON.parse(data.toString()) as JoinedMessage | PositionMessage;
      if ('slot' in message.data) joined.resolve(message.data.slot);
      else heard(Number(message.data.ref.slice(1)), message.data.position.x);
      return;
    }
    for (const [slot, step] of readBatch(data).steps) {
      const counter = (counters.get(slot) ?? 0) + step;
      counters.set(slot, counter);
      const index = bySlot.get(slot);
      if (index !== undefined && index !== own) heard(index, counter);
    }
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { send: (text) => socket.send(text), joined: joined.promise };
}

function say(index: number): void {
  const visitor = crowd[index]!;
  visitor.sequence++;
  // A step to either side, the same in every run.
  visitor.y = Math.max(0, Math.min(999, visitor.y + (((visitor.sequence + index) * 7) % 61) - 30));
  visitor.z = Math.max(-5999, Math.min(0, visitor.z + (((visitor.sequence + index) * 13) % 61) - 30));
  sentAt[index]![visitor.sequence % KEPT] = performance.now();
  const position = { x: visitor.sequence, y: visitor.y, z: visitor.z };
  // Everybody turns, too.
  const heading = (((visitor.sequence + index) % 240) * Math.PI) / 120;
  const ref = `v${String(index).padStart(8, '0')}`;
  visitor.send(JSON.stringify({ subject: 'position', data: { ref, position, heading } }));
}

// Who has come talks while others are still coming: who says nothing for a while is gone. A server that keeps no list of
// visitors, and would be busy with a part of them already, is spared that.
let isTalking = form === 'frames';
let owed = 0;
let sent = 0;
let last = performance.now();
const talk = setInterval(() => {
  const now = performance.now();
  if (isTalking) owed += ((now - last) * crowd.length) / 1000;
  last = now;
  for (; owed >= 1; owed--) say(sent++ % crowd.length);
}, 5);
for (let index = 0; index < visitors; index++) {
  const { send, joined } = index < PROBES ? await openProbe(index) : await openThin();
  crowd.push({ sequence: 0, y: (index * 37) % 900, z: -((index * 91) % 5900), send });
  if (form !== 'frames') continue;
  say(index);
  bySlot.set(await joined, index);
}
isTalking = true;
process.send!('ready');
await new Promise((resolve) => process.once('message', resolve));
isMeasuring = true;
const before = sent;
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
isMeasuring = false;
clearInterval(talk);
delays.sort((a, b) => a - b);
const expected = ((sent - before) * PROBES * (visitors - 1)) / visitors;
process.send!(
  {
    delivered: delays.length / expected,
    delay: delays[Math.floor(delays.length * 0.99)] ?? null,
    bytes: bytes / visitors / Number(seconds),
  },
  () => process.exit(0),
);
