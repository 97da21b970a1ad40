import { Secret, TOTP } from 'otpauth';
import type { User } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { countCode, forgetCodes } from '../../core/limits/attempts.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { ServerSettings } from '../../core/settings.ts';
import { findOrganization } from '../organizations/queries.ts';
import { siteOf } from '../organizations/site-of.ts';
import { deletePasskeysOf } from '../passkeys/queries.ts';
import { greeting, oneLine } from '../users/passwords.ts';
import { findUserById, lockUser, type StoredUser } from '../users/queries.ts';
import { refuseAbove, refuseKeys } from '../users/rights.ts';
import { endSessionsOf } from '../users/sessions.ts';
import {
  actingAs,
  completeSignIn,
  countSignIn,
  type Proof,
  recordFailure,
  refusePasswords,
  takeConfirmation,
} from '../users/sign-in.ts';
import { findStep, takeStep } from '../users/sign-in-steps.ts';
import {
  removeFactor as deleteFactor,
  findFactor,
  makeRecoveryCodes,
  type StoredFactor,
  confirmFactor as storeConfirmed,
  storeSecret,
  takeCode,
  takeRecoveryCode,
} from './queries.ts';

/** Validity of a code in seconds (RFC 6238). */
const PERIOD = 30;
/** Adjacent codes that are also accepted, to allow for clock drift. */
const DRIFT = 1;
/** Bytes of a secret: the length of SHA-1's output, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const sealPlaceOfFactor = (userId: number) => `second factor of user ${userId}`;

const totpOf = (secret: string, issuer: string, label: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer, label, period: PERIOD });

/** A new TOTP secret. */
interface NewSecret {
  /** Base32. */
  secret: string;
  /** Content of the QR code. */
  uri: string;
  /** Stored form, sealed for this user. */
  sealed: string;
}

/**
 * Creates a secret.
 * @param issuer name of the site in the app
 * @param label name of the account in the app
 */
async function createSecret(
  settings: ServerSettings,
  userId: number,
  issuer: string,
  label: string,
): Promise<NewSecret> {
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  // A colon separates issuer and label in the QR code.
  const uri = totpOf(secret, issuer.replaceAll(':', ' '), label).toString();
  return { secret, uri, sealed: await sealToken(settings, sealPlaceOfFactor(userId), secret) };
}

/**
 * Verifies a code.
 * @param now milliseconds since 1970
 * @returns its time step; null if the code is invalid now
 */
async function stepOfCode(
  settings: ServerSettings,
  userId: number,
  sealed: string,
  code: string,
  now: number,
): Promise<number | null> {
  const secret = await openToken(settings, sealPlaceOfFactor(userId), sealed);
  if (secret === null) return null;
  const drift = totpOf(secret, '', '').validate({ token: code, timestamp: now, window: DRIFT });
  return drift === null ? null : Math.floor(now / (PERIOD * 1000)) + drift;
}

/**
 * Begins the setup of a second factor, which is active once confirmed.
 * @returns its secret, and the content of the QR code
 * @throws ApiError in_use, or invalid if the caller did not confirm
 */
export async function createFactor(
  context: SignedInContext,
  confirmation: string,
): Promise<{ secret: string; uri: string }> {
  const { settings, clock, organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed === 1)
      throw new ApiError('in_use', 'You already have a second factor. Remove it before you set up another one.');
    const { name } = await findOrganization(db, organizationId);
    const { secret, uri, sealed } = await createSecret(settings, userId, name, email);
    await storeSecret(db, clock, userId, sealed);
    return { secret, uri };
  });
}

/**
 * Confirms the setup of a second factor with its first code.
 * @returns recovery codes, which are shown only once
 * @throws ApiError invalid if the code is wrong, too_many after too many attempts
 */
export async function confirmFactor(context: SignedInContext, given: string): Promise<string[]> {
  const { settings, clock, address, organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  await countCode(context.db, clock, userId, address);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    const factor = await findFactor(db, userId);
    if (!factor || factor.is_confirmed === 1)
      throw new ApiError('invalid', 'There is nothing to confirm. Restart the setup of the second factor.');
    const code = given.replace(/\s/g, '');
    const step = await stepOfCode(settings, userId, factor.secret, code, clock.now());
    if (step === null || !(await takeCode(db, factor, step)))
      throw new ApiError('invalid', { code: ["This code isn't valid. Enter the current code of the app."] });
    await storeConfirmed(db, factor);
    await forgetCodes(db, userId, address);
    await recordEvent(db, context, { event: 'second_factor_added', subject: email });
    return makeRecoveryCodes(db, userId);
  });
}

/** The error for calls that require a second factor. */
const notOn = () => new ApiError('invalid', 'You have no second factor. Set one up first.');

/** Removes the caller's second factor. @throws ApiError invalid if there is none, or the caller did not confirm */
export async function removeFactor(context: SignedInContext, confirmation: string): Promise<void> {
  const { userId, email } = context.user;
  refuseKeys(context.user);
  await context.db.transaction().execute(async (db) => {
    await lockUser(db, context.organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
    await deleteFactor(db, userId);
    await recordEvent(db, context, { event: 'second_factor_removed', subject: email });
  });
}

/** Replaces the recovery codes. @throws ApiError invalid if there is no second factor, or the caller did not confirm */
export async function createRecoveryCodes(context: SignedInContext, confirmation: string): Promise<string[]> {
  const { organizationId } = context;
  const { userId, email } = context.user;
  refuseKeys(context.user);
  return context.db.transaction().execute(async (db) => {
    await lockUser(db, organizationId, userId);
    await takeConfirmation(db, context, confirmation);
    if ((await findFactor(db, userId))?.is_confirmed !== 1) throw notOn();
    await recordEvent(db, context, { event: 'recovery_codes_made', subject: email });
    return makeRecoveryCodes(db, userId);
  });
}

const overdue = () =>
  new ApiError('invalid', {
    token: ['The sign-in has expired or was already completed. Sign in again with your password.'],
  });

const wrongCode = () =>
  new ApiError('invalid', { code: ["This code isn't valid, or was already used. Enter the current code."] });

/** Format of TOTP codes; anything else can only be a recovery code. */
const OF_APP = /^\d{6}$/;

/** The kind of a code; null if it is wrong. The code is consumed in the transaction of the sign-in. */
async function proofOf(
  context: CallContext,
  row: StoredUser,
  factor: StoredFactor,
  code: string,
): Promise<Omit<Proof, 'method'> | null> {
  if (!OF_APP.test(code)) {
    const use = async (db: Database) => {
      if (!(await takeRecoveryCode(db, row.id, code))) throw wrongCode();
      await recordEvent(db, actingAs(context, row), { event: 'recovery_code_used', subject: row.email });
    };
    return { details: { second_factor: 'recovery code' }, use };
  }
  const step = await stepOfCode(context.settings, row.id, factor.secret, code, context.clock.now());
  if (step === null) return null;
  const use = async (db: Database) => {
    if (!(await takeCode(db, factor, step))) throw wrongCode();
  };
  return { details: { second_factor: 'code' }, use };
}

/**
 * Completes a password sign-in with a TOTP code or a recovery code. Each code is accepted once.
 * @throws ApiError invalid if the code is wrong or the sign-in has expired, too_many after too many attempts
 */
export async function signInWithCode(context: CallContext, token: string, typed: string): Promise<User> {
  const { db, clock, address } = context;
  const userId = await findStep(db, clock, token, 'second_factor');
  const row = userId === null ? undefined : await findUserById(db, userId);
  const factor = row && (await findFactor(db, row.id));
  if (!row || !factor) throw overdue();
  await countSignIn(context, row.email, () => countCode(db, clock, row.id, address));
  await refusePasswords(db, row);
  const code = typed.replace(/\s/g, '');
  try {
    const proof = await proofOf(context, row, factor, code);
    if (!proof) throw wrongCode();
    const use = async (transaction: Database) => {
      await proof.use?.(transaction);
      if (!(await takeStep(transaction, clock, token, { purpose: 'second_factor', userId: row.id }))) throw overdue();
      await forgetCodes(transaction, row.id, address);
    };
    return await completeSignIn(context, row, { method: 'password', details: proof.details, use });
  } catch (error) {
    if (error instanceof ApiError && error.msg.code) await recordFailure(context, row.email, row, 'second factor');
    throw error;
  }
}

const NO_FACTOR = 'This user has neither a second factor nor a passkey.';

/**
 * Removes the second factor, recovery codes and passkeys of a user who has lost them, and ends all sessions, which the
 * finder of a lost device could use.
 * @throws ApiError not_found, invalid if there is nothing to reset, or forbidden with the reason
 */
export async function resetFactor(context: SignedInContext, id: number): Promise<void> {
  const user = context.user;
  refuseKeys(user);
  const row = await context.db.transaction().execute(async (db) => {
    const found = orNotFound(await lockUser(db, context.organizationId, id));
    if (found.id === user.userId)
      throw new ApiError('forbidden', "You can't reset your own second factor. Remove it in your account.");
    refuseAbove(user, found);
    const passkeys = await deletePasskeysOf(db, id);
    if (found.has_second_factor === 0 && passkeys === 0) throw new ApiError('invalid', NO_FACTOR);
    await deleteFactor(db, id);
    await endSessionsOf(db, id);
    await recordEvent(db, context, { event: 'second_factor_reset', subject: found.email, details: { passkeys } });
    return found;
  });
  context.later(() => sendNotice(context, row));
}

async function sendNotice({ db, mail, user, publicUrl }: SignedInContext, row: StoredUser): Promise<void> {
  const { name } = await findOrganization(db, row.organization_id);
  const { origin } = await siteOf({ db, publicUrl }, row.organization_id);
  await mail.send({
    to: row.email,
    subject: `Your second factor for ${oneLine(name)} has been reset`,
    text: [
      greeting(oneLine(row.name)),
      `${oneLine(user.name)} has removed your second factor, recovery codes and passkeys for ${oneLine(name)}, and signed you out everywhere.`,
      `Sign in with your password and set up a new second factor: ${origin}/admin/account`,
      "If you didn't request this, contact an administrator immediately and set a new password.",
    ].join('\n\n'),
  });
}
