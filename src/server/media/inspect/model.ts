import { availableParallelism } from 'node:os';
import { GivenUp, workersFor } from '../../ask-worker.ts';
import { damaged, type Inspection } from './inspection.ts';
import type { ModelAnswer, ModelQuestion } from './model-question.ts';

const askWorker = workersFor<ModelQuestion, ModelAnswer>({
  file: new URL('./model-worker.ts', import.meta.url),
  patience: 5000,
  memory: 512,
  atOnce: Math.max(1, availableParallelism() - 1),
});

async function ask(question: ModelQuestion): Promise<ModelAnswer> {
  try {
    return await askWorker(question);
  } catch (error) {
    if (error instanceof GivenUp)
      return { refusal: `The model takes too ${TOO[error.spent]} to read; make it simpler.` };
    throw error;
  }
}

const TOO: Record<GivenUp['spent'], string> = { time: 'long', memory: 'much memory' };

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
