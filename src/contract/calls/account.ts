import { z } from 'zod';
import { call } from '../call.ts';
import { confirmationSchema, sessionSchema, userSchema } from '../entities.ts';
import { email, newPassword, revokeKeys, userName } from './users.ts';

/** The user's own name, password and sessions; needs no rights. */
export const account = {
  update: call({
    method: 'PUT',
    edits: { read: 'users.active' },
    path: '/backend/users/active',
    summary: 'Changes the own name.',
    access: 'session',
    body: z.strictObject({ name: userName }),
    output: userSchema,
    errors: ['forbidden'],
    done: 'Your name has been saved.',
  }),
  askEmail: call({
    method: 'POST',
    path: '/backend/users/active/email',
    summary: 'Sends a link to another e-mail address, with which the user signs in once they have opened it.',
    access: 'session',
    body: z.strictObject({
      email: email.describe('The new address.'),
      confirmation: z.string().max(200).describe('Shows that it is the user in person.'),
    }),
    output: z.null(),
    errors: ['forbidden', 'too_many', 'quota'],
    done: 'A link has been sent to the new address. Open it within an hour.',
  }),
  changeEmail: call({
    method: 'POST',
    path: '/backend/users/active/email/confirm',
    summary: 'Changes the own e-mail address with the token of a link; the old address is told.',
    access: 'session',
    body: z.strictObject({
      email: email.describe('The address that the link was sent to.'),
      token: z.string().min(1).max(200).describe('Token of the link; works once, for whoever asked for it.'),
    }),
    output: userSchema,
    errors: ['forbidden', 'too_many'],
    done: 'Your e-mail address has been changed.',
  }),
  changePassword: call({
    method: 'POST',
    path: '/backend/users/active/password',
    summary: 'Changes the own password; every other session of the user ends.',
    access: 'session',
    body: z
      .strictObject({
        current_password: z
          .string()
          .min(1, 'Enter your current password.')
          .max(1024)
          .describe('The password so far; tries count with those to sign in.'),
        password: newPassword,
        password_confirmation: z.string().max(1024).describe('The same password again.'),
        revoke_api_keys: revokeKeys,
      })
      .refine(({ password, password_confirmation }) => password === password_confirmation, {
        path: ['password_confirmation'],
        error: 'The passwords are not the same.',
      })
      .refine(({ current_password, password }) => current_password !== password, {
        path: ['password'],
        error: 'This is your current password. Use another one.',
      }),
    output: z.null(),
    errors: ['forbidden', 'too_many'],
    done: 'Your password has been changed. You are signed out everywhere else.',
  }),
  confirm: call({
    method: 'POST',
    path: '/backend/users/active/confirm',
    summary: 'Shows once more who one is, for what a session alone must not change.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({
      current_password: z
        .string()
        .max(1024)
        .default('')
        .describe('The password; left out by whoever has none and has just signed in elsewhere.'),
    }),
    output: confirmationSchema,
    errors: ['forbidden', 'too_many'],
  }),
  sessions: call({
    method: 'GET',
    path: '/backend/users/active/sessions',
    summary: 'Where the user is signed in, what was used last first; a session ends 30 days after its sign-in.',
    access: 'session',
    output: z.array(sessionSchema),
    errors: ['forbidden'],
  }),
  endSession: call({
    method: 'DELETE',
    path: '/backend/users/active/sessions/:id',
    summary: 'Ends one of the own sessions.',
    access: 'session',
    params: z.object({ id: z.string().regex(/^[\w-]{1,200}$/) }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'You are signed out there.',
  }),
  endOtherSessions: call({
    method: 'DELETE',
    path: '/backend/users/active/sessions',
    summary: 'Ends every session of the user but the one that asks.',
    access: 'session',
    output: z.null(),
    errors: ['forbidden'],
    done: 'You are signed out everywhere else.',
  }),
};
