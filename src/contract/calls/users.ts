import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { memberLimitsSchema, memberSchema, policiesSchema, secondStepSchema, stamp, userSchema } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

/** A normalized e-mail address: trimmed, in lower case. */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Enter an e-mail address.'));
export const userName = line(120).min(1, 'Enter a name.').describe('Display name.');
const policies = policiesSchema.describe('Rights by area, limited to those of the caller.');
export const newPassword = z
  .string()
  .min(10, 'Use at least 10 characters.')
  .max(1024, 'Use at most 1024 characters.')
  .describe('New password.');

/** Whether to revoke the API keys along with the password. */
export const revokeKeys = z
  .boolean()
  .default(false)
  .describe("Whether to revoke the user's API keys too, for example after a theft.");

const password_link = z
  .url()
  .nullable()
  .describe('Password link if no mail server is configured; null if it was sent by e-mail.');

/** Sort orders of users; `seen` sorts by last activity. */
export const USER_ORDERS = ['name', '-name', 'email', '-email', 'seen', '-seen'] as const;

/** Sign-in, sign-out and user management. */
export const users = {
  login: call({
    method: 'POST',
    path: '/backend/users/login',
    summary:
      'Signs in. Returns the session token in `token` and in the Authorization header, or a token for the next step if the user has a second factor.',
    access: 'public',
    body: z.strictObject({ email, password: z.string().min(1, 'Enter your password.').max(1024) }),
    output: z.union([userSchema, secondStepSchema]),
    errors: ['wrong_login', 'forbidden', 'too_many'],
  }),
  forgot: call({
    method: 'POST',
    path: '/backend/users/forgot',
    summary:
      'Sends a link to set a new password, if the e-mail address is known. The response is the same for unknown addresses.',
    access: 'public',
    body: z.strictObject({ email }),
    output: z.null(),
    errors: ['too_many'],
    done: 'If the e-mail address is known, a link has been sent.',
  }),
  reset: call({
    method: 'POST',
    path: '/backend/users/reset',
    summary: "Sets a new password with the token of a link and ends the user's sessions. The old password is rejected.",
    access: 'public',
    body: z
      .strictObject({
        token: z.string().min(1).max(200).describe('Token in the link, valid once.'),
        email,
        password: newPassword,
        password_confirmation: z.string().max(1024).describe('New password again.'),
        revoke_api_keys: revokeKeys,
      })
      .refine(({ password, password_confirmation }) => password === password_confirmation, {
        path: ['password_confirmation'],
        error: "The passwords don't match.",
      }),
    output: z.null(),
    errors: ['too_many'],
    done: 'Your password has been set. You can now sign in.',
  }),
  logout: call({
    method: 'POST',
    path: '/backend/users/logout',
    summary: 'Ends the current session.',
    access: 'session',
    withoutFactor: true,
    output: z.null(),
  }),
  active: call({
    method: 'GET',
    path: '/backend/users/active',
    summary: 'Returns the authenticated user and their rights.',
    access: 'session',
    withoutFactor: true,
    output: userSchema,
  }),
  list: call({
    method: 'GET',
    path: '/backend/users',
    summary: 'Lists users, by name by default.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(USER_ORDERS).default('name').describe('Sort order.') }),
    output: z.array(memberSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/users/:id',
    summary: 'Returns a user.',
    access: 'settings.view_any',
    params: idParams,
    output: memberSchema,
  }),
  invite: call({
    method: 'POST',
    path: '/backend/users',
    summary:
      'Creates a user and sends them a link to set their password. Without a mail server, the response contains the link.',
    access: 'settings.create',
    body: z
      .strictObject({ email, name: userName, policies, limits: memberLimitsSchema.default(null) })
      .refine(({ email: own, name }) => !z.email().safeParse(name).success || name.toLowerCase() === own, {
        path: ['name'],
        error: "This e-mail address belongs to somebody else. Enter the person's name.",
      }),
    output: memberSchema.extend({ password_link }),
    errors: ['too_many', 'quota'],
    status: 201,
  }),
  inviteAgain: call({
    method: 'POST',
    path: '/backend/users/:id/invite',
    summary: 'Sends a new link to a user without a password. Without a mail server, the response contains the link.',
    access: 'settings.create',
    params: idParams,
    output: z.object({ password_link }),
    errors: ['invalid', 'too_many', 'quota'],
  }),
  sendResetLink: call({
    method: 'POST',
    path: '/backend/users/:id/password-link',
    summary:
      'Sends another user a link to set a new password, valid once, for an hour. Without a mail server, the response contains the link.',
    access: 'settings.update',
    params: idParams,
    output: z.object({ password_link }),
    errors: ['invalid', 'too_many', 'quota'],
  }),
  update: call({
    method: 'PUT',
    path: '/backend/users/:id',
    summary: "Updates a user's name, rights or active state. Deactivated users are signed out immediately.",
    edits: { read: 'users.read', moving: ['last_seen_at'] },
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({
      name: userName.optional(),
      policies: policies.optional(),
      limits: memberLimitsSchema.optional(),
      is_active: z.boolean().optional().describe('Whether the user may sign in.'),
      updated_at: stamp.optional(),
    }),
    output: memberSchema,
    done: 'The user has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/users/:id',
    summary: 'Deletes a user with their sessions and API keys. The history keeps their changes.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The user has been removed.',
  }),
};
