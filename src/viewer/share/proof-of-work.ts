import { allowOwnScripts } from '../../../engine/stage/resources/own-scripts.ts';
import type { Challenge } from '../../contract/entities.ts';
import { proofText } from '../../contract/proof-of-work.ts';
import { logProblem } from '../reports/console.ts';

/** Milliseconds for which a proof is used: a little less than the server takes it. */
const LIFETIME = 9 * 60 * 1000;

/** Solves a challenge in a worker. @throws Error where there is none */
function solve(challenge: Challenge): Promise<number[]> {
  allowOwnScripts();
  const worker = new Worker(new URL('./solve-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
    worker.onerror = () => reject(new Error('The proof of work could not be done.'));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Does the work that goes with a message, while its author is still writing. */
export class ProofOfWork {
  readonly #ask: () => Promise<Challenge>;
  #begun = 0;
  #proof: Promise<string | null> | null = null;

  /** @param ask gets a challenge from the server */
  constructor(ask: () => Promise<Challenge>) {
    this.#ask = ask;
  }

  /** Begins with the work, unless it is done or under way. */
  begin(): void {
    if (this.#proof && performance.now() - this.#begun < LIFETIME) return;
    this.#begun = performance.now();
    this.#proof = this.#prove();
  }

  /** The proof, for one message; null where the browser could not do the work: the message goes without, and may have to wait. */
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
