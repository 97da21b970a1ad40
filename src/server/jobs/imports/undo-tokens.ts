import type { Database } from '../../base/db/database.ts';
import {
  countUntouched,
  deleteAddedTokens,
  findTokenRows,
  insertTokenRows,
  updateTokenOf,
} from '../../store/access-tokens/token-rows-repository.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { readStep, type StepHead } from './steps.ts';
import { markOfTokens } from './token-jobs.ts';
import type { UndoStep } from './undo-step.ts';

type TokenStep = UndoStep & { kind: 'access_tokens' };

const tokenCount = (count: number): string => `${count} access ${count === 1 ? 'token' : 'tokens'}`;

/** What became since of the tokens that a step added or changed; undefined where nothing did. */
export async function tokensChangedSince(db: Database, head: StepHead): Promise<string | undefined> {
  if (head.done === 'remove') return undefined;
  const step = (await readStep(db, head)) as TokenStep;
  if (step.done === 'update') {
    const now = await findTokenRows(
      db,
      step.rows.map(({ id }) => id),
    );
    return markOfTokens(now) === head.mark ? undefined : `Access tokens of ${head.name} were used or changed since.`;
  }
  if (step.done !== 'create') return undefined;
  const other = step.added.count - (await countUntouched(db, step.id, step.added));
  return other === 0 ? undefined : `${tokenCount(other)} of ${head.name} were used, changed or removed since.`;
}

async function takeBackRows(db: Database, step: TokenStep): Promise<number> {
  if (step.done === 'create') return deleteAddedTokens(db, step.id, step.added);
  if (step.done === 'remove') return insertTokenRows(db, step.rows);
  let count = 0;
  for (const { id, updated_at, valid_from, valid_till, valid_duration, first_used_at, ...row } of step.rows) {
    // With the stamp that it had: whoever has read it then has read what it is now.
    const holder = { holder_name: row.holder_name ?? null, holder_email: row.holder_email ?? null };
    const set = { valid_from, valid_till, valid_duration, first_used_at, ...holder, updated_at };
    count += Number(await updateTokenOf(db, step.id, id, set));
  }
  return count;
}

/**
 * Takes back what one step did to tokens of a structure; where the structure is gone, there is nothing to take back.
 * @returns how many are as before
 */
export async function takeBackTokens(
  db: Database,
  context: CallContext,
  step: TokenStep,
  job: number,
): Promise<number> {
  if (!(await findEndpoint(db, context.organizationId, step.id))) return 0;
  const count = await takeBackRows(db, step);
  const about = { entity_id: step.id, name: step.name, after: { undone_import: job, access_tokens: count } };
  if (count > 0) await recordChange(db, context, { action: 'restore', entity: 'endpoint', ...about });
  return count;
}
