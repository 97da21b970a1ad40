import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedIn, SignedInContext } from '../../store/call-context.ts';
import { findOrganization } from '../../store/organizations/organizations-repository.ts';
import { requestedSite } from '../../store/organizations/site-of.ts';
import {
  asCredential,
  insertPasskey,
  listPasskeys,
  type StoredPasskey,
} from '../../store/passkeys/passkeys-repository.ts';
import { beginStep, type NewStep, STEP_LIFETIME, takeStep } from '../../store/sessions/sign-in-steps.ts';
import { takeConfirmation } from '../../store/sign-in/confirm-own.ts';
import { lockUser } from '../../store/users/users-repository.ts';
import { asJson, challengeOf } from './check-passkey.ts';

/** Kinds of keys, by their COSE numbers: EdDSA, ES256 and RS256, which all devices have one of. */
const ALGORITHMS = [-8, -7, -257];
/** Most passkeys of one user. */
const MAX_PASSKEYS = 20;

const stepOf = ({ userId, session }: SignedIn): NewStep => ({ purpose: 'passkey_add', userId, boundTo: session });

const refusal = (msg: Messages) => new ApiError('invalid', msg);

/**
 * Options with which a browser makes a passkey: one that it finds again by itself, and that asks who is there.
 * @throws ApiError invalid when it was not confirmed, or there are too many
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
 * Adds the passkey that a browser has made. Only its public key is kept.
 * @throws ApiError invalid when it is none for this site and this request
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
    throw refusal({ answer: ['This passkey could not be added, or it took too long. Try again.'] });
  const { credential } = registrationInfo;
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, user.userId);
    if ((await listPasskeys(db, user.userId)).length >= MAX_PASSKEYS)
      throw refusal({ error: [`You have ${MAX_PASSKEYS} passkeys already. Remove one first.`] });
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
    if (!row) throw refusal({ answer: ['This passkey is there already.'] });
    await recordEvent(db, context, { event: 'passkey_added', subject: name });
    return row;
  });
}
