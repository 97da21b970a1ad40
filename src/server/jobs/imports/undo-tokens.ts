import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { readStep, type StepHead } from './steps.ts';
import { markOfTokens, tokensWithIds } from './token-jobs.ts';
import type { UndoStep } from './undo-step.ts';

type TokenStep = UndoStep & { kind: 'access_tokens' };

const tokenCount = (count: number): string => `${count} access ${count === 1 ? 'token' : 'tokens'}`;

/** What became since of the tokens that a step added or changed; undefined where nothing did. */
export async function tokensChangedSince(db: Database, head: StepHead): Promise<string | undefined> {
  if (head.done === 'remove') return undefined;
  const step = (await readStep(db, head)) as TokenStep;
  if (step.done === 'update') {
    const now = await tokensWithIds(
      db,
      step.rows.map(({ id }) => id),
    );
    return markOfTokens(now) === head.mark ? undefined : `Access tokens of ${head.name} were used or changed since.`;
  }
  if (step.done !== 'create') return undefined;
  const { first, last, count, at } = step.added;
  const same = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('endpoint_id', '=', step.id)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where('created_at', '=', at)
    .where('updated_at', '=', at)
    .where((where) => where.or([where('first_used_at', 'is', null), where('first_used_at', '<=', at)]))
    .executeTakeFirstOrThrow();
  const other = count - Number(same.count);
  return other === 0 ? undefined : `${tokenCount(other)} of ${head.name} were used, changed or removed since.`;
}

async function takeBackRows(db: Database, step: TokenStep): Promise<number> {
  if (step.done === 'create') {
    const { first, last, at } = step.added;
    const query = db.deleteFrom('access_tokens').where('endpoint_id', '=', step.id).where('created_at', '=', at);
    const { numDeletedRows } = await query.where('id', '>=', first).where('id', '<=', last).executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
  if (step.done === 'remove') {
    const query = db
      .insertInto('access_tokens')
      .values(step.rows)
      .onConflict((conflict) => conflict.doNothing());
    return Number((await query.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows ?? 0);
  }
  let count = 0;
  for (const { id, updated_at, valid_from, valid_till, valid_duration, first_used_at } of step.rows) {
    // With the stamp that it had: whoever has read it then has read what it is now.
    const set = { valid_from, valid_till, valid_duration, first_used_at, updated_at };
    const query = db.updateTable('access_tokens').set(set).where('id', '=', id).where('endpoint_id', '=', step.id);
    count += Number((await query.executeTakeFirstOrThrow()).numUpdatedRows);
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
