import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { damaged, type Inspection } from './inspection.ts';
import { BEGUN, type ModelAnswer, type ModelQuestion } from './model-question.ts';

/** Milliseconds after which the reading of a model is given up, and those that its worker may take to begin. */
const PATIENCE = 5000;
const BEGINNING = 30_000;
/** Memory of the reading worker in MB. */
const MEMORY = 512;
/** Models that are read at once: more would only take each other's time, and be given up for it. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);

/** Those who wait until a model before theirs has been read. */
const waiting: (() => void)[] = [];
let reading = 0;

/** Does something when it is its turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (reading >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else reading--;
  }
}

const ask = (question: ModelQuestion): Promise<ModelAnswer> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./model-worker.ts', import.meta.url), {
      workerData: question,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    const give = (answer: ModelAnswer) => {
      clearTimeout(timer);
      resolve(answer);
      void worker.terminate();
    };
    const giveUp = () => give({ refusal: 'The model takes too long to read; make it simpler.' });
    let timer = setTimeout(giveUp, BEGINNING);
    worker.on('message', (message: ModelAnswer | typeof BEGUN) => {
      if (message !== BEGUN) return give(message);
      clearTimeout(timer);
      timer = setTimeout(giveUp, PATIENCE);
    });
    worker.once('error', () => give({ refusal: 'The model takes too much memory to read; make it simpler.' }));
  });

/**
 * Reads a GLTF or GLB model in a worker of its own, which can be stopped.
 * @param question the file, and the folder that it may refer to
 * @throws ApiError bad_file naming what is wrong with it
 */
export async function inspectModel(question: ModelQuestion): Promise<Inspection> {
  const answer = await inTurn(() => ask(question));
  if ('refusal' in answer) throw damaged(answer.refusal);
  const isBinary = question.file.toLowerCase().endsWith('.glb');
  return {
    type: 'object',
    mime: isBinary ? 'model/gltf-binary' : 'model/gltf+json',
    extension: isBinary ? 'glb' : 'gltf',
    details: answer.details,
  };
}
