import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Upload } from '../../storage/upload.ts';
import { countsOf, importCodes } from '../../store/access-tokens/import-codes.ts';
import type { CallContext } from '../../store/call-context.ts';
import { createEndpoint as storeEndpoint } from '../../store/endpoints/create-endpoint.ts';
import { codesIn } from './read-codes.ts';

/**
 * Adds a structure, with the access tokens that come in a file.
 * @returns its id, and what became of the codes
 */
export async function createEndpoint(
  context: CallContext,
  body: z.output<typeof calls.endpoints.create.body>,
  file: Upload | undefined,
): Promise<{ id: number; report: ImportReport | undefined }> {
  const { organizationId, clock } = context;
  const codes = await codesIn(context, file);
  let report: ImportReport | undefined;
  const id = await storeEndpoint(context, body, async (db, endpointId) => {
    const duration = body.access_token_duration ?? null;
    if (codes)
      report = await importCodes(db, { organizationId, endpointId, duration, at: nextTimestamp(clock) }, codes);
    return countsOf(report) ?? {};
  }).finally(() => codes?.discard());
  return { id, report };
}
