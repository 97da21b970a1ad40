import { tokenText } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import {
  findCode,
  lockToken,
  type StoredToken,
  updateToken,
} from '../../store/access-tokens/access-tokens-repository.ts';
import { endAfterFirstUse, refusalOf } from '../../store/access-tokens/validity.ts';
import type { StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import type { Services } from '../../store/services.ts';
import { embargoOf } from '../../store/visits/embargo.ts';
import { countEntryFailure, refuseCrowdedEntry, refuseLateEntry } from '../../store/visits/visitor-attempts.ts';
import { type BegunVisit, beginVisit, sweepVisits } from '../../store/visits/visitor-sessions.ts';
import { tellWebhooks } from '../../store/webhooks/tell-webhooks.ts';

type Shared = Pick<Services, 'db' | 'clock'>;

/**
 * Begins a visit with a token that has been found. The first use fixes its end, once: the row is locked, so of several
 * at the same moment one is the first.
 * @param endpoint the structure that it opens
 * @param opensAt second at which the room opens: minutes of waiting for it are none of use; null when it is open
 * @returns null when the access token was changed or removed in the meantime
 * @throws ApiError too_many when wrong codes that came first took the last attempt
 */
async function admit(
  { db: database, clock }: Shared,
  { id, endpoint_id: endpointId }: StoredToken,
  endpoint: StoredEndpoint,
  address: string,
  opensAt: number | null,
): Promise<BegunVisit | null> {
  await sweepVisits(database, clock);
  return database.transaction().execute(async (db) => {
    await refuseLateEntry({ db, clock }, endpointId, address);
    const row = await lockToken(db, id);
    const now = clock.now();
    if (row?.endpoint_id !== endpointId || refusalOf(row, timestampOf(now))) return null;
    const usedFrom = Math.max(now, (opensAt ?? 0) * 1000);
    const till = row.first_used_at === null ? endAfterFirstUse(row, usedFrom) : row.valid_till;
    if (row.first_used_at === null)
      await updateToken(db, id, {
        first_used_at: timestampOf(now),
        valid_till: till,
        updated_at: nextTimestamp(clock, row.updated_at),
      });
    await tellWebhooks(db, { clock, organizationId: endpoint.organization_id }, 'access_token.used', {
      structure: { id: endpointId, name: endpoint.name },
      access_token: { id, is_first_use: row.first_used_at === null },
    });
    return beginVisit(db, clock, { endpointId, accessTokenId: id }, till);
  });
}

/**
 * Counts a wrong code and refuses it. The answer to every wrong code is the same, whether it opens another structure or
 * none. A code that exists here but has ended or not begun gets a reason besides. That helps nobody to guess: to learn
 * it one must already hold a whole code, every try costs one of the few attempts, and what it tells opens nothing that
 * the code would not open by itself at its time.
 * @throws ApiError code_required or too_many
 */
async function refuse(services: Shared, endpointId: number, address: string, row?: StoredToken): Promise<never> {
  await countEntryFailure(services, endpointId, address);
  const reason = row && refusalOf(row, timestampOf(services.clock.now()));
  throw new ApiError('code_required', undefined, reason ?? undefined);
}

/**
 * Begins a visit to a protected structure with an access token.
 * @throws ApiError code_required when the code opens nothing now, too_many when no more attempts are looked at
 */
export async function redeemCode(
  services: Shared,
  endpoint: StoredEndpoint,
  code: string,
  address: string,
): Promise<BegunVisit> {
  const { id: endpointId } = endpoint;
  await refuseCrowdedEntry(services, endpointId, address);
  // What is no code stands in no row; some of it, such as a NUL, not every database can even look for.
  const { data: text } = tokenText.safeParse(code);
  const row = text === undefined ? undefined : await findCode(services.db, endpointId, text);
  if (!row || refusalOf(row, timestampOf(services.clock.now()))) return refuse(services, endpointId, address, row);
  const visit = await admit(services, row, endpoint, address, await embargoOf(services, endpoint));
  return visit ?? refuse(services, endpointId, address);
}
