import type { Client } from '../../contract/client.ts';
import type { BulkActionName } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';

/** Polling intervals in milliseconds, short at first for small jobs. */
const LOOK_EVERY = { first: 60, most: 1000 };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Progress of a bulk job. */
export interface BulkProgress {
  finished: number;
  total: number;
}

/** A bulk action. */
export interface BulkRun {
  action: BulkActionName;
  onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/**
 * Runs a bulk action as a server job and waits for it.
 * @returns changed ids, and messages about the others
 * @throws ApiError if the job could not be started
 */
export async function runBulk(
  client: Client,
  ids: readonly number[],
  { action, onProgress }: BulkRun,
): Promise<{ changed: number[]; problems: string[] }> {
  let job = await client.bulk.start({ body: { action, ids: [...ids] } });
  for (let wait = LOOK_EVERY.first; job.state === 'running'; wait = Math.min(wait * 1.5, LOOK_EVERY.most)) {
    onProgress?.(job);
    await pause(wait);
    // The job continues while the network is down.
    job = await client.bulk.read({ params: { id: job.id } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw error;
      return job;
    });
  }
  const { changed, finished, total } = job;
  const left = job.state === 'stopped' ? [`Stopped after ${finished} of ${total}. Select the rest again.`] : [];
  return { changed, problems: [...job.problems, ...left] };
}
