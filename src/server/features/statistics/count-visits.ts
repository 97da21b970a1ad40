import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { CountryOf } from '../../core/countries.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { type Measure, single } from '../../core/metrics.ts';
import type { Services } from '../../core/services.ts';
import { PublicWrites } from '../visits/limits.ts';
import { type VisitEvent, VisitorHashes, type VisitPose } from './queries.ts';

/** Maximum number of visits in memory. */
const MAX_VISITS = 200_000;
/** Maximum seconds counted for a visit's first message to this server: pages send one every half minute. */
const FIRST_SECONDS = 60;
/** Tolerated delay of a message in seconds. */
const SLACK = 5;

/** Times of visits' last messages, so that no visit counts for longer than it can have lasted. */
class VisitTimes {
  readonly #clock: Clock;
  readonly #last = new LRUCache<string, number>({ max: MAX_VISITS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Maximum seconds since a visit's last message. @param visit its own id, and the structure's */
  secondsSince(visit: string): number {
    const now = this.#clock.now();
    const last = this.#last.get(visit);
    this.#last.set(visit, now);
    return last === undefined ? FIRST_SECONDS : (now - last) / 1000 + SLACK;
  }
}

/** Services that count visits. */
interface VisitCounting {
  buffer: VisitBuffer;
  writes: PublicWrites;
  times: VisitTimes;
  hashes: VisitorHashes;
  countryOf: CountryOf;
  /** Whether a country database is configured. */
  hasCountries: boolean;
}

export const createVisitCounting = (
  { db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>,
  countryOf: CountryOf,
): VisitCounting => ({
  buffer: new VisitBuffer(db, clock),
  writes: new PublicWrites(clock, 'statistics'),
  times: new VisitTimes(clock),
  hashes: new VisitorHashes(db, clock),
  countryOf,
  hasCountries: settings.COUNTRY_DATABASE !== undefined,
});

declare module '../../core/services.ts' {
  interface Services {
    visitCounting: VisitCounting;
  }
}

/** Maximum number of buffered rows: during a long database outage, further ones are dropped. */
const MAX_WAITING = 100_000;
/** Rows per statement: a few milliseconds on SQLite, which blocks the event loop. */
const BATCH = 500;

type CountedEvent = VisitEvent & { count: number };

/** Buffered rows of an organization. Equal events are one row with a count. */
class WaitingRows {
  readonly events = new Map<string, CountedEvent>();
  readonly poses: VisitPose[] = [];

  get size(): number {
    return this.events.size + this.poses.length;
  }

  /** The row of an equal event; undefined if there is none. */
  equal(event: VisitEvent): CountedEvent | undefined {
    return this.events.get(keyOf(event));
  }

  takeBatch(): { events: CountedEvent[]; poses: VisitPose[] } {
    const events: CountedEvent[] = [];
    for (const event of this.events.values()) {
      if (events.length === BATCH) break;
      events.push(event);
    }
    return { events, poses: this.poses.slice(0, BATCH) };
  }

  remove({ events, poses }: { events: readonly CountedEvent[]; poses: readonly VisitPose[] }): void {
    for (const event of events) this.events.delete(keyOf(event));
    this.poses.splice(0, poses.length);
  }

  dropOne(): void {
    if (this.poses.pop()) return;
    const [first] = this.events.keys();
    if (first !== undefined) this.events.delete(first);
  }
}

const keyOf = ({ endpoint_id, kind, visitor, visit, subject, other_id }: VisitEvent): string =>
  JSON.stringify([endpoint_id, kind, visitor, visit, subject, other_id]);

/**
 * Buffers visits for a few seconds and writes them in batches: a crowd causes no more transactions than one visitor.
 */
export class VisitBuffer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #organizations = new Map<number, WaitingRows>();
  #waiting = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly counts = { written: 0, dropped: 0 };

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Adds the content of a message.
   * @param most maximum number of new rows; events equal to buffered ones add none
   * @returns number of new rows
   */
  add(events: readonly VisitEvent[], poses: readonly VisitPose[], most = Number.POSITIVE_INFINITY): number {
    let added = 0;
    for (const event of events) {
      const rows = this.#rowsOf(event.organization_id);
      const equal = rows.equal(event);
      if (equal) {
        equal.count++;
        equal.amount += event.amount;
      } else if (added < most && this.#makeRoom(event.organization_id)) {
        rows.events.set(keyOf(event), { ...event, count: 1 });
        added++;
        this.#waiting++;
      } else this.counts.dropped++;
    }
    for (const pose of poses) {
      if (added < most && this.#makeRoom(pose.organization_id)) {
        this.#rowsOf(pose.organization_id).poses.push(pose);
        added++;
        this.#waiting++;
      } else this.counts.dropped++;
    }
    return added;
  }

  #rowsOf(organizationId: number): WaitingRows {
    const known = this.#organizations.get(organizationId) ?? new WaitingRows();
    this.#organizations.set(organizationId, known);
    return known;
  }

  /** Makes room for a row: at the limit, the organization with the most rows loses one. */
  #makeRoom(organizationId: number): boolean {
    if (this.#waiting < MAX_WAITING) return true;
    const largest = [...this.#organizations.values()].reduce((one, other) => (other.size > one.size ? other : one));
    if (largest.size <= this.#rowsOf(organizationId).size + 1) return false;
    largest.dropOne();
    this.#waiting--;
    this.counts.dropped++;
    return true;
  }

  /**
   * Writes the buffer. Rows that can't be written stay buffered.
   * @throws the database's error
   */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    return this.#writing;
  }

  /** Writes a batch of each organization in turn. */
  async #write(): Promise<void> {
    while (this.#waiting > 0)
      for (const [organizationId, rows] of [...this.#organizations]) {
        if (rows.size === 0) {
          this.#organizations.delete(organizationId);
          continue;
        }
        const batch = rows.takeBatch();
        // Events that arrive meanwhile get a row of their own.
        rows.remove(batch);
        const size = batch.events.length + batch.poses.length;
        try {
          await this.#store(batch.events, batch.poses);
        } catch (error) {
          this.#restore(organizationId, batch);
          throw error;
        }
        this.#waiting -= size;
        this.counts.written += size;
        await nextTurn();
      }
  }

  /** Puts a failed batch back. */
  #restore(organizationId: number, { events, poses }: { events: readonly CountedEvent[]; poses: VisitPose[] }): void {
    const rows = this.#rowsOf(organizationId);
    for (const event of events) {
      const equal = rows.equal(event);
      if (equal) {
        equal.count += event.count;
        equal.amount += event.amount;
        this.#waiting--;
      } else rows.events.set(keyOf(event), event);
    }
    rows.poses.unshift(...poses);
  }

  /** Writes a batch. Events of structures deleted in the meantime are dropped. */
  async #store(events: readonly CountedEvent[], poses: readonly VisitPose[]): Promise<void> {
    const named = [...new Set([...events, ...poses].map(({ endpoint_id }) => endpoint_id))];
    await this.#db.transaction().execute(async (db) => {
      const found = db.selectFrom('endpoints').select('id').where('id', 'in', named);
      const rows = await (isPostgres(db) ? found.forKeyShare() : found).execute();
      const there = new Set(rows.map(({ id }) => id));
      const at = timestampOf(this.#clock.now());
      const isThere = ({ endpoint_id }: { endpoint_id: number }) => there.has(endpoint_id);
      const rest = { events: events.filter(isThere), poses: poses.filter(isThere) };
      if (rest.events.length > 0)
        await db
          .insertInto('statistics_events')
          .values(rest.events.map((event) => ({ ...event, at })))
          .execute();
      if (rest.poses.length > 0)
        await db
          .insertInto('statistics_poses')
          .values(rest.poses.map((pose) => ({ ...pose, at })))
          .execute();
    });
  }

  measures(): Measure[] {
    return [
      single('statistics_rows_total', 'counter', 'Written rows of statistics.', () => this.counts.written),
      single(
        'statistics_rows_dropped_total',
        'counter',
        'Rows of statistics that were dropped because too many waited.',
        () => this.counts.dropped,
      ),
      single('statistics_rows_waiting', 'gauge', 'Rows of statistics that wait to be written.', () => this.#waiting),
    ];
  }
}
