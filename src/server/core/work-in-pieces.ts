import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn. */
const MAX_PIECE_MS = 15;

/** Long work in pieces, between which others have their turn. */
export class WorkInPieces {
  #since = performance.now();

  /** To be called between two pieces: lets others go first when this work has taken long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < MAX_PIECE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
