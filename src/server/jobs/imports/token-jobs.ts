import { createHash } from 'node:crypto';
import type { Database } from '../../base/db/database.ts';
import type { StoredToken } from '../../store/access-tokens/access-tokens-repository.ts';
import { readStep, stepsOf } from './steps.ts';
import type { UndoStep } from './undo-step.ts';

/** Tokens that one step brings back. */
const AT_ONCE = 500;

/** A job that changes the tokens of one structure. */
export interface TokenJob {
  id: number;
  endpoint: { id: number; name: string };
  /** Stamp of everything that it adds. */
  at: string;
  /** Highest id of a token before it. */
  lastId: number;
}

/** What tells whether tokens have changed: a hash of their content. */
export const markOfTokens = (rows: readonly StoredToken[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(rows.toSorted((a, b) => a.id - b.id).map(({ updated_at: _stamp, ...row }) => Object.entries(row))),
    )
    .digest('hex');

/** The tokens with these ids that there are. */
export const tokensWithIds = (db: Database, ids: readonly number[]): Promise<StoredToken[]> =>
  db.selectFrom('access_tokens').selectAll().where('id', 'in', ids).orderBy('id').execute();

async function keepRows(
  db: Database,
  { id, endpoint }: Pick<TokenJob, 'id' | 'endpoint'>,
  done: 'update' | 'remove',
  { rows, mark }: { rows: StoredToken[]; mark: string | null },
): Promise<void> {
  const step = { kind: 'access_tokens', done, id: endpoint.id, name: endpoint.name, rows } as const;
  const head = { import_id: id, kind: step.kind, done, entity_id: endpoint.id, mark, name: endpoint.name };
  await db
    .insertInto('import_steps')
    .values({ ...head, content: JSON.stringify(step) })
    .execute();
}

/** Every token of a structure, some at a time. */
export async function* tokensOf(db: Database, endpointId: number): AsyncGenerator<StoredToken[]> {
  for (let after = 0; ; ) {
    const query = db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpointId);
    const rows = await query.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

/**
 * Begins a job within the caller's transaction, before anything is changed.
 * @param keepsAll whether tokens that are there may change or go: all of them are set aside until the job ends
 */
export async function beginTokenJob(
  db: Database,
  { organizationId, userId }: { organizationId: number; userId: number },
  { endpoint, at, keepsAll }: Pick<TokenJob, 'endpoint' | 'at'> & { keepsAll: boolean },
): Promise<TokenJob> {
  const { id } = await db
    .insertInto('imports')
    .values({
      organization_id: organizationId,
      user_id: userId,
      at,
      kind: 'access_tokens',
      idempotency_key: null,
      request_hash: '',
      answer: '{}',
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  const job: TokenJob = { id, endpoint, at, lastId: Number(last.id ?? 0) };
  if (keepsAll)
    for await (const rows of tokensOf(db, endpoint.id)) await keepRows(db, job, 'update', { rows, mark: null });
  return job;
}

/** Keeps of what was set aside only what has changed or gone. */
async function settleRows(db: Database, job: TokenJob): Promise<void> {
  for await (const head of stepsOf(db, job.id)) {
    const { rows } = (await readStep(db, head)) as UndoStep & { kind: 'access_tokens'; done: 'update' };
    const now = new Map(
      (
        await tokensWithIds(
          db,
          rows.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    const gone = rows.filter(({ id }) => !now.has(id));
    const changed = rows.filter((row) => now.has(row.id) && markOfTokens([row]) !== markOfTokens([now.get(row.id)!]));
    await db.deleteFrom('import_steps').where('id', '=', head.id).execute();
    if (gone.length > 0) await keepRows(db, job, 'remove', { rows: gone, mark: null });
    const after = changed.map(({ id }) => now.get(id)!);
    if (changed.length > 0) await keepRows(db, job, 'update', { rows: changed, mark: markOfTokens(after) });
  }
}

/** Notes what a job added, which stands between two ids. */
async function keepAdded(db: Database, { id, endpoint, at, lastId }: TokenJob): Promise<void> {
  const { first, last, count } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last'), fn.countAll().as('count')])
    .where('endpoint_id', '=', endpoint.id)
    .where('id', '>', lastId)
    .where('created_at', '=', at)
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return;
  const added = { first: Number(first), last: Number(last), count: Number(count), at };
  const step: UndoStep = { kind: 'access_tokens', done: 'create', id: endpoint.id, name: endpoint.name, added };
  const head = { import_id: id, kind: step.kind, done: step.done, entity_id: endpoint.id, mark: null };
  await db
    .insertInto('import_steps')
    .values({ ...head, name: endpoint.name, content: JSON.stringify(step) })
    .execute();
}

/**
 * Ends a job: what takes it back is kept, and how many tokens it changed.
 * @returns its id; null when nothing was changed, and there is no such job
 */
export async function endTokenJob(
  db: Database,
  job: TokenJob,
  counts: { create: number; update: number; unchanged: number; remove: number },
): Promise<number | null> {
  await settleRows(db, job);
  await keepAdded(db, job);
  if (counts.create + counts.update + counts.remove === 0) {
    await db.deleteFrom('imports').where('id', '=', job.id).execute();
    return null;
  }
  const answer = JSON.stringify({ counts: { ...counts, wrong: 0 } });
  await db.updateTable('imports').set({ answer }).where('id', '=', job.id).execute();
  return job.id;
}
