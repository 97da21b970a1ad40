import { z } from 'zod';
import { call } from '../call.ts';
import { recoveryCodes, secondFactorSchema, userSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';

/** Proof that the user has just reauthenticated. */
export const confirmation = z
  .string()
  .min(1)
  .max(200)
  .describe('What `account.confirm` or `passkeys.confirm` answered; works once, for five minutes.');

/** A code as typed, with any spaces. */
const typedCode = z.string().trim().min(1, 'Enter the code.').max(40);

/** The second factor: one-time codes from an authenticator app (TOTP), or recovery codes. */
export const secondFactor = {
  signIn: call({
    method: 'POST',
    path: '/backend/users/login/second-factor',
    summary: 'Ends a sign-in that asks for a second factor; the session token comes as with the password alone.',
    access: 'public',
    body: z.strictObject({
      token: z.string().min(1).max(200).describe('What the sign-in with the password answered.'),
      code: typedCode.describe('Code of the authenticator app, or a recovery code.'),
    }),
    output: userSchema,
    errors: ['too_many'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/users/active/second-factor',
    summary: 'Whether the own second factor is on, and how one shows who one is.',
    access: 'session',
    withoutFactor: true,
    output: secondFactorSchema,
    errors: ['forbidden'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/active/second-factor',
    summary: 'Makes a secret for an authenticator app; it counts once a code of it has been sent.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ confirmation }),
    output: z.object({
      secret: z.string().describe('The secret as text, base32.'),
      uri: z.string().describe('The secret as an address that apps read from a QR code (otpauth:).'),
    }),
    errors: ['forbidden', 'in_use'],
  }),
  turnOn: call({
    method: 'POST',
    path: '/backend/users/active/second-factor/confirm',
    summary: 'Turns the second factor on with a code of the app; answers the recovery codes, this once.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ code: typedCode.describe('Code that the app shows.') }),
    output: recoveryCodes,
    errors: ['forbidden', 'too_many'],
    done: 'The second factor is on.',
  }),
  remove: call({
    method: 'POST',
    path: '/backend/users/active/second-factor/remove',
    summary: 'Removes the own second factor and its recovery codes.',
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'The second factor has been removed.',
  }),
  makeCodes: call({
    method: 'POST',
    path: '/backend/users/active/recovery-codes',
    summary: 'Makes recovery codes anew; those so far open nothing any more.',
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: recoveryCodes,
    errors: ['forbidden'],
    done: 'There are new recovery codes. Those so far no longer work.',
  }),
  reset: call({
    method: 'POST',
    path: '/backend/users/:id/second-factor/reset',
    summary: "Removes another user's second factor, recovery codes and passkeys, and ends their sessions.",
    access: 'settings.update',
    params: idParams,
    output: z.null(),
    errors: ['invalid'],
    done: 'The second factor has been reset. The user gets a message.',
  }),
};
