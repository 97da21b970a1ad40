import { ApiError } from '../../../contract/errors.ts';
import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { hasRecords } from '../../core/changes/revert.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { revertBatch } from '../reverting/kinds.ts';
import { lockImport, updateImport } from './imports-repository.ts';

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
