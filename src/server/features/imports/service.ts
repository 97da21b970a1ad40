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

/** Milliseconds for which a repeated request gets the answer of the first. */
const REPEATABLE_FOR = 24 * 60 * 60 * 1000;

/** Ends the transaction of an import that is not to be done, with what it would have done. */
class NotDone extends Error {
  readonly plan: ImportPlan;

  constructor(plan: ImportPlan) {
    super('Nothing of this import is done.');
    this.plan = plan;
  }
}

const hashOf = (request: object): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * The answer that the same request got before.
 * @throws ApiError key_reused when the key came with another request
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
  // What is added only to be tried has no id.
  const entries = told.map((entry) => (entry.action === 'create' ? { ...entry, id: null } : entry));
  return { job: null, applied, counts, entries };
}

/** What is imported, and how. */
interface Request extends Switches {
  dry_run: boolean;
  /** What is imported, or a hash of it: it tells whether a request is the same as another. */
  items: unknown;
}

/**
 * Does an import in one transaction, which is one batch: all of it, or nothing when anything is wrong. A dry run does it and
 * rolls it back, so that the plan is exact.
 * @param work does each item
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

/** Ends the transaction of an undo that is only tried. */
class DryRun extends Error {
  readonly count: number;

  constructor(count: number) {
    super('This was a dry run.');
    this.count = count;
  }
}

/**
 * Undoes an import, all of it or nothing: what it added goes, what it changed or removed is as it was.
 * @param options whether what changed since is overwritten, and whether it is only said how much would be undone
 * @returns how many things are as before
 * @throws ApiError not_found; invalid when it was undone or is too old; stale, naming what changed since; forbidden
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
    if (row.undone_at !== null) throw new ApiError('invalid', 'This import has been undone already.');
    const isOver = row.at < timestampOf(clock.now() - RESTORABLE_FOR);
    if (isOver || !(await hasRecords(db, organizationId, row)))
      throw new ApiError('invalid', 'This import is too old to be undone.');
    const facts = { undone_import: job };
    const reverted = await revertBatch(db, context, row, {
      onChanged: force ? 'overwrite' : 'refuse',
      facts,
      note: async ({ entity_id, name, kind }, entity) => {
        // Tokens that went with a structure come back with it.
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
