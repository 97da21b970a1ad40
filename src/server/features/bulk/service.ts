import { setImmediate } from 'node:timers/promises';
import { type BulkActionName, type BulkJob, bulkJobSchema } from '../../../contract/entities.ts';
import { ApiError, errors } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { asApiError } from '../../core/http/as-api-error.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findUserById } from '../users/queries.ts';
import { findBulkJob, insertBulkJob, updateBulkJob } from './queries.ts';

/** Does an action with one thing. @returns what could not be done of it, as sentences; null where it was so already */
export type DoOne = (context: SignedInContext, id: number) => Promise<string[] | null>;

/** Sentences that a job tells. */
const MAX_PROBLEMS = 20;

/** Milliseconds between two notes of how far a job has come. */
const NOTE_EVERY = 250;

/** Whether the user who started a job may still do anything. */
async function isActive({ db, user }: SignedInContext): Promise<boolean> {
  return (await findUserById(db, user.userId))?.is_active === 1;
}

/** Does the action with each thing, and notes how far it has come. */
async function run(
  context: SignedInContext,
  { job, ids, doOne }: { job: number; ids: readonly number[]; doOne: DoOne },
  isStopping: () => boolean,
): Promise<void> {
  const { db, clock } = context;
  const changed: number[] = [];
  const problems = new Set<string>();
  let finished = 0;
  const noteState = (state: 'running' | 'ended' | 'stopped') =>
    updateBulkJob(db, job, {
      finished,
      changed: JSON.stringify(changed),
      problems: JSON.stringify([...problems].slice(0, MAX_PROBLEMS)),
      state,
      touched_at: timestampOf(clock.now()),
    });
  let noted = performance.now();
  for (const id of ids) {
    // SQLite answers at once: without a pause, the job would hold up every request.
    await setImmediate();
    if (isStopping() || !(await isActive(context))) return noteState('stopped');
    const told = problems.size;
    try {
      const left = await doOne(context, id);
      if (left) changed.push(id);
      for (const problem of left ?? []) problems.add(problem);
    } catch (error) {
      const known = asApiError(error);
      if (!known || known.status >= 500) {
        problems.add(errors.failed.message);
        await noteState('stopped');
        throw error;
      }
      problems.add(`${known.message} ${known.suggestion}`);
    }
    finished++;
    // A problem is noted at once: a job that is cut off has told it.
    if (problems.size === told && performance.now() - noted < NOTE_EVERY) continue;
    await noteState('running');
    noted = performance.now();
  }
  await noteState('ended');
}

/** Starts a job, which goes on after the answer. @returns its id */
export async function createJob(
  context: SignedInContext,
  { action, ids }: { action: BulkActionName; ids: readonly number[] },
  doOne: DoOne,
): Promise<number> {
  const { db, clock, organizationId, user } = context;
  const job = await insertBulkJob(db, {
    organization_id: organizationId,
    user_id: user.userId,
    action,
    total: ids.length,
    changed: '[]',
    problems: '[]',
    state: 'running',
    touched_at: timestampOf(clock.now()),
  });
  context.later((isStopping) => run(context, { job, ids, doOne }, isStopping));
  return job;
}

/** Milliseconds after which a job that does not come on has been stopped with its server. */
const SILENT_FOR = 60_000;

/** A job that the caller has started. @throws ApiError not_found */
export async function readJob({ db, clock, user }: SignedInContext, id: number): Promise<BulkJob> {
  const row = await findBulkJob(db, user.userId, id);
  if (!row) throw new ApiError('not_found');
  const isSilent = clock.now() - Date.parse(row.touched_at) > SILENT_FOR;
  return bulkJobSchema.parse({
    id: row.id,
    action: row.action,
    state: row.state === 'running' && isSilent ? 'stopped' : row.state,
    total: row.total,
    finished: row.finished,
    changed: JSON.parse(row.changed),
    problems: JSON.parse(row.problems),
  });
}
