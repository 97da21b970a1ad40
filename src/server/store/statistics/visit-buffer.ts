import { type Clock, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { isPostgres } from '../../base/db/database.ts';
import { type Measure, single } from '../../base/metrics.ts';
import type { VisitEvent, VisitPose } from './event-kinds.ts';

/** Rows that wait in memory at most: what comes while the database is away for long is not counted. */
const MOST_WAITING = 50_000;
/** Rows that one statement writes: each has nine values, and SQLite takes 32,766. */
const BATCH = 1000;

/** Holds what visits bring for a few seconds, and writes it in batches: a crowd makes no more transactions than one visitor. */
export class VisitBuffer {
  readonly #db: Database;
  readonly #clock: Clock;
  #events: VisitEvent[] = [];
  #poses: VisitPose[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly counts = { written: 0, dropped: 0 };

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  get #waiting(): number {
    return this.#events.length + this.#poses.length;
  }

  /** Takes what one message brought. */
  add(events: readonly VisitEvent[], poses: readonly VisitPose[]): void {
    if (this.#waiting + events.length + poses.length > MOST_WAITING) {
      this.counts.dropped += events.length + poses.length;
      return;
    }
    this.#events.push(...events);
    this.#poses.push(...poses);
  }

  /**
   * Writes what waits. What cannot be written now waits on.
   * @throws what the database says
   */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting > 0) {
      const events = this.#events.slice(0, BATCH);
      const poses = this.#poses.slice(0, BATCH);
      await this.#store(events, poses);
      this.#events = this.#events.slice(events.length);
      this.#poses = this.#poses.slice(poses.length);
      this.counts.written += events.length + poses.length;
    }
  }

  /** Writes a batch. A structure may have been removed meanwhile: what was noted of it goes with it. */
  async #store(events: readonly VisitEvent[], poses: readonly VisitPose[]): Promise<void> {
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
      single('statistics_rows_total', 'counter', 'Rows of statistics that were written.', () => this.counts.written),
      single(
        'statistics_dropped_total',
        'counter',
        'Rows of statistics that were left out because too much waited.',
        () => this.counts.dropped,
      ),
      single('statistics_waiting', 'gauge', 'Rows of statistics that wait to be written.', () => this.#waiting),
    ];
  }
}
