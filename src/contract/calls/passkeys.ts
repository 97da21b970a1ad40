import { z } from 'zod';
import { call } from '../call.ts';
import { confirmationSchema, passkeyOptions, passkeySchema, userSchema, webAuthnJson } from '../entities.ts';
import { idParams } from '../inputs.ts';
import { confirmation } from './second-factor.ts';

const answer = webAuthnJson.describe('WebAuthn response of the browser, as JSON.');
const { name } = passkeySchema.shape;

/** Passkeys (WebAuthn). Each counts as both factors, because the device verifies the user by biometrics or a PIN. */
export const passkeys = {
  beginSignIn: call({
    method: 'POST',
    path: '/backend/users/login/passkey/begin',
    summary: 'Returns WebAuthn options for signing in, valid once, for five minutes.',
    access: 'public',
    output: passkeyOptions,
    errors: ['too_many'],
  }),
  signIn: call({
    method: 'POST',
    path: '/backend/users/login/passkey',
    summary: 'Signs in with a passkey. Returns the session token like a sign-in with a password.',
    access: 'public',
    body: z.strictObject({ answer }),
    output: userSchema,
    errors: ['too_many', 'wrong_login'],
  }),
  beginConfirm: call({
    method: 'POST',
    path: '/backend/users/active/confirm/passkey/begin',
    summary: "Returns WebAuthn options for one of the caller's passkeys.",
    access: 'session',
    withoutFactor: true,
    output: passkeyOptions,
    errors: ['forbidden'],
  }),
  confirm: call({
    method: 'POST',
    path: '/backend/users/active/confirm/passkey',
    summary: 'Reauthenticates the caller with a passkey instead of a password.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ answer }),
    output: confirmationSchema,
    errors: ['forbidden', 'too_many'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/users/active/passkeys',
    summary: "Lists the caller's passkeys, newest first.",
    access: 'session',
    output: z.array(passkeySchema),
    errors: ['forbidden'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/active/passkeys/begin',
    summary: 'Returns WebAuthn options for creating a passkey.',
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: passkeyOptions,
    errors: ['forbidden'],
  }),
  add: call({
    method: 'POST',
    path: '/backend/users/active/passkeys',
    summary: 'Registers a passkey created by the browser. Only its public key is stored.',
    access: 'session',
    body: z.strictObject({ name, answer }),
    output: passkeySchema,
    errors: ['forbidden'],
    status: 201,
    done: 'The passkey has been added.',
  }),
  rename: call({
    method: 'PUT',
    edits: { read: 'passkeys.list', moving: ['last_used_at'] },
    path: '/backend/users/active/passkeys/:id',
    summary: "Renames one of the caller's passkeys.",
    access: 'session',
    params: idParams,
    body: z.strictObject({ name }),
    output: passkeySchema,
    errors: ['forbidden'],
  }),
  remove: call({
    method: 'POST',
    path: '/backend/users/active/passkeys/:id/remove',
    summary: "Removes one of the caller's passkeys.",
    access: 'session',
    params: idParams,
    body: z.strictObject({ confirmation }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'The passkey has been removed.',
  }),
};
