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
    summary: "Updates the caller's name.",
    access: 'session',
    body: z.strictObject({ name: userName }),
    output: userSchema,
    errors: ['forbidden'],
    done: 'Your name has been saved.',
  }),
  askEmail: call({
    method: 'POST',
    path: '/backend/users/active/email',
    summary: "Sends a confirmation link to a new e-mail address. Opening it changes the caller's address.",
    access: 'session',
    body: z.strictObject({
      email: email.describe('New e-mail address.'),
      confirmation: z.string().max(200).describe('Confirmation token.'),
    }),
    output: z.null(),
    errors: ['forbidden', 'too_many', 'quota'],
    done: 'A link has been sent to the new address. Open it within an hour.',
  }),
  changeEmail: call({
    method: 'POST',
    path: '/backend/users/active/email/confirm',
    summary:
      "Changes the caller's e-mail address with the token of a confirmation link, and notifies the previous address.",
    access: 'session',
    body: z.strictObject({
      email: email.describe('E-mail address that received the link.'),
      token: z.string().min(1).max(200).describe('Token in the link, valid once for the user who requested it.'),
    }),
    output: userSchema,
    errors: ['forbidden', 'too_many'],
    done: 'Your e-mail address has been changed.',
  }),
  changePassword: call({
    method: 'POST',
    path: '/backend/users/active/password',
    summary: "Changes the caller's password and ends the caller's other sessions.",
    access: 'session',
    body: z
      .strictObject({
        current_password: z
          .string()
          .min(1, 'Enter your current password.')
          .max(1024)
          .describe('Current password. Failed attempts count toward the sign-in limit.'),
        password: newPassword,
        password_confirmation: z.string().max(1024).describe('New password again.'),
        revoke_api_keys: revokeKeys,
      })
      .refine(({ password, password_confirmation }) => password === password_confirmation, {
        path: ['password_confirmation'],
        error: "The passwords don't match.",
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
    summary: 'Reauthenticates the caller before a sensitive change.',
    access: 'session',
    withoutFactor: true,
    body: z.strictObject({
      current_password: z
        .string()
        .max(1024)
        .default('')
        .describe('Current password. Omit it without a password, after a recent sign-in with the identity provider.'),
    }),
    output: confirmationSchema,
    errors: ['forbidden', 'too_many'],
  }),
  sessions: call({
    method: 'GET',
    path: '/backend/users/active/sessions',
    summary: "Lists the caller's sessions, most recently used first. Sessions expire 30 days after sign-in.",
    access: 'session',
    output: z.array(sessionSchema),
    errors: ['forbidden'],
  }),
  endSession: call({
    method: 'DELETE',
    path: '/backend/users/active/sessions/:id',
    summary: "Ends one of the caller's sessions.",
    access: 'session',
    params: z.object({ id: z.string().regex(/^[\w-]{1,200}$/) }),
    output: z.null(),
    errors: ['forbidden'],
    done: 'The session has been ended.',
  }),
  endOtherSessions: call({
    method: 'DELETE',
    path: '/backend/users/active/sessions',
    summary: 'Ends all sessions of the caller except the current one.',
    access: 'session',
    output: z.null(),
    errors: ['forbidden'],
    done: 'You are signed out everywhere else.',
  }),
};
