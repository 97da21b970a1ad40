import type { Client } from '../../contract/client.ts';
import type { BulkActionName, BulkJob, ChangedEntity } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showDone, showNotification, showProblem, showProblemText, takeDone } from '../../ui/notifications.ts';

/** Polling intervals in milliseconds, short at first for small jobs. */
const POLL_INTERVAL = { first: 60, max: 1000 };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Progress of a bulk job. */
export interface BulkProgress {
  finished: number;
  total: number;
}

/** Fields that a bulk action sets. */
export type BulkFields = NonNullable<Parameters<Client['bulk']['start']>[0]['body']['fields']>;

/** A bulk action. */
export interface BulkRun {
  action: BulkActionName;
  /** New validity, for access tokens. */
  fields?: BulkFields;
  onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/**
 * Runs a bulk action as a server job and waits for it.
 * @returns changed ids, bin entries that restore them, and messages about the others
 * @throws ApiError if the job could not be started
 */
export async function runBulk(
  client: Client,
  ids: readonly number[],
  { action, fields, onProgress }: BulkRun,
): Promise<Pick<BulkJob, 'changed' | 'restorable' | 'problems'>> {
  let job = await client.bulk.start({ body: { action, ids: [...ids], ...(fields && { fields }) } });
  for (let wait = POLL_INTERVAL.first; job.state === 'running'; wait = Math.min(wait * 1.5, POLL_INTERVAL.max)) {
    onProgress?.(job);
    await pause(wait);
    // The job continues while the network is down.
    job = await client.bulk.read({ params: { id: job.id } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw error;
      return job;
    });
  }
  const { changed, restorable, finished, total } = job;
  const left = job.state === 'stopped' ? [`Stopped after ${finished} of ${total}. Select the rest again.`] : [];
  return { changed, restorable, problems: [...job.problems.map(sayMessage), ...left] };
}

/**
 * Shows what was removed, and offers to restore it from the bin.
 * @param entries bin entries; without any, nothing can be undone
 * @param done text such as "2 spaces removed."
 * @param reload reloads the list
 */
export function offerRestore(
  client: Client,
  entries: readonly number[],
  { done, reload }: { done: string; reload(): Promise<unknown> },
): void {
  if (entries.length === 0) {
    showDone(done);
    return;
  }
  const bin = `${entries.length === 1 ? 'It stays' : 'They stay'} in the bin for 30 days.`;
  offerReversal(client, entries, { done: `${done} ${bin}`, reload });
}

/**
 * Shows what was changed, and offers to undo it.
 * @param entries entries that undo it; without any, it can't be undone
 * @param done text such as "2 tokens changed."
 * @param reload reloads the list
 */
export function offerReversal(
  client: Client,
  entries: readonly number[],
  { done, reload }: { done: string; reload(): Promise<unknown> },
): void {
  if (entries.length === 0) {
    showDone(done);
    return;
  }
  const restore = async () => {
    const { problems } = await runBulk(client, entries, { action: 'bin.restore' });
    for (const problem of problems) showProblemText(problem);
  };
  showNotification(done, { label: 'Undo', act: () => void restore().catch(showProblem).then(reload) });
}

/** Offers to restore an entry that was just removed. @param reload reloads the list */
export async function offerUndo(
  client: Client,
  entity: ChangedEntity,
  entity_id: number,
  reload: () => Promise<unknown>,
): Promise<void> {
  const found = await client.bin.list({ query: { entity, entity_id, per_page: 1 } }).then(
    ({ data }) => data[0],
    // The removal succeeded even if the bin lookup fails.
    () => undefined,
  );
  if (found?.may_restore) offerRestore(client, [found.id], { done: takeDone(), reload });
}
