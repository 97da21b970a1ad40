import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { memberSchema, policiesSchema, secondStepSchema, stamp, userSchema } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

/** A normalized e-mail address: trimmed, in lower case. */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Enter an e-mail address.'));
export const userName = line(120).min(1, 'Enter a name.').describe('Name shown in the menu.');
const policies = policiesSchema.describe('Rights by area; none that the caller lacks.');
export const newPassword = z
  .string()
  .min(10, 'Use at least 10 characters.')
  .max(1024, 'Use at most 1024 characters.')
  .describe('The new password.');

/** Whether to revoke the API keys along with the password. */
export const revokeKeys = z
  .boolean()
  .default(false)
  .describe('Whether the API keys of the user are removed too, as after a theft.');

const password_link = z
  .url()
  .nullable()
  .describe(
    'Where no mail server is set up, the link that the user sets their password with; null where it was emailed.',
  );

/** Sort orders of users; `seen` sorts by last activity. */
export const USER_ORDERS = ['name', '-name', 'email', '-email', 'seen', '-seen'] as const;

/** Sign-in, sign-out and user management. */
export const users = {
  login: call({
    method: 'POST',
    path: '/backend/users/login',
    summary:
      'Signs a user in; the session token is in `token` and in the Authorization header. Who has a second factor gets a token for the next step instead.',
    access: 'public',
    body: z.strictObject({ email, password: z.string().min(1, 'Enter your password.').max(1024) }),
    output: z.union([userSchema, secondStepSchema]),
    errors: ['wrong_login', 'forbidden', 'too_many'],
  }),
  forgot: call({
    method: 'POST',
    path: '/backend/users/forgot',
    summary: 'Sends a link to set a new password, if the address is known; the answer is the same if not.',
    access: 'public',
    body: z.strictObject({ email }),
    output: z.null(),
    errors: ['too_many'],
    done: 'If the address is known, a message with a link is on its way.',
  }),
  reset: call({
    method: 'POST',
    path: '/backend/users/reset',
    summary: 'Sets a new password with the token of a link; every session of the user ends. It cannot be the old one.',
    access: 'public',
    body: z
      .strictObject({
        token: z.string().min(1).max(200).describe('Token of the link; works once.'),
        email,
        password: newPassword,
        password_confirmation: z.string().max(1024).describe('The same password again.'),
        revoke_api_keys: revokeKeys,
      })
      .refine(({ password, password_confirmation }) => password === password_confirmation, {
        path: ['password_confirmation'],
        error: 'The passwords are not the same.',
      }),
    output: z.null(),
    errors: ['too_many'],
    done: 'Your password has been set. You can sign in with it.',
  }),
  logout: call({
    method: 'POST',
    path: '/backend/users/logout',
    summary: 'Ends the session.',
    access: 'session',
    withoutFactor: true,
    output: z.null(),
  }),
  active: call({
    method: 'GET',
    path: '/backend/users/active',
    summary: 'The signed-in user with their rights.',
    access: 'session',
    withoutFactor: true,
    output: userSchema,
  }),
  list: call({
    method: 'GET',
    path: '/backend/users',
    summary: 'Users of the organization, by name unless another order is asked for.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(USER_ORDERS).default('name').describe('Order.') }),
    output: z.array(memberSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/users/:id',
    summary: 'One user.',
    access: 'settings.view_any',
    params: idParams,
    output: memberSchema,
  }),
  invite: call({
    method: 'POST',
    path: '/backend/users',
    summary:
      'Adds a user and emails them a link to set their password; without a mail server, the answer holds the link.',
    access: 'settings.create',
    body: z
      .strictObject({ email, name: userName, policies })
      .refine(({ email: own, name }) => !z.email().safeParse(name).success || name.toLowerCase() === own, {
        path: ['name'],
        error: "This is somebody else's e-mail address. Enter the person's name.",
      }),
    output: memberSchema.extend({ password_link }),
    errors: ['too_many', 'quota'],
    status: 201,
  }),
  inviteAgain: call({
    method: 'POST',
    path: '/backend/users/:id/invite',
    summary: 'Emails a user without a password a new link; without a mail server, the answer holds the link.',
    access: 'settings.create',
    params: idParams,
    output: z.object({ password_link }),
    errors: ['invalid', 'too_many', 'quota'],
  }),
  sendResetLink: call({
    method: 'POST',
    path: '/backend/users/:id/password-link',
    summary:
      'Emails another user a link to set a new password; without a mail server, the answer holds the link. It works once, within an hour.',
    access: 'settings.update',
    params: idParams,
    output: z.object({ password_link }),
    errors: ['invalid', 'too_many', 'quota'],
  }),
  update: call({
    method: 'PUT',
    path: '/backend/users/:id',
    summary: 'Changes name, rights, or whether they may sign in; whoever may not is signed out at once.',
    edits: { read: 'users.read', moving: ['last_seen_at'] },
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({
      name: userName.optional(),
      policies: policies.optional(),
      is_active: z.boolean().optional().describe('Whether they may sign in.'),
      updated_at: stamp.optional(),
    }),
    output: memberSchema,
    done: 'The user has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/users/:id',
    summary: 'Removes a user: their sessions and API keys end at once; what they did stays in the history.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The user has been removed.',
  }),
};
