import { z } from 'zod';
import { call } from '../call.ts';
import { recoveryCodes, secondFactorSchema, userSchema } from '../entities.ts';
import { idParams } from '../inputs.ts';

/** Proof that the user has just reauthenticated. */
export const confirmation = z
  .string()
  .min(1)
  .max(200)
  .describe('Token returned by `account.confirm` or `passkeys.confirm`, valid once, for five minutes.');

/** A code as typed, with any spaces. */
const typedCode = z.string().trim().min(1, 'Enter the code.').max(40);

/** The second factor: one-time codes from an authenticator app (TOTP), or recovery codes. */
export const secondFactor = {
  signIn: call({
    method: 'POST',
    path: '/backend/users/login/second-factor',
    summary:
      'Completes a sign-in that requires a second factor. Returns the session token like a sign-in with a password.',
    access: 'public',
    body: z.strictObject({
      token: z.string().min(1).max(200).describe('Token returned by the sign-in with the password.'),
      code: typedCode.describe('Code from the authenticator app, or a recovery code.'),
    }),
    output: userSchema,
    errors: ['too_many'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/users/active/second-factor',
    summary: "Returns the caller's second factor and the available ways to reauthenticate.",
    access: 'session',
    withoutFactor: true,
    output: secondFactorSchema,
    errors: ['forbidden'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/active/second-factor',
    summary: 'Generates a secret for an authenticator app. It takes effect after confirmation with a code.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ confirmation }),
    output: z.object({
      secret: z.string().describe('Secret in Base32.'),
      uri: z.string().describe('Secret as an otpauth: URI, for a QR code.'),
    }),
    errors: ['forbidden', 'in_use'],
  }),
  turnOn: call({
    method: 'POST',
    path: '/backend/users/active/second-factor/confirm',
    summary: 'Turns on the second factor with a code from the app. Returns the recovery codes once.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ code: typedCode.describe('Code from the app.') }),
    output: recoveryCodes,
    errors: ['forbidden', 'too_many'],
    done: 'The second factor has been turned on.',
  }),
  remove: call({
    method: 'POST',
    path: '/backend/users/active/second-factor/remove',
    summary: "Removes the caller's second factor and recovery codes.",
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'The second factor has been removed.',
  }),
  makeCodes: call({
    method: 'POST',
    path: '/backend/users/active/recovery-codes',
    summary: 'Generates new recovery codes and invalidates the old ones.',
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: recoveryCodes,
    errors: ['forbidden'],
    done: 'New recovery codes have been generated. The old codes no longer work.',
  }),
  reset: call({
    method: 'POST',
    path: '/backend/users/:id/second-factor/reset',
    summary: "Removes another user's second factor, recovery codes and passkeys, and ends the user's sessions.",
    access: 'settings.update',
    params: idParams,
    output: z.null(),
    errors: ['invalid'],
    done: 'The second factor has been reset. The user is notified by e-mail.',
  }),
};
