import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { batchOf, deleteRecord, insertRecords, listRecords, readRecord } from '../../core/changes/records.ts';
import type { StoredToken } from '../../store/access-tokens/access-tokens-repository.ts';
import {
  findAddedTokens,
  findLastTokenId,
  findTokenRows,
  tokenRowsOf,
} from '../../store/access-tokens/token-rows-repository.ts';
import { deleteImport, insertImport, updateImport } from '../../store/imports/imports-repository.ts';
import { markOfTokens } from '../../store/reverting/revert-tokens.ts';

/** A job that changes the tokens of one structure. */
export interface TokenJob {
  id: number;
  owner: { organizationId: number; clock: Clock };
  endpoint: { id: number; name: string };
  /** Stamp of everything that it adds. */
  at: string;
  /** Highest id of a token before it. */
  lastId: number;
}

async function record(
  db: Database,
  { owner, endpoint }: TokenJob,
  action: 'create' | 'update' | 'delete',
  content: object,
  mark?: string,
): Promise<void> {
  const { id, name } = endpoint;
  await insertRecords(db, owner, [{ kind: 'endpoint_tokens', action, entity_id: id, name, mark, content }]);
}

/**
 * Begins a job within the caller's transaction, before anything is changed.
 * @param keepsAll whether tokens that are there may change or go: all of them are recorded until the job ends
 */
export async function beginTokenJob(
  db: Database,
  { organizationId, clock, user }: { organizationId: number; clock: Clock; user: { userId: number } },
  { endpoint, at, keepsAll }: Pick<TokenJob, 'endpoint' | 'at'> & { keepsAll: boolean },
): Promise<TokenJob> {
  const id = await insertImport(db, {
    organization_id: organizationId,
    user_id: user.userId,
    at,
    kind: 'access_tokens',
    idempotency_key: null,
    request_hash: '',
    batch: batchOf(db),
  });
  const job: TokenJob = { id, owner: { organizationId, clock }, endpoint, at, lastId: await findLastTokenId(db) };
  if (keepsAll) for await (const rows of tokenRowsOf(db, endpoint.id)) await record(db, job, 'update', { rows });
  return job;
}

/** Keeps of the recorded tokens only those that changed or went. */
async function settleRows(db: Database, job: TokenJob): Promise<void> {
  for await (const head of listRecords(db, job.owner.organizationId, { batch: batchOf(db) })) {
    if (head.kind !== 'endpoint_tokens') continue;
    const rows = (await readRecord(db, head)).content.rows as StoredToken[];
    const ids = rows.map(({ id }) => id);
    const now = new Map((await findTokenRows(db, ids)).map((row) => [row.id, row]));
    const gone = rows.filter(({ id }) => !now.has(id));
    const changed = rows.filter((row) => now.has(row.id) && markOfTokens([row]) !== markOfTokens([now.get(row.id)!]));
    await deleteRecord(db, head.id);
    if (gone.length > 0) await record(db, job, 'delete', { rows: gone });
    const after = changed.map(({ id }) => now.get(id)!);
    if (changed.length > 0) await record(db, job, 'update', { rows: changed }, markOfTokens(after));
  }
}

/**
 * Ends a job: what reverts it is recorded, and how many tokens it changed. What it added is a range of ids.
 * @returns its id; null when nothing was changed, and there is no such job
 */
export async function endTokenJob(
  db: Database,
  job: TokenJob,
  counts: { create: number; update: number; unchanged: number; remove: number },
): Promise<number | null> {
  await settleRows(db, job);
  const added = await findAddedTokens(db, job.endpoint.id, job);
  if (added) await record(db, job, 'create', { added });
  if (counts.create + counts.update + counts.remove === 0) {
    await deleteImport(db, job.id);
    return null;
  }
  const answer = JSON.stringify({ counts: { ...counts, wrong: 0 } });
  await updateImport(db, job.id, { answer });
  return job.id;
}
