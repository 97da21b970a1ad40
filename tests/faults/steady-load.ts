import { setTimeout as passed } from 'node:timers/promises';
import { VisitorSocket } from '../server/pages/realtime/visitor-socket.ts';
import type { Cluster } from './cluster.ts';

const READERS = 4;
const WRITERS = 2;
const VISITORS = 6;
/** Milliseconds between two questions whether a server is ready, between two requests of one client, and between two steps. */
const POLL = 200;
const PAUSE = 20;
const STEP = 500;

/** What became of requests; `lost` got no answer at all. */
interface Counts {
  answered: number;
  old: number;
  refused: number;
  lost: number;
}

/**
 * Readers, writers and visitors who go on all the time. As a load balancer does, they ask each server whether it is ready and
 * send nothing to one that is not; nothing is sent again.
 */
export class SteadyLoad {
  readonly acknowledged: string[] = [];
  readonly faults: string[] = [];
  counts: Counts = { answered: 0, old: 0, refused: 0, lost: 0 };
  /** Visitors who are connected, and how often one came back. */
  connected = 0;
  comebacks = 0;
  readonly #cluster: Cluster;
  readonly #ready = new Set<string>();
  #turn = 0;
  #isOver = false;
  #running: Promise<unknown>[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async begin(): Promise<void> {
    const { origins } = this.#cluster;
    for (const origin of origins) this.#ready.add(origin);
    this.#running = [
      ...origins.map((origin) => this.#repeat(POLL, () => this.#ask(origin))),
      ...Array.from({ length: READERS }, () => this.#repeat(PAUSE, () => this.#read())),
      ...Array.from({ length: WRITERS }, () => this.#repeat(PAUSE, () => this.#write())),
      ...Array.from({ length: VISITORS }, (_, index) => this.#visit(`visitor-${index}`)),
    ];
    while (this.connected < VISITORS) await passed(POLL);
  }

  /** Counts anew, and gives what there was. */
  take(): Counts {
    const { counts } = this;
    this.counts = { answered: 0, old: 0, refused: 0, lost: 0 };
    return counts;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #repeat(pause: number, work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work();
      await passed(pause);
    }
  }

  async #ask(origin: string): Promise<void> {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) this.#ready.add(origin);
    else this.#ready.delete(origin);
  }

  /** A server to send to: one of those that are ready; where none is, any, for a balancer has to answer something. */
  #next(): string {
    const all = this.#ready.size > 0 ? [...this.#ready] : this.#cluster.origins;
    return all[this.#turn++ % all.length]!;
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response | null> {
    const origin = this.#next();
    try {
      const answer = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(30_000) });
      const text = await answer.text();
      if (answer.ok) this.counts.answered++;
      else this.counts.refused++;
      if (answer.ok && answer.headers.has('age')) this.counts.old++;
      if (!answer.ok && (answer.status !== 503 || !answer.headers.has('retry-after')))
        this.faults.push(`${answer.status} ${text.slice(0, 200)}`);
      return answer;
    } catch (error) {
      this.counts.lost++;
      this.faults.push(`${path}: ${(error as Error).cause ?? error}`);
      return null;
    }
  }

  async #read(): Promise<void> {
    await this.#send('/api/v1/endpoints/hall');
  }

  async #write(): Promise<void> {
    const title = `Written ${crypto.randomUUID()}`;
    const answer = await this.#send('/api/v1/backend/rooms', {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#cluster.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    if (answer?.status === 201) this.acknowledged.push(title);
  }

  /** Comes back whenever its connection ends, at once when the server says that it restarts. */
  async #visit(ref: string): Promise<void> {
    const { room, key } = this.#cluster;
    for (let pause = POLL; !this.#isOver; this.comebacks++) {
      const socket = await VisitorSocket.open(this.#next(), { key, room, mode: 'batch' }).catch(() => null);
      if (!socket) {
        await passed(pause);
        pause = Math.min(pause * 2, 5000);
        continue;
      }
      pause = POLL;
      this.connected++;
      let isOpen = true;
      void socket.closed.then(() => {
        isOpen = false;
      });
      for (let x = 0; isOpen && !this.#isOver; x++) {
        socket.move(ref, x);
        await Promise.race([socket.closed, passed(STEP)]);
      }
      this.connected--;
      if (isOpen) await socket.leave();
    }
  }

  /** Titles that were acknowledged and are not there. */
  async missing(): Promise<string[]> {
    const client = this.#cluster.client();
    // Writing goes on meanwhile.
    const acknowledged = [...this.acknowledged];
    const found = new Set<string>();
    for (let page = 1, last = 1; page <= last; page++) {
      const { data, meta } = await client.rooms.list({ query: { page, per_page: 100 } });
      for (const { title } of data) found.add(title);
      last = meta.last_page;
    }
    return acknowledged.filter((title) => !found.has(title));
  }
}
