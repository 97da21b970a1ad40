import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { readBatch } from '../../../src/contract/presence-batch.ts';
import type { JoinedMessage, PositionMessage } from '../../../src/contract/presence-messages.ts';

/**
 * Visitors who each send their position once a second, evenly distributed. Most only count received bytes; the first
 * few parse everything and record the delay.
 * Usage: `node crowd.ts <origin> <path> <frames or messages> <visitors> <seconds>`; the message "measure" starts the
 * measurement, whose results are sent back.
 */
const PROBES = 5;
/** Number of a visitor's recent messages that can be identified: more than are in flight. */
const KEPT = 512;
const [origin, path, form, count, seconds] = process.argv.slice(2) as [string, string, string, string, string];
const visitors = Number(count);
const { hostname, port, host } = new URL(origin);

interface Visitor {
  sequence: number;
  y: number;
  z: number;
  send(text: string): void;
}

const crowd: Visitor[] = [];
const sentAt = Array.from({ length: visitors }, () => new Float64Array(KEPT));
const delays: number[] = [];
/** Visitor index by slot. */
const bySlot = new Map<number, number>();
let isMeasuring = false;
let bytes = 0;

/** Records that a probe received a visitor's position, whose x counts the visitor's messages. */
function heard(index: number, sequence: number): void {
  const at = sentAt[index]?.[sequence % KEPT];
  if (isMeasuring && at) delays.push(performance.now() - at);
}

/** A text frame as clients send it: RFC 6455, section 5.2, masked with zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126 ? [0x81, 0x80 | payload.length] : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}

/** An open connection, and a promise of its slot. */
interface Line {
  send: Visitor['send'];
  joined: Promise<number>;
}

/** Opens a connection that counts bytes and parses nothing except its slot. */
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

/** Opens a connection that parses everything. @param own its index in the crowd */
async function openProbe(own: number): Promise<Line> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, {
    headers: { origin },
    perMessageDeflate: false,
  });
  /** Last counter of each slot: frames contain the increments. */
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
  // A sideways step, the same in every run.
  visitor.y = Math.max(0, Math.min(999, visitor.y + (((visitor.sequence + index) * 7) % 61) - 30));
  visitor.z = Math.max(-5999, Math.min(0, visitor.z + (((visitor.sequence + index) * 13) % 61) - 30));
  sentAt[index]![visitor.sequence % KEPT] = performance.now();
  const position = { x: visitor.sequence, y: visitor.y, z: visitor.z };
  // Visitors also turn.
  const heading = (((visitor.sequence + index) % 240) * Math.PI) / 120;
  const ref = `v${String(index).padStart(8, '0')}`;
  visitor.send(JSON.stringify({ subject: 'position', data: { ref, position, heading } }));
}

// Visitors send positions while others are still connecting, because silent clients are dropped. A server without a
// visitor list, which a part of the visitors would already overload, is spared that.
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
