import { allowOwnScripts } from '../../../engine/stage/resources/own-scripts.ts';
import type { Challenge } from '../../contract/entities.ts';
import { proofText } from '../../contract/proof-of-work.ts';
import { logProblem } from '../reports/console.ts';

/** Validity of a proof in milliseconds, slightly shorter than on the server. */
const LIFETIME = 9 * 60 * 1000;

/** Solves a challenge in a worker. @throws Error if workers are unavailable */
function solve(challenge: Challenge): Promise<number[]> {
  allowOwnScripts();
  const worker = new Worker(new URL('./solve-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
    worker.onerror = () => reject(new Error('The proof of work could not be done.'));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Computes the proof of work while the visitor is still writing. */
export class ProofOfWork {
  readonly #ask: () => Promise<Challenge>;
  #begun = 0;
  #proof: Promise<string | null> | null = null;

  /** @param ask requests a challenge from the server */
  constructor(ask: () => Promise<Challenge>) {
    this.#ask = ask;
  }

  /** Starts computing, unless running or done. */
  begin(): void {
    if (this.#proof && performance.now() - this.#begun < LIFETIME) return;
    this.#begun = performance.now();
    this.#proof = this.#prove();
  }

  /** The proof for one message; null if the browser can't compute it: the message may then be held for approval. */
  async take(): Promise<string | null> {
    this.begin();
    const proof = await this.#proof;
    this.#proof = null;
    return proof;
  }

  async #prove(): Promise<string | null> {
    try {
      const challenge = await this.#ask();
      return proofText(challenge.challenge, await solve(challenge));
    } catch (error) {
      logProblem(String(error), {});
      return null;
    }
  }
}
