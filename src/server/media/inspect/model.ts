import { Worker } from 'node:worker_threads';
import { damaged, type Inspection } from './inspection.ts';
import type { ModelAnswer, ModelQuestion } from './model-worker.ts';

/** Milliseconds after which the reading of a model is given up. */
const PATIENCE = 5000;
/** Memory of the reading worker in MB. */
const MEMORY = 512;

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
    const timer = setTimeout(() => give({ refusal: 'The model takes too long to read; make it simpler.' }), PATIENCE);
    worker.once('message', give);
    worker.once('error', () => give({ refusal: 'The model takes too much memory to read; make it simpler.' }));
  });

/**
 * Reads a GLTF or GLB model in a worker of its own, which can be stopped.
 * @param question the file, and the folder that it may refer to
 * @throws ApiError bad_file naming what is wrong with it
 */
export async function inspectModel(question: ModelQuestion): Promise<Inspection> {
  const answer = await ask(question);
  if ('refusal' in answer) throw damaged(answer.refusal);
  const isBinary = question.file.toLowerCase().endsWith('.glb');
  return {
    type: 'object',
    mime: isBinary ? 'model/gltf-binary' : 'model/gltf+json',
    extension: isBinary ? 'glb' : 'gltf',
    details: answer.details,
  };
}
