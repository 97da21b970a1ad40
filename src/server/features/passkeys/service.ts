import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedIn, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { findOrganization } from '../organizations/queries.ts';
import { requestedSite } from '../organizations/site-of.ts';
import { lockUser } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { takeConfirmation } from '../users/sign-in.ts';
import { beginStep, type NewStep, STEP_LIFETIME, takeStep } from '../users/sign-in-steps.ts';
import {
  asCredential,
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type StoredPasskey,
} from './queries.ts';

/** A challenge is a step's token: random, single-use, stored as its hash. */
const challengeOf = (token: string) => new Uint8Array(Buffer.from(token, 'base64url'));

/** WebAuthn options as JSON. */
const asJson = (options: object): Record<string, unknown> => ({ ...options });

export const badPasskey = () =>
  new ApiError('invalid', {
    answer: ["This passkey doesn't belong to this account, or the request has expired. Try again."],
  });

/** Options for signing in with a passkey. @param allowed allowed credential ids; any if empty */
export async function askForPasskey(
  context: CallContext,
  step: NewStep,
  allowed: readonly StoredPasskey[] = [],
): Promise<Record<string, unknown>> {
  const { host } = await requestedSite(context);
  const token = await beginStep(context.db, context.clock, step);
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: challengeOf(token),
    userVerification: 'required',
    timeout: STEP_LIFETIME,
    allowCredentials: allowed.map(asCredential).map(({ id, transports }) => ({ id, transports })),
  });
  return asJson(options);
}

/**
 * Verifies a browser's response against its passkey. The challenge is consumed in any case.
 * @returns the passkey, and the device's counter
 * @throws ApiError invalid without details if anything is wrong
 */
export async function checkPasskey(
  context: CallContext,
  step: NewStep,
  answer: { readonly id?: unknown },
): Promise<{ passkey: StoredPasskey; counter: number }> {
  const { db, clock } = context;
  const site = await requestedSite(context);
  // Other texts match no credential, and PostgreSQL rejects some as parameters.
  const passkey =
    typeof answer.id === 'string' && BASE64URL.test(answer.id)
      ? await findPasskey(db, answer.id, site.host)
      : undefined;
  if (!passkey) throw badPasskey();
  const check = verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => takeStep(db, clock, challenge, step),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: asCredential(passkey),
    requireUserVerification: true,
  });
  // The library throws for each kind of invalid response; the caller gets the same error for all.
  const { verified, authenticationInfo } = await check.catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || !authenticationInfo) throw badPasskey();
  return { passkey, counter: authenticationInfo.newCounter };
}

/** Form of a credential ID. */
const BASE64URL = /^[\w-]+$/;
/** Key algorithms by COSE number: EdDSA, ES256 and RS256. Every device supports one of them. */
const ALGORITHMS = [-8, -7, -257];
/** Limit on passkeys per user. */
const MAX_PASSKEYS = 20;

const stepOf = ({ userId, session }: SignedIn): NewStep => ({ purpose: 'passkey_add', userId, boundTo: session });

const refusal = (msg: Messages) => new ApiError('invalid', msg);

/**
 * Options for creating a passkey: discoverable, and with user verification.
 * @throws ApiError invalid if it was not confirmed, or there are too many
 */
export async function beginPasskey(context: SignedInContext, confirmation: string): Promise<Record<string, unknown>> {
  const { clock, organizationId } = context;
  const user = context.user;
  const site = await requestedSite(context);
  return context.db.transaction().execute(async (db) => {
    await takeConfirmation(db, context, confirmation);
    const known = await listPasskeys(db, user.userId, site.host);
    const { name } = await findOrganization(db, organizationId);
    const options = await generateRegistrationOptions({
      rpName: name,
      rpID: site.host,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(`enfilade:${user.userId}`),
      challenge: challengeOf(await beginStep(db, clock, stepOf(user))),
      attestationType: 'none',
      timeout: STEP_LIFETIME,
      excludeCredentials: known.map(asCredential).map(({ id, transports }) => ({ id, transports })),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return asJson(options);
  });
}

/**
 * Adds a created passkey. Only its public key is stored.
 * @throws ApiError invalid if it was not created for this site and request
 */
export async function createPasskey(
  context: SignedInContext,
  { name, answer }: { name: string; answer: object },
): Promise<StoredPasskey> {
  const { clock, organizationId } = context;
  const user = context.user;
  const site = await requestedSite(context);
  const check = verifyRegistrationResponse({
    response: answer as RegistrationResponseJSON,
    expectedChallenge: (challenge) => takeStep(context.db, clock, challenge, stepOf(user)),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { registrationInfo } = await check.catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo)
    throw refusal({ answer: ["The passkey couldn't be added, or the request has expired. Try again."] });
  const { credential } = registrationInfo;
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, user.userId);
    if ((await listPasskeys(db, user.userId)).length >= MAX_PASSKEYS)
      throw refusal({ error: [`You already have ${MAX_PASSKEYS} passkeys. Remove one first.`] });
    const row = await insertPasskey(db, {
      user_id: user.userId,
      name,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      site: site.host,
      created_at: timestampOf(clock.now()),
      last_used_at: null,
    });
    if (!row) throw refusal({ answer: ['This passkey has already been added.'] });
    await recordEvent(db, context, { event: 'passkey_added', subject: name });
    return row;
  });
}

/** @throws ApiError not_found if the user has no such passkey */
export async function findOwnPasskey(db: Database, { userId }: SignedIn, id: number): Promise<StoredPasskey> {
  return orNotFound((await listPasskeys(db, userId)).find((passkey) => passkey.id === id));
}

/** Removes a passkey of the caller. @throws ApiError not_found, or invalid if it was not confirmed */
export async function removePasskey(context: SignedInContext, id: number, confirmation: string): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  await context.db.transaction().execute(async (db) => {
    const row = await findOwnPasskey(db, user, id);
    await takeConfirmation(db, context, confirmation);
    await deletePasskey(db, row.id);
    await recordEvent(db, context, { event: 'passkey_removed', subject: row.name });
  });
}
