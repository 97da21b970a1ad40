import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import type { CountryOf } from '../../core/countries.ts';
import type { Services } from '../../core/services.ts';
import { PublicWrites } from '../visits/public-writes.ts';
import { VisitorHashes } from './salts.ts';
import { VisitBuffer } from './visit-buffer.ts';

/** Visits whose last message is stored. */
const MAX_VISITS = 200_000;
/** Seconds that the first message of a visit to this server may count: pages send one every half minute. */
const FIRST_SECONDS = 60;
/** Seconds that a message may arrive late. */
const SLACK = 5;

/** When visits last sent a message, so that none counts for longer than it can have lasted. */
class VisitTimes {
  readonly #clock: Clock;
  readonly #last = new LRUCache<string, number>({ max: MAX_VISITS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds that a visit can have lasted since its last message. @param visit its own number, and the structure's */
  secondsSince(visit: string): number {
    const now = this.#clock.now();
    const last = this.#last.get(visit);
    this.#last.set(visit, now);
    return last === undefined ? FIRST_SECONDS : (now - last) / 1000 + SLACK;
  }
}

/** What counts visits, for as long as a server runs. */
export interface VisitCounting {
  buffer: VisitBuffer;
  writes: PublicWrites;
  times: VisitTimes;
  hashes: VisitorHashes;
  countryOf: CountryOf;
  /** Whether there is a database of countries. */
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
    /** Counts visits. */
    visitCounting: VisitCounting;
  }
}
