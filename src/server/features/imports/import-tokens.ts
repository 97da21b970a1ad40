import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { batchOf, deleteRecord, insertRecords, listRecords, readRecord } from '../../core/changes/records.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { findAddedTokens } from '../access-tokens/added-tokens.ts';
import { countsOf, importCodes, readCodes } from '../access-tokens/import-tokens.ts';
import { findLastTokenId, findTokenRows, type StoredToken, tokenRowsOf } from '../access-tokens/queries.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { markOfTokens } from '../reverting/revert-tokens.ts';
import { deleteImport, insertImport, updateImport } from './queries.ts';

/** A job that imports tokens of one structure. */
interface TokenJob {
  id: number;
  owner: { organizationId: number; clock: Clock };
  endpoint: { id: number; name: string };
  /** Stamp of all tokens that it adds. */
  at: string;
  /** Highest token id before the job. */
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
 * Begins a job within the caller's transaction, before any changes.
 * @param keepsAll whether existing tokens may be changed or removed: all are recorded until the job ends
 */
async function beginTokenJob(
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

/** Keeps only records of changed or removed tokens. */
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
 * Ends a job: stores its undo record and the number of changed tokens. Added tokens are recorded as an id range.
 * @returns its id; null if nothing changed and the job is discarded
 */
async function endTokenJob(
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

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('This was only to be tried.');
    this.report = report;
  }
}

type Input = z.output<typeof calls.accessTokens.importFile.body>;

/**
 * Imports a file of access tokens into a structure, all or nothing.
 * @throws ApiError not_found; forbidden without the rights for the mode; or listing invalid lines
 */
export async function importFile(
  context: SignedInContext,
  endpointId: number,
  { mode, prune, dry_run, column, heading }: Input,
  file: Upload | undefined,
): Promise<ImportReport> {
  const { organizationId, clock, user } = context;
  const rights = user.policies.access_tokens;
  const mayNot = (prune && !rights.delete) || (mode === 'replace' && !rights.update);
  const codes =
    file && !mayNot ? await readCodes(context, file, { mayHaveTimes: true, choice: { column, heading } }) : undefined;
  if (mayNot) throw new ApiError('forbidden');
  if (!codes) throw new ApiError('invalid', { access_tokens_file: ['Choose a file.'] });
  try {
    return await withinQuotas(context, ['tokens'], async (db, refuseMore) => {
      await lockOrganization(db, organizationId);
      const endpoint = await findEndpoint(db, organizationId, endpointId);
      if (!endpoint) throw new ApiError('not_found');
      const duration = endpoint.access_token_duration;
      const target = { organizationId, endpointId, duration, at: nextTimestamp(clock) };
      const about = { endpoint, at: target.at, keepsAll: prune || mode === 'replace' || codes.hasFields };
      const job = dry_run ? null : await beginTokenJob(db, context, about);
      const report = await importCodes(db, target, codes, { mode, prune });
      if (report.updated > 0 && !rights.update) throw new ApiError('forbidden');
      if (!job) {
        await refuseMore();
        throw new DryRun(report);
      }
      await recordEndpoint(db, context, 'import', endpoint, endpoint, { facts: countsOf(report) });
      const { accepted: create, updated: update, duplicates, removed: remove } = report;
      const counts = { create, update, unchanged: duplicates - update, remove };
      return { ...report, job: await endTokenJob(db, job, counts) };
    });
  } catch (error) {
    if (error instanceof DryRun) return error.report;
    throw error;
  } finally {
    await codes.discard();
  }
}
