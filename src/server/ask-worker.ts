import { Worker } from 'node:worker_threads';

/** What a worker says first: it has loaded what it needs, and begins. */
export const BEGUN = 'begun';
/** Milliseconds that a worker may take to begin. */
const BEGINNING = 30_000;

/** A worker was ended before it answered. */
export class GivenUp extends Error {
  readonly spent: 'time' | 'memory';

  constructor(spent: 'time' | 'memory') {
    super(`A worker took too much ${spent}.`);
    this.spent = spent;
  }
}

/** What a worker may take. */
interface Bounds {
  file: URL;
  /** Milliseconds after which its work is given up. */
  patience: number;
  /** MB. */
  memory: number;
  /** How many work at once: more would only take each other's time, and be given up for it. */
  atOnce: number;
}

function ask<Q, A>({ file, patience, memory }: Bounds, question: Q): Promise<A> {
  const { promise, resolve, reject } = Promise.withResolvers<A>();
  const worker = new Worker(file, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: memory } });
  const giveUp = (spent: GivenUp['spent']) => reject(new GivenUp(spent));
  let timer = setTimeout(giveUp, BEGINNING, 'time');
  worker.on('message', (message: A | typeof BEGUN) => {
    if (message !== BEGUN) return resolve(message);
    clearTimeout(timer);
    timer = setTimeout(giveUp, patience, 'time');
  });
  worker.once('error', () => giveUp('memory'));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

/**
 * A way to have work done in workers of their own, which can be stopped and leave the server free meanwhile.
 * @returns asks a worker, which begins with `BEGUN` and then answers once; throws GivenUp
 */
export function workersFor<Q, A>(bounds: Bounds): (question: Q) => Promise<A> {
  const waiting: (() => void)[] = [];
  let working = 0;
  return async (question) => {
    if (working >= bounds.atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await ask<Q, A>(bounds, question);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else working--;
    }
  };
}
