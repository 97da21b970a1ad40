import { ApiError } from '../../../contract/errors.ts';

/** Seconds after which a refused form is worth sending again. */
const RETRY_AFTER = 5;

/** Forms whose file waits on disk for the fields behind it, by who sends them. */
export class WaitingForms {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a form in.
   * @param most forms of the subject that may wait at once
   * @returns a function that counts it out
   * @throws ApiError too_many
   */
  enter(subject: string, most: number): () => void {
    const count = this.#counts.get(subject) ?? 0;
    if (count >= most)
      throw new ApiError('too_many', 'Too many uploads at once. Wait until others have ended.', undefined, RETRY_AFTER);
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
