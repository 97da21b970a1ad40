import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { CHANGES, packHeading, type Step, writeBatch } from '../../../src/contract/presence-batch.ts';
import type { PositionMessage } from '../../../src/contract/presence-messages.ts';
import { answerQuestions } from '../server-process.ts';

/**
 * Baseline: the minimum for visitors to see one another, without checks. Prints its origin as a line of JSON.
 * Usage: `node serve-bare.ts broadcast` forwards each message to everybody immediately; `node serve-bare.ts <tick>`
 * sends everybody the same frame of changes at this interval in milliseconds.
 */
const tick = Number(process.argv[2]);
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const everybody = new Set<WebSocket>();

interface Visitor {
  slot: number;
  position: { x: number; y: number; z: number };
  shown: { x: number; y: number; z: number };
  heading: number;
}

const moved = new Set<Visitor>();
let slots = 0;

sockets.on('connection', (socket) => {
  everybody.add(socket);
  const origin = { x: 0, y: 0, z: 0 };
  const visitor: Visitor = { slot: slots++, position: origin, shown: origin, heading: 0 };
  if (tick > 0) socket.send(JSON.stringify({ subject: 'position', data: { channel: 0, slot: visitor.slot } }));
  socket.on('message', (data: Buffer) => {
    if (tick > 0) {
      const { position, heading = 0 } = (JSON.parse(data.toString()) as PositionMessage).data;
      visitor.position = position;
      visitor.heading = packHeading(heading);
      moved.add(visitor);
    } else for (const other of everybody) if (other !== socket) other.send(data, { binary: false });
  });
  socket.on('close', () => everybody.delete(socket));
});

function flush(): void {
  const steps: Step[] = [];
  for (const visitor of [...moved].sort((a, b) => a.slot - b.slot)) {
    const { slot, position, shown, heading } = visitor;
    steps.push([slot, position.x - shown.x, position.y - shown.y, position.z - shown.z, heading]);
    visitor.shown = position;
  }
  moved.clear();
  const frame = writeBatch(CHANGES, 0, [], steps, []);
  for (const socket of everybody) socket.send(frame);
}
if (tick > 0) setInterval(flush, tick);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ origin: `http://127.0.0.1:${port}`, path: '/' }));
});
answerQuestions();
