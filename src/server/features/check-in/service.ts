import type { z } from 'zod';
import { MAX_LISTED_GUESTS } from '../../../contract/calls/check-in.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { normalToken } from '../../../contract/token-text.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { addressSubject, countAgainst, refuseAbove } from '../../core/limits/attempts.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { refusalOf } from '../access-tokens/create-tokens.ts';
import { findCode, type StoredToken } from '../access-tokens/queries.ts';
import { findEndpoint, type StoredEndpoint } from '../endpoints/queries.ts';
import {
  countGuests,
  deleteLink,
  findGuest,
  findLink,
  insertLink,
  listGuests,
  listLinks,
  type OpenLink,
  opensAnother,
  setCheckIn,
} from './queries.ts';
import { derivedKeys, deriveKeys, evictKeys, KEY_ITERATIONS } from './token-keys.ts';

const MINUTE = 60_000;
/** Wrong link tokens per network, and wrong access tokens per link. Correct ones don't count. */
const WRONG_LINKS = { most: 20, window: 15 * MINUTE };
const WRONG_TOKENS = { most: 60, window: MINUTE };
/** Milliseconds for which a phone may work without a connection. */
const MAX_DELAY = 7 * 24 * 60 * MINUTE;
/** The same with a connection: longer than the page waits for a response. */
const MAX_TRANSIT = 10_000;

/** The links of a structure with its counts. @throws ApiError not_found */
export async function readLinks({ db, organizationId }: CallContext, endpointId: number) {
  orNotFound(await findEndpoint(db, organizationId, endpointId));
  return { links: await listLinks(db, endpointId), ...(await countGuests(db, endpointId)) };
}

const recordLink = (db: Database, context: CallContext, { id, name }: StoredEndpoint, facts: object) =>
  recordChange(db, context, { action: 'update', entity: 'endpoint', entity_id: id, name, facts });

/** Creates a link. @returns its row, and its token, which is not stored */
export async function createLink(
  context: CallContext,
  endpointId: number,
  { name, expires_at }: z.output<typeof calls.checkIn.create.body>,
) {
  const { organizationId, clock } = context;
  if (expires_at !== null && expires_at <= timestampOf(clock.now()))
    throw new ApiError('invalid', { expires_at: ['Use a time in the future.'] });
  const token = createToken();
  const at = nextTimestamp(clock);
  const owned = { organization_id: organizationId, created_at: at, updated_at: at };
  return context.db.transaction().execute(async (db) => {
    const endpoint = orNotFound(await findEndpoint(db, organizationId, endpointId));
    const values = { ...owned, endpoint_id: endpointId, name, token_hash: hashToken(token), expires_at };
    const row = await insertLink(db, values);
    const details = { structure: endpoint.name, expires_at };
    await recordEvent(db, context, { event: 'check_in_link_created', subject: name, details });
    await recordLink(db, context, endpoint, { check_in_link_added: name });
    return { ...row, token };
  });
}

/** Revokes a link. @throws ApiError not_found */
export async function removeLink(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const { name, endpoint_id, token_hash } = orNotFound(await deleteLink(db, context.organizationId, id));
    evictKeys(token_hash);
    const endpoint = await findEndpoint(db, context.organizationId, endpoint_id);
    const details = { structure: endpoint?.name };
    await recordEvent(db, context, { event: 'check_in_link_revoked', subject: name, details });
    if (endpoint) await recordLink(db, context, endpoint, { check_in_link_removed: name });
  });
}

/**
 * The link of the request's token.
 * @throws ApiError not_found if it was revoked, has expired or never existed; too_many after too many wrong ones
 */
async function linkOf({ db, clock, organizationId, token, address }: CallContext): Promise<OpenLink> {
  // Links can't be guessed. A revoked one must not lock out the others of its network.
  const link = token && (await findLink(db, organizationId, hashToken(token), timestampOf(clock.now())));
  if (link) return link;
  await countAgainst(db, clock, [{ subject: `check-in:${addressSubject(address)}`, ...WRONG_LINKS }]);
  throw new ApiError('not_found', 'This check-in link no longer works. Ask the organizer for a new one.');
}

const guestOf = ({ id, holder_name, group_name, valid_from, valid_till, checked_in_at }: StoredToken) => ({
  id,
  holder_name,
  group: group_name,
  valid_from,
  valid_till,
  checked_in_at,
});

/** All guests of the request's link. Missing keys are derived after the response. */
export async function readGuests(context: CallContext) {
  const { db } = context;
  const { endpoint_id, structure, name: link, token_hash: salt } = await linkOf(context);
  const rows = await listGuests(db, endpoint_id, MAX_LISTED_GUESTS);
  const tokens = rows.map(({ normal, token }) => normal ?? normalToken(token));
  const keys = derivedKeys(salt, tokens);
  if (tokens.some((token) => !keys.has(token))) context.later((isStopping) => deriveKeys(salt, tokens, isStopping));
  const guests = rows.map((row, index) => ({ key: keys.get(tokens[index]!) ?? null, guest: guestOf(row) }));
  return { structure, link, ...(await countGuests(db, endpoint_id)), salt, iterations: KEY_ITERATIONS, guests };
}

/** The guest of an access token; null if it isn't one of the link's structure. */
export async function findGuestOf(context: CallContext, text: string) {
  const { db, clock, organizationId } = context;
  const { id, endpoint_id } = await linkOf(context);
  const limits = [{ subject: `check-in:link:${id}`, ...WRONG_TOKENS }];
  await refuseAbove(db, clock.now(), limits);
  const row = await findCode(db, endpoint_id, text);
  const counts = await countGuests(db, endpoint_id);
  if (row) {
    const state = refusalOf(row, timestampOf(clock.now())) ?? ('valid' as const);
    return { state, guest: guestOf(row), note: row.note, ...counts };
  }
  await countAgainst(db, clock, limits);
  const isOther = await opensAnother(db, organizationId, text);
  return { state: isOther ? ('other_structure' as const) : ('unknown' as const), guest: null, note: null, ...counts };
}

/**
 * Checks in a guest of the request's link. Only one of several concurrent requests succeeds.
 * @param at time at which it happened, by which a retry is recognized; now if omitted
 * @param is_late whether it happened without a connection, so that the token must have been valid then, not now
 * @throws ApiError not_found, or invalid if the token isn't or wasn't valid
 */
export async function checkInGuest(
  context: CallContext,
  id: number,
  { at, is_late }: z.output<typeof calls.checkIn.checkIn.body>,
) {
  const { db, clock } = context;
  const { endpoint_id } = await linkOf(context);
  const row = orNotFound(await findGuest(db, endpoint_id, id));
  const now = clock.now();
  const given = at === undefined ? now : Date.parse(at);
  const moment = timestampOf(Math.max(Math.min(given, now), now - (is_late ? MAX_DELAY : MAX_TRANSIT)));
  const reason = refusalOf(row, is_late ? moment : timestampOf(now));
  if (row.checked_in_at === null && reason)
    throw new ApiError('invalid', reason === 'expired' ? 'This token has expired.' : "This token isn't valid yet.");
  const isChanged = await setCheckIn(db, id, null, moment);
  return { guest: guestOf(orNotFound(await findGuest(db, endpoint_id, id))), is_changed: isChanged };
}

/** Undoes a check-in of a guest of the request's link, if it is still the current one. @throws ApiError not_found */
export async function undoCheckIn(context: CallContext, id: number, checkedInAt: string) {
  const { db } = context;
  const { endpoint_id } = await linkOf(context);
  orNotFound(await findGuest(db, endpoint_id, id));
  const isChanged = await setCheckIn(db, id, checkedInAt, null);
  return { guest: guestOf(orNotFound(await findGuest(db, endpoint_id, id))), is_changed: isChanged };
}
