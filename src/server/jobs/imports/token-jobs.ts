import { createHash } from 'node:crypto';
import type { Database } from '../../base/db/database.ts';
import type { StoredToken } from '../../store/access-tokens/access-tokens-repository.ts';
import {
  findAddedTokens,
  findLastTokenId,
  findTokenRows,
  tokenRowsOf,
} from '../../store/access-tokens/token-rows-repository.ts';
import { deleteStep, insertStep } from '../../store/imports/import-steps-repository.ts';
import { deleteImport, insertImport, updateImport } from '../../store/imports/imports-repository.ts';
import { readStep, stepsOf } from './steps.ts';
import type { UndoStep } from './undo-step.ts';

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
      JSON.stringify(
        rows
          .toSorted((a, b) => a.id - b.id)
          .map(({ updated_at: _stamp, normal: _form, holder_name, holder_email, ...row }) => [
            ...Object.entries(row),
            // Nothing where there is no holder, so that jobs of before there were any can still be undone.
            ...(holder_name || holder_email ? [[holder_name, holder_email]] : []),
          ]),
      ),
    )
    .digest('hex');

async function keepRows(
  db: Database,
  { id, endpoint }: Pick<TokenJob, 'id' | 'endpoint'>,
  done: 'update' | 'remove',
  { rows, mark }: { rows: StoredToken[]; mark: string | null },
): Promise<void> {
  const step = { kind: 'access_tokens', done, id: endpoint.id, name: endpoint.name, rows } as const;
  const head = { import_id: id, kind: step.kind, done, entity_id: endpoint.id, mark, name: endpoint.name };
  await insertStep(db, { ...head, content: JSON.stringify(step) });
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
  const id = await insertImport(db, {
    organization_id: organizationId,
    user_id: userId,
    at,
    kind: 'access_tokens',
    idempotency_key: null,
    request_hash: '',
  });
  const job: TokenJob = { id, endpoint, at, lastId: await findLastTokenId(db) };
  if (keepsAll)
    for await (const rows of tokenRowsOf(db, endpoint.id)) await keepRows(db, job, 'update', { rows, mark: null });
  return job;
}

/** Keeps of what was set aside only what has changed or gone. */
async function settleRows(db: Database, job: TokenJob): Promise<void> {
  for await (const head of stepsOf(db, job.id)) {
    const { rows } = (await readStep(db, head)) as UndoStep & { kind: 'access_tokens'; done: 'update' };
    const now = new Map(
      (
        await findTokenRows(
          db,
          rows.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    const gone = rows.filter(({ id }) => !now.has(id));
    const changed = rows.filter((row) => now.has(row.id) && markOfTokens([row]) !== markOfTokens([now.get(row.id)!]));
    await deleteStep(db, head.id);
    if (gone.length > 0) await keepRows(db, job, 'remove', { rows: gone, mark: null });
    const after = changed.map(({ id }) => now.get(id)!);
    if (changed.length > 0) await keepRows(db, job, 'update', { rows: changed, mark: markOfTokens(after) });
  }
}

/** Notes what a job added, which stands between two ids. */
async function keepAdded(db: Database, { id, endpoint, at, lastId }: TokenJob): Promise<void> {
  const added = await findAddedTokens(db, endpoint.id, { lastId, at });
  if (!added) return;
  const step: UndoStep = { kind: 'access_tokens', done: 'create', id: endpoint.id, name: endpoint.name, added };
  const head = { import_id: id, kind: step.kind, done: step.done, entity_id: endpoint.id, mark: null };
  await insertStep(db, { ...head, name: endpoint.name, content: JSON.stringify(step) });
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
    await deleteImport(db, job.id);
    return null;
  }
  const answer = JSON.stringify({ counts: { ...counts, wrong: 0 } });
  await updateImport(db, job.id, { answer });
  return job.id;
}
