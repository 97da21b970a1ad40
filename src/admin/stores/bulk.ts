import type { Client } from '../../contract/client.ts';
import type { BulkActionName, ChangedEntity } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { showDone, showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';

/** Polling intervals in milliseconds, short at first for small jobs. */
const POLL_INTERVAL = { first: 60, max: 1000 };

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
  for (let wait = POLL_INTERVAL.first; job.state === 'running'; wait = Math.min(wait * 1.5, POLL_INTERVAL.max)) {
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

/** Maximum entries to offer undo for: each is looked up separately. */
const MAX_OFFERED = 100;

/**
 * Offers to restore removed entries from the bin.
 * @param ids ids of one entity type
 * @param done text before the offer, such as "2 spaces removed."
 * @param reload reloads the list
 */
export async function offerUndo(
  client: Client,
  entity: ChangedEntity,
  ids: readonly number[],
  reload: () => Promise<unknown>,
  done = '',
): Promise<void> {
  if (ids.length === 0) return;
  const stay = `${done} ${ids.length === 1 ? 'It stays' : 'They stay'} in the bin for 30 days.`.trim();
  if (ids.length > MAX_OFFERED) return showDone(stay);
  const entries: number[] = [];
  for (const entity_id of ids) {
    const found = await client.bin.list({ query: { entity, entity_id, per_page: 1 } }).then(
      ({ data }) => data[0],
      // The removal succeeded even if the bin lookup fails.
      () => undefined,
    );
    if (found?.may_restore) entries.push(found.id);
  }
  if (entries.length === 0) return done === '' ? undefined : showDone(done);
  const restore = async () => {
    const { problems } = await runBulk(client, entries, { action: 'bin.restore' });
    for (const problem of problems) showProblemText(problem);
  };
  showNotification(stay, {
    label: 'Undo',
    act: () => void restore().catch(showProblem).then(reload),
  });
}
