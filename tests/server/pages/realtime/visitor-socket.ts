import { WebSocket } from 'ws';
import { CHANGES, readBatch, readHeading, SNAPSHOT } from '../../../../src/contract/presence-batch.ts';

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
  /** Whether frames are to say who visitors are and where they look. */
  avatars?: boolean;
  origin?: string | null;
  host?: string;
  /** Address that a proxy says it passes on. */
  forwardedFor?: string;
}

/** A visitor of the realtime service, as a test sees it. */
export class VisitorSocket {
  readonly ws: WebSocket;
  /** Whatever came as text, parsed. */
  readonly heard: { subject: string; data: { ref: string; position: Place; slot: number; heading?: number } }[] = [];
  /** Where the frames have everybody, by slot. */
  readonly places = new Map<number, Place>();
  /** Where they look, as the frames have it, and who they are: number as a guest and tint; by slot. */
  readonly headings = new Map<number, number | undefined>();
  readonly guests = new Map<number, { guest: number; tint: number }>();
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
    { key = '', room, mode, avatars, origin = server, host, forwardedFor }: Opening,
  ): Promise<VisitorSocket> {
    const query = new URLSearchParams({
      key,
      ...(room && { room: String(room) }),
      ...(mode && { mode }),
      ...(avatars && { avatars: '1' }),
    });
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
    const { kind, gone, introductions, steps } = readBatch(data);
    if (kind === SNAPSHOT) this.places.clear();
    else if (kind !== CHANGES) throw new Error(`Unknown frame ${kind}.`);
    for (const slot of gone) for (const map of [this.places, this.headings, this.guests]) map.delete(slot);
    for (const [slot, guest, tint] of introductions) this.guests.set(slot, { guest, tint });
    for (const [slot, x, y, z, heading] of steps) {
      this.headings.set(slot, readHeading(heading));
      const from = this.places.get(slot) ?? { x: 0, y: 0, z: 0 };
      this.places.set(slot, { x: from.x + x, y: from.y + y, z: from.z + z });
    }
  }

  say(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  move(ref: string, x: number, subject = 'position', more: { heading?: unknown; guest?: unknown } = {}): void {
    this.say({ subject, data: { ref, position: { x, y: 2.7, z: -3.2 }, ...more } });
  }

  /** Everybody in the frames by their x: number as a guest, and degrees in which they look. */
  get people(): Record<number, { guest: number | undefined; degrees: number | undefined }> {
    const degreesOf = (slot: number) => {
      const heading = this.headings.get(slot);
      return heading === undefined ? undefined : Math.round((heading * 180) / Math.PI);
    };
    const entries = [...this.places].map(([slot, { x }]) => [
      x,
      { guest: this.guests.get(slot)?.guest, degrees: degreesOf(slot) },
    ]);
    return Object.fromEntries(entries);
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
