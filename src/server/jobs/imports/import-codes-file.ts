import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import type { Upload } from '../../storage/upload.ts';
import { countsOf, importCodes } from '../../store/access-tokens/import-codes.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { recordEndpoint } from '../../store/endpoints/record-endpoint.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { readCodes } from './read-codes.ts';
import { beginTokenJob, endTokenJob } from './token-jobs.ts';

/** Ends the transaction of an import that only says what it would do. */
class DryRun extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('This was only to be tried.');
    this.report = report;
  }
}

type Input = z.output<typeof calls.accessTokens.importFile.body>;

/**
 * Imports a file of access tokens into a structure: all of it, or nothing.
 * @throws ApiError not_found; forbidden without the rights that the mode needs; or naming the lines that are wrong
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
