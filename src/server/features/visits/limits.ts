import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { addressSubject, countAgainst, type Limit, lockSubjects, refuseAbove } from '../../core/limits/attempts.ts';
import type { Services } from '../../core/services.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

/**
 * Limits of all anonymous writes, by network (an IPv6 /64 counts as one) and by organization. `statistics` and
 * `presence` are counted by each server on its own, per minute: they can't be abused for guessing, and counting in the
 * database would cost more than the writes. `share` and `entry` are counted in the database, exactly, across servers
 * and restarts. A school of 500 visitors behind one address stays below all of them.
 */
export const PUBLIC_WRITES = {
  /**
   * Messages about visits; 500 visitors send 1,000 a minute of up to 3 kB and add about 5,000 rows, because equal
   * events share one. `names` are the sites that embed rooms: further ones count as `OTHER_SITE`.
   */
  statistics: {
    network: { calls: 3000, rows: 10_000, names: 100, bytes: 16 * MEGABYTE },
    organization: { calls: 60_000, rows: 100_000, names: 1000, bytes: 160 * MEGABYTE },
  },
  /**
   * Positions; 500 visitors send up to 60,000 a minute of about 150 bytes. Rows are joining visitors, names their
   * references. SOCKETS_PER_ADDRESS and SOCKETS_PER_ORGANIZATION limit concurrent connections.
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
  /** Wrong access tokens; correct ones don't count, so a crowd can enter at once. */
  entry: {
    structure: { most: 100, window: MINUTE },
    organization: { most: 1000, window: MINUTE },
    /** Per network in one organization, and in all of them. */
    network: { most: 20, window: 15 * MINUTE },
    allOrganizations: { most: 100, window: 15 * MINUTE },
  },
} as const;

type Unit = 'calls' | 'rows' | 'names' | 'bytes';
type Bounds = Readonly<Record<Unit, number>>;

/** Source of a write. */
interface Writer {
  /** Network, in the form of `addressSubject`. */
  address: string;
  organizationId: number;
}

/** Maximum number of counted networks and organizations. */
const MAX_SUBJECTS = 20_000;

interface Counts extends Record<Exclude<Unit, 'names'>, number> {
  minute: number;
  names: Set<string>;
}

/** Counts public writes of one kind in the current minute, by network and by organization. */
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

  /** Counts added rows. */
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

  /** Counts a client-chosen name, once a minute. @returns false if it exceeds the limit */
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

const { share, entry } = PUBLIC_WRITES;

type Shared = Pick<Services, 'db' | 'clock'>;

/** A structure being entered. */
interface Door {
  id: number;
  organization_id: number;
}

const entryLimits = ({ id, organization_id }: Door, address: string): Limit[] => [
  { subject: `entry:${id}`, ...entry.structure },
  { subject: `entry:organization:${organization_id}`, ...entry.organization },
  { subject: `entry:${organization_id}:${addressSubject(address)}`, ...entry.network },
  { subject: `entry:${addressSubject(address)}`, ...entry.allOrganizations },
];

/**
 * Rejects any access token, right or wrong, after too many wrong ones. Visitors already inside are not affected.
 * @throws ApiError too_many
 */
export async function refuseCrowdedEntry({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  await refuseAbove(db, clock.now(), entryLimits(door, address));
}

/**
 * The same check for a correct token, in the transaction that admits the visitor, so that concurrent wrong attempts
 * before it are counted.
 * @throws ApiError too_many; the caller must not reveal whether the token was correct
 */
export async function refuseLateEntry({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  const limits = entryLimits(door, address);
  await lockSubjects(db, limits, 'shared');
  await refuseAbove(db, clock.now(), limits);
}

/**
 * Counts a wrong token. The count is exact under concurrency: a token is reported as wrong only after it has used up an
 * attempt.
 * @throws ApiError too_many if no attempts are left; the caller must not reveal whether the token was wrong
 */
export async function countEntryFailure({ db, clock }: Shared, door: Door, address: string): Promise<void> {
  await countAgainst(db, clock, entryLimits(door, address));
}

/**
 * Counts a message before it is shared, whether it is accepted or not. The count survives a restart.
 * @throws ApiError too_many
 */
export async function countShare(
  { db, clock, organizationId }: Shared & { organizationId: number },
  address: string,
): Promise<void> {
  await countAgainst(db, clock, [
    { subject: `share:${addressSubject(address)}`, ...share.network },
    { subject: `share:organization:${organizationId}`, ...share.organization },
  ]);
}

/**
 * Counts a visitor's form whose file must be stored on disk, before it is written: the form may never be completed.
 * @throws ApiError too_many, also if the address may send no more messages
 */
export async function countForm({ db, clock }: Shared, address: string): Promise<void> {
  const subject = addressSubject(address);
  await refuseAbove(db, clock.now(), [{ subject: `share:${subject}`, ...share.network }]);
  await countAgainst(db, clock, [{ subject: `form:${subject}`, ...share.forms }]);
}

/**
 * Counts a proof of work, which is valid once, even under concurrency.
 * @param salt unique to this proof
 * @param lifetime milliseconds after which it expires in any case
 * @throws ApiError too_many if it was used before
 */
export async function countProof({ db, clock }: Shared, salt: string, lifetime: number): Promise<void> {
  await countAgainst(db, clock, [{ subject: `proof:${salt}`, most: 1, window: lifetime }]);
}
