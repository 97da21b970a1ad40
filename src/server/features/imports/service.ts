import { createHash } from 'node:crypto';
import type { ImportKind, ImportPlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { batchOf } from '../../core/changes/records.ts';
import { hasRecords } from '../../core/changes/revert.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { revertBatch } from '../reverting/kinds.ts';
import { type Importing, PlannedEntries, type Switches } from './importing.ts';
import { findImportByKey, insertImport, lockImport, updateImport } from './queries.ts';

/** Milliseconds for which a repeated request gets the response of the first. */
const REPEATABLE_FOR = 24 * 60 * 60 * 1000;

/** Rolls back the transaction of an import, and carries its plan. */
class NotDone extends Error {
  readonly plan: ImportPlan;

  constructor(plan: ImportPlan) {
    super('This import changed nothing.');
    this.plan = plan;
  }
}

const hashOf = (request: object): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * The response that the same request got before.
 * @throws ApiError key_reused if the key was used for another request
 */
async function earlierAnswer(db: Database, context: SignedInContext, hash: string): Promise<ImportPlan | null> {
  const { idempotencyKey, organizationId, user, clock } = context;
  if (idempotencyKey === null) return null;
  const row = await findImportByKey(db, organizationId, user.userId, idempotencyKey);
  if (!row) return null;
  if (row.at < timestampOf(clock.now() - REPEATABLE_FOR)) {
    await updateImport(db, row.id, { idempotency_key: null });
    return null;
  }
  if (row.request_hash !== hash) throw new ApiError('key_reused');
  return JSON.parse(row.answer);
}

function planOf({ entries: { counts, told }, job }: Importing, isTried: boolean): ImportPlan {
  const changes = counts.create + counts.update + counts.remove;
  const applied = counts.wrong === 0 && !isTried;
  if (applied && changes > 0) return { job, applied, counts, entries: [...told] };
  // Entities created in a dry run have no id.
  const entries = told.map((entry) => (entry.action === 'create' ? { ...entry, id: null } : entry));
  return { job: null, applied, counts, entries };
}

/** An import request. */
interface Request extends Switches {
  dry_run: boolean;
  /** The items, or a hash of them, to detect repeated requests. */
  items: unknown;
}

/**
 * Runs an import in one transaction and one batch, all or nothing. A dry run executes the import and rolls it
 * back, so that the plan is exact.
 * @param work processes the items
 */
export async function runImport(
  context: SignedInContext,
  kind: ImportKind,
  request: Request,
  work: (importing: Importing) => Promise<void>,
): Promise<ImportPlan> {
  const { organizationId, clock, user } = context;
  const { mode, prune, dry_run } = request;
  const hash = hashOf({ kind, ...request });
  try {
    return await withinQuotas(context, ['spaces', 'structures', 'users', 'mails', 'tokens'], async (db, refuseMore) => {
      await lockOrganization(db, organizationId);
      const earlier = dry_run ? null : await earlierAnswer(db, context, hash);
      if (earlier) return earlier;
      const at = nextTimestamp(clock);
      const job = await insertImport(db, {
        organization_id: organizationId,
        user_id: user.userId,
        at,
        kind,
        idempotency_key: dry_run ? null : context.idempotencyKey,
        request_hash: hash,
        batch: batchOf(db),
      });
      const importing: Importing = {
        db,
        context,
        switches: { mode, prune },
        entries: new PlannedEntries(),
        at,
        job,
      };
      await work(importing);
      const plan = planOf(importing, dry_run);
      if (plan.job === null) {
        if (plan.counts.wrong === 0) await refuseMore();
        throw new NotDone(plan);
      }
      await updateImport(db, job, { answer: JSON.stringify(plan) });
      return plan;
    });
  } catch (error) {
    if (error instanceof NotDone) return error.plan;
    throw error;
  }
}

/** Rolls back the transaction of an undo dry run. */
class DryRun extends Error {
  readonly count: number;

  constructor(count: number) {
    super('This was a dry run.');
    this.count = count;
  }
}

/**
 * Undoes an import, all or nothing: additions are removed, changes and removals are reverted.
 * @param options whether to overwrite later changes, and whether it is a dry run
 * @returns the number of reverted entities
 * @throws ApiError not_found; invalid if it was already undone or is too old; stale, listing later changes; forbidden
 */
export async function undoImport(
  context: SignedInContext,
  job: number,
  { force, dry_run }: { force: boolean; dry_run: boolean },
): Promise<number> {
  const { organizationId, clock } = context;
  const undo = withinQuotas(context, ['spaces', 'structures', 'users', 'mails', 'tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    const row = await lockImport(db, organizationId, job);
    if (!row) throw new ApiError('not_found');
    if (row.undone_at !== null) throw new ApiError('invalid', 'This import has already been undone.');
    const isOver = row.at < timestampOf(clock.now() - RESTORABLE_FOR);
    if (isOver || !(await hasRecords(db, organizationId, row)))
      throw new ApiError('invalid', 'This import is too old to undo.');
    const facts = { undone_import: job };
    const reverted = await revertBatch(db, context, row, {
      onChanged: force ? 'overwrite' : 'refuse',
      facts,
      note: async ({ entity_id, name, kind }, entity) => {
        // The tokens of a structure are restored with it.
        if (kind === 'access_tokens') return;
        await recordChange(db, context, { action: 'restore', entity, entity_id, name, after: facts });
      },
    });
    await updateImport(db, job, { undone_at: nextTimestamp(clock) });
    if (dry_run) throw new DryRun(reverted.count);
    return reverted;
  });
  try {
    const { count, done } = await undo;
    done();
    return count;
  } catch (error) {
    if (error instanceof DryRun) return error.count;
    throw error;
  }
}
