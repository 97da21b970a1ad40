import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  AREA_OF_CHANGED,
  type BulkActionName,
  type BulkJob,
  bulkJobSchema,
  type ChangedEntity,
} from '../../../contract/entities.ts';
import { ApiError, errors } from '../../../contract/errors.ts';
import { restorableOf, updatesOf } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { asApiError } from '../../core/http/as-api-error.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { BLOCK_FACT } from '../blocks/update-places.ts';
import { limitsFrom } from '../users/limits.ts';
import { findUserById } from '../users/queries.ts';
import { findBulkJob, insertBulkJob, updateBulkJob } from './queries.ts';

/** Result of an action for one entity. */
interface Outcome {
  isChanged: boolean;
  problems: readonly string[];
}

/** Applies an action to one entity. */
export type DoOne = (context: SignedInContext, id: number) => Promise<Outcome>;

/** Limit on reported problems. */
const MAX_PROBLEMS = 20;

/** Milliseconds between two progress updates. */
const NOTE_EVERY = 250;

/** Whether the user who started the job is still active, with the same limits. */
async function isActive({ db, user }: SignedInContext): Promise<boolean> {
  const row = await findUserById(db, user.userId);
  return row?.is_active === 1 && isDeepStrictEqual(limitsFrom(row.limits), user.limits);
}

/** Applies the action to each entity, and stores progress. */
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
    // SQLite is synchronous: without a pause, the job would block every request.
    await setImmediate();
    if (isStopping() || !(await isActive(context))) return noteState('stopped');
    const told = problems.size;
    try {
      const { isChanged, problems: own } = await doOne(context, id);
      if (isChanged) changed.push(id);
      for (const problem of own) problems.add(problem);
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
    // Store problems immediately, so that an interrupted job has reported them.
    if (problems.size === told && performance.now() - noted < NOTE_EVERY) continue;
    await noteState('running');
    noted = performance.now();
  }
  await noteState('ended');
}

/** Starts a job that continues after the response. @returns its id */
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
    started_at: timestampOf(clock.now()),
    touched_at: timestampOf(clock.now()),
  });
  context.later((isStopping) => run(context, { job, ids, doOne }, isStopping));
  return job;
}

/** Milliseconds without progress after which a job counts as stopped with its server. */
const SILENT_FOR = 60_000;

/** Entities that go to the bin, by the action that removes them. */
const BINNED: Partial<Record<string, ChangedEntity>> = {
  'rooms.remove': 'room',
  'templates.remove': 'template',
  'blocks.remove': 'block',
  'endpoints.remove': 'endpoint',
  'liveStreams.remove': 'live_stream',
  'feeds.remove': 'feed',
};

/** Entities whose changes can be undone, by the action that changes them. */
const UPDATED: Partial<Record<string, ChangedEntity>> = {
  'accessTokens.update': 'access_token',
  'accessTokens.revoke': 'access_token',
  'rooms.update_block': 'room',
};

/** A job that the caller started. @throws ApiError not_found */
export async function readJob({ db, clock, user, organizationId }: SignedInContext, id: number): Promise<BulkJob> {
  const row = await findBulkJob(db, user.userId, id);
  if (!row) throw new ApiError('not_found');
  const isSilent = clock.now() - Date.parse(row.touched_at) > SILENT_FOR;
  const changed: number[] = JSON.parse(row.changed);
  const state = row.state === 'running' && isSilent ? 'stopped' : row.state;
  const entity = state === 'running' ? undefined : BINNED[row.action];
  const mayRestore = entity !== undefined && user.policies[AREA_OF_CHANGED[entity]].create;
  const updated = state === 'running' ? undefined : UPDATED[row.action];
  const mayRevert = updated !== undefined && user.policies[AREA_OF_CHANGED[updated]].update;
  const { started_at, touched_at } = row;
  const fact = updated === 'room' ? BLOCK_FACT : undefined;
  const during = { userId: user.userId, from: started_at ?? touched_at, till: touched_at, fact };
  return bulkJobSchema.parse({
    id: row.id,
    action: row.action,
    state,
    total: row.total,
    finished: row.finished,
    changed,
    restorable: mayRestore
      ? await restorableOf(db, organizationId, entity, changed)
      : mayRevert
        ? await updatesOf(db, organizationId, updated, changed, during)
        : [],
    problems: JSON.parse(row.problems),
  });
}
