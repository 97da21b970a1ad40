import { ApiError } from '../../../contract/errors.ts';
import { KeyedMutex } from '../../core/keyed-mutex.ts';

/** Calls of one user that may wait for their turn. */
export const MAX_WAITING = 10;
/** Seconds after which a refused call is worth sending again. */
const RETRY_AFTER = 2;

/** Lets each user change rooms by one call at a time, so that many calls of one user leave turns for others. */
export class CommitTurns {
  readonly #mutex = new KeyedMutex();
  readonly #waiting = new Map<number, number>();

  /**
   * Does a piece of work when the user's earlier calls have ended.
   * @throws ApiError too_many when too many calls of the user wait already
   */
  async take<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(userId) ?? 0;
    if (waiting > MAX_WAITING)
      throw new ApiError(
        'too_many',
        'Too many changes at once. Wait until earlier ones are saved.',
        undefined,
        RETRY_AFTER,
      );
    this.#waiting.set(userId, waiting + 1);
    try {
      return await this.#mutex.runExclusive(String(userId), work);
    } finally {
      const left = this.#waiting.get(userId)! - 1;
      if (left > 0) this.#waiting.set(userId, left);
      else this.#waiting.delete(userId);
    }
  }
}
