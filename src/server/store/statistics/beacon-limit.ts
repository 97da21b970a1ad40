import { LRUCache } from 'lru-cache';
import { ApiError } from '../../../contract/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { addressSubject } from '../sessions/attempts.ts';

const MINUTE = 60_000;
/** Messages of one network in a minute: what a hall full of visitors behind one address sends. */
const MOST_IN_A_MINUTE = 3000;
/** Networks that are remembered. */
const MOST_NETWORKS = 20_000;

/** Limits how many messages about visits a network sends. Each server counts for itself: nothing is opened by guessing. */
export class BeaconLimit {
  readonly #clock: Clock;
  readonly #counts = new LRUCache<string, { minute: number; count: number }>({ max: MOST_NETWORKS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws ApiError too_many */
  take(address: string): void {
    const now = this.#clock.now();
    const subject = addressSubject(address);
    const minute = Math.floor(now / MINUTE);
    const known = this.#counts.get(subject);
    const current = known?.minute === minute ? known : { minute, count: 0 };
    this.#counts.set(subject, current);
    if (++current.count > MOST_IN_A_MINUTE)
      throw new ApiError('too_many', undefined, undefined, Math.ceil(((minute + 1) * MINUTE - now) / 1000));
  }
}
