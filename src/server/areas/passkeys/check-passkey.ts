import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { requestedSite } from '../../store/organizations/site-of.ts';
import { asCredential, findPasskey, type StoredPasskey } from '../../store/passkeys/passkeys-repository.ts';
import { beginStep, type NewStep, STEP_LIFETIME, takeStep } from '../../store/sessions/sign-in-steps.ts';

/** A challenge is a step's token: random, single-use, stored as its hash. */
export const challengeOf = (token: string) => new Uint8Array(Buffer.from(token, 'base64url'));

/** What of WebAuthn's options travels as JSON. */
export const asJson = (options: object): Record<string, unknown> => ({ ...options });

export const badPasskey = () =>
  new ApiError('invalid', { answer: ['This passkey does not open this account, or it took too long. Try again.'] });

/** Options with which a browser asks for a passkey. @param allowed ids of credentials; any that it knows where empty */
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
 * Holds a browser's answer against the passkey that it names. The challenge is used up, whatever comes of it.
 * @returns the passkey, and the count that its device gives
 * @throws ApiError invalid when anything about it is not right, without saying what
 */
export async function checkPasskey(
  context: CallContext,
  step: NewStep,
  answer: { readonly id?: unknown },
): Promise<{ passkey: StoredPasskey; counter: number }> {
  const { db, clock } = context;
  const site = await requestedSite(context);
  const passkey = typeof answer.id === 'string' ? await findPasskey(db, answer.id, site.host) : undefined;
  if (!passkey) throw badPasskey();
  const check = verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => takeStep(db, clock, challenge, step),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: asCredential(passkey),
    requireUserVerification: true,
  });
  // What is wrong with an answer, the library throws: each is the same to whoever sent it.
  const { verified, authenticationInfo } = await check.catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || !authenticationInfo) throw badPasskey();
  return { passkey, counter: authenticationInfo.newCounter };
}
