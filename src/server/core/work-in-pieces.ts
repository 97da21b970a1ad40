import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which other tasks run. */
const MAX_PIECE_MS = 5;

/** Splits long work into pieces and yields to the event loop between them. */
export class WorkInPieces {
  #since = performance.now();

  /** Call between pieces: yields once this work has taken long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < MAX_PIECE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
