import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

/**
 * Limits of everything that is written without signing in, by network (a /64 of IPv6 is one) and by organization.
 * `statistics` and `presence` are counted by each server for itself, for a minute: nothing is opened by guessing, and a
 * count in the database would cost more than the writes. `share` and `entry` are counted in the database, exactly, across
 * servers and restarts. A school of 500 visitors behind one address stays below all of them.
 */
export const PUBLIC_WRITES = {
  /**
   * Messages about visits; 500 visitors send 1,000 a minute of up to 3 kB and add about 5,000 rows, because equal events
   * share one. `names` are the sites that embed rooms: further ones count as `OTHER_SITE`.
   */
  statistics: {
    network: { calls: 3000, rows: 10_000, names: 100, bytes: 16 * MEGABYTE },
    organization: { calls: 60_000, rows: 100_000, names: 1000, bytes: 160 * MEGABYTE },
  },
  /**
   * Positions; 500 visitors send up to 60,000 a minute of about 150 bytes. Rows are visitors who join, names are what
   * they call themselves. SOCKETS_PER_ADDRESS and SOCKETS_PER_ORGANIZATION limit the connections open at once.
   */
  presence: {
    network: { calls: 240_000, rows: 10_000, names: 10_000, bytes: 64 * MEGABYTE },
    organization: { calls: 2_400_000, rows: 100_000, names: 100_000, bytes: 640 * MEGABYTE },
  },
  /** Messages shared to feeds, each with an image of up to 20 MB; forms whose file comes before other fields. */
  share: {
    network: { most: 20, window: HOUR },
    forms: { most: 40, window: HOUR },
    organization: { most: 120, window: MINUTE },
  },
  /** Wrong access tokens; right ones do not count, so a crowd can enter at once. */
  entry: {
    structure: { most: 100, window: MINUTE },
    organization: { most: 1000, window: MINUTE },
    /** Of one network in one organization, and in all of them. */
    network: { most: 20, window: 15 * MINUTE },
    allOrganizations: { most: 100, window: 15 * MINUTE },
  },
} as const;

type Unit = 'calls' | 'rows' | 'names' | 'bytes';
type Bounds = Readonly<Record<Unit, number>>;

/** Whose write it is. */
export interface Writer {
  /** Network, as `addressSubject` gives it. */
  address: string;
  organizationId: number;
}

/** Networks and organizations whose counts are stored. */
const MAX_SUBJECTS = 20_000;

interface Counts extends Record<Exclude<Unit, 'names'>, number> {
  minute: number;
  names: Set<string>;
}

/** Counts the public writes of one kind in the current minute, for each network and each organization. */
export class PublicWrites {
  readonly #clock: Clock;
  readonly #bounds: { network: Bounds; organization: Bounds };
  readonly #counts = new LRUCache<string, Counts>({ max: MAX_SUBJECTS });

  constructor(clock: Clock, kind: 'statistics' | 'presence') {
    this.#clock = clock;
    this.#bounds = PUBLIC_WRITES[kind];
  }

  #of(subject: string): Counts {
    const minute = Math.floor(this.#clock.now() / MINUTE);
    const known = this.#counts.get(subject);
    if (known?.minute === minute) return known;
    const begun = { minute, calls: 0, rows: 0, bytes: 0, names: new Set<string>() };
    this.#counts.set(subject, begun);
    return begun;
  }

  #pair({ address, organizationId }: Writer): [Counts, Bounds][] {
    return [
      [this.#of(address), this.#bounds.network],
      [this.#of(`organization:${organizationId}`), this.#bounds.organization],
    ];
  }

  /** Rows that a writer may still add in this minute. */
  rowsLeft(writer: Writer): number {
    return Math.max(0, Math.min(...this.#pair(writer).map(([counts, bounds]) => bounds.rows - counts.rows)));
  }

  /** Counts rows that a writer added. */
  added(writer: Writer, rows: number): void {
    for (const [counts] of this.#pair(writer)) counts.rows += rows;
  }

  /** Counts a message. @returns false if it exceeds a limit; then it counts for neither network nor organization */
  takes(writer: Writer, bytes: number): boolean {
    const pair = this.#pair(writer);
    if (pair.some(([counts, bounds]) => counts.calls >= bounds.calls || counts.bytes + bytes > bounds.bytes))
      return false;
    for (const [counts] of pair) {
      counts.calls++;
      counts.bytes += bytes;
    }
    return true;
  }

  /** Counts a name that a writer made up, once a minute. @returns false if it is one too many */
  names(writer: Writer, name: string): boolean {
    const pair = this.#pair(writer).filter(([counts]) => !counts.names.has(name));
    if (pair.some(([counts, bounds]) => counts.names.size >= bounds.names)) return false;
    for (const [counts] of pair) counts.names.add(name);
    return true;
  }

  /** Seconds until the next minute begins. */
  secondsLeft(): number {
    return Math.ceil((MINUTE - (this.#clock.now() % MINUTE)) / 1000);
  }
}
