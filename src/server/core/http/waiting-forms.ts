import { ApiError } from '../../../contract/errors.ts';

/** Retry-After of a rejected form in seconds. */
const RETRY_AFTER = 5;

/** Counts forms whose file waits on disk for later fields, per sender. */
export class WaitingForms {
  readonly #counts = new Map<string, number>();

  /**
   * Adds a form.
   * @param most maximum number of waiting forms per subject
   * @returns removes it
   * @throws ApiError too_many
   */
  enter(subject: string, most: number): () => void {
    const count = this.#counts.get(subject) ?? 0;
    if (count >= most)
      throw new ApiError(
        'too_many',
        'Too many uploads at once. Wait until others have finished.',
        undefined,
        RETRY_AFTER,
      );
    this.#counts.set(subject, count + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = this.#counts.get(subject)! - 1;
      if (left > 0) this.#counts.set(subject, left);
      else this.#counts.delete(subject);
    };
  }
}
