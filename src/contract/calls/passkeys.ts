import { z } from 'zod';
import { call } from '../call.ts';
import { confirmationSchema, passkeyOptions, passkeySchema, userSchema, webAuthnJson } from '../entities.ts';
import { idParams } from '../inputs.ts';
import { confirmation } from './second-factor.ts';

const answer = webAuthnJson.describe('What the browser answered, in the JSON form of WebAuthn.');
const { name } = passkeySchema.shape;

/** Passkeys (WebAuthn). Each counts as both factors, because the device verifies the user by biometrics or a PIN. */
export const passkeys = {
  beginSignIn: call({
    method: 'POST',
    path: '/backend/users/login/passkey/begin',
    summary: 'Options with which a browser asks for a passkey; they work once, for five minutes.',
    access: 'public',
    output: passkeyOptions,
    errors: ['too_many'],
  }),
  signIn: call({
    method: 'POST',
    path: '/backend/users/login/passkey',
    summary: 'Signs in with a passkey; the session token comes as with a password.',
    access: 'public',
    body: z.strictObject({ answer }),
    output: userSchema,
    errors: ['too_many', 'wrong_login'],
  }),
  beginConfirm: call({
    method: 'POST',
    path: '/backend/users/active/confirm/passkey/begin',
    summary: 'Options with which a browser asks for one of the own passkeys.',
    access: 'session',
    withoutFactor: true,
    output: passkeyOptions,
    errors: ['forbidden'],
  }),
  confirm: call({
    method: 'POST',
    path: '/backend/users/active/confirm/passkey',
    summary: 'Shows once more who one is, with a passkey in place of the password.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({ answer }),
    output: confirmationSchema,
    errors: ['forbidden', 'too_many'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/users/active/passkeys',
    summary: 'The own passkeys, newest first.',
    access: 'session',
    output: z.array(passkeySchema),
    errors: ['forbidden'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/active/passkeys/begin',
    summary: 'Options with which a browser makes a passkey.',
    access: 'session',
    body: z.strictObject({ confirmation }),
    output: passkeyOptions,
    errors: ['forbidden'],
  }),
  add: call({
    method: 'POST',
    path: '/backend/users/active/passkeys',
    summary: 'Adds the passkey that the browser has made; only its public key is kept.',
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
    summary: 'Gives an own passkey another name.',
    access: 'session',
    params: idParams,
    body: z.strictObject({ name }),
    output: passkeySchema,
    errors: ['forbidden'],
  }),
  remove: call({
    method: 'POST',
    path: '/backend/users/active/passkeys/:id/remove',
    summary: 'Removes an own passkey.',
    access: 'session',
    params: idParams,
    body: z.strictObject({ confirmation }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'The passkey has been removed.',
  }),
};
