import { WebSocket } from 'ws';
import { CHANGES, readBatch, SNAPSHOT } from '../../../src/contract/presence-batch.ts';

interface Place {
  x: number;
  y: number;
  z: number;
}

/** How a socket is opened where it differs from what a page of ours does. */
export interface Opening {
  key?: string;
  room?: number;
  mode?: 'batch';
  origin?: string | null;
  host?: string;
  /** Address that a proxy says it passes on. */
  forwardedFor?: string;
}

/** A visitor of the realtime service, as a test sees it. */
export class VisitorSocket {
  readonly ws: WebSocket;
  /** Whatever came as text, parsed. */
  readonly heard: { subject: string; data: { ref: string; position: Place; slot: number } }[] = [];
  /** Where the frames have everybody, by slot. */
  readonly places = new Map<number, Place>();
  frames = 0;
  /** Code and reason with which the connection ended. */
  readonly closed: Promise<{ code: number; reason: string }>;

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#read(data);
      else this.heard.push(JSON.parse(data.toString()));
    });
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** Opens a connection; fails with the status of a refusal. */
  static open(
    server: string,
    { key = '', room, mode, origin = server, host, forwardedFor }: Opening,
  ): Promise<VisitorSocket> {
    const query = new URLSearchParams({ key, ...(room && { room: String(room) }), ...(mode && { mode }) });
    const ws = new WebSocket(`${server.replace('http', 'ws')}/realtime?${query}`, {
      headers: {
        ...(origin !== null && { origin }),
        ...(host && { host }),
        ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
      },
    });
    return new Promise((resolve, reject) => {
      ws.on('unexpected-response', (_, response) => {
        ws.terminate();
        reject(new Error(String(response.statusCode)));
      });
      ws.on('error', reject);
      const visitor = new VisitorSocket(ws);
      ws.on('open', () => resolve(visitor));
    });
  }

  #read(data: Buffer): void {
    this.frames++;
    const { kind, gone, steps } = readBatch(data);
    if (kind === SNAPSHOT) this.places.clear();
    else if (kind !== CHANGES) throw new Error(`Unknown frame ${kind}.`);
    for (const slot of gone) this.places.delete(slot);
    for (const [slot, x, y, z] of steps) {
      const from = this.places.get(slot) ?? { x: 0, y: 0, z: 0 };
      this.places.set(slot, { x: from.x + x, y: from.y + y, z: from.z + z });
    }
  }

  say(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  move(ref: string, x: number, subject = 'position'): void {
    this.say({ subject, data: { ref, position: { x, y: 2.7, z: -3.2 } } });
  }

  /** Where the messages last had a visitor. */
  placeOf(ref: string, subject = 'position'): Place | undefined {
    return this.heard.findLast((message) => message.subject === subject && message.data.ref === ref)?.data.position;
  }

  leave(): Promise<unknown> {
    this.ws.close();
    return this.closed;
  }
}
