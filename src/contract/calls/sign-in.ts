import { z } from 'zod';
import { call } from '../call.ts';
import { identityProviderSchema, signInOptionsSchema, signInSettingsSchema, stamp, userSchema } from '../entities.ts';

/** A query parameter that the identity provider adds to the redirect URL. */
const returned = z.string().min(1).max(4096);

/** Sign-in settings of an organization, and its identity provider (OpenID Connect). */
export const signIn = {
  options: call({
    method: 'GET',
    path: '/backend/users/login/options',
    summary: 'How one can sign in at this address.',
    access: 'public',
    output: signInOptionsSchema,
    errors: ['not_found'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/login/provider/begin',
    summary: 'Address of the identity provider to go to; a cookie binds what comes back to this browser.',
    access: 'public',
    output: z.object({ url: z.string().describe('Where the browser has to go.') }),
    errors: ['not_set_up', 'provider_failed', 'too_many'],
  }),
  complete: call({
    method: 'POST',
    path: '/backend/users/login/provider',
    summary: 'Signs in with what the identity provider sent back; the session token comes as with a password.',
    access: 'public',
    body: z.strictObject({
      state: returned.describe('The `state` that came back.'),
      code: returned.optional().describe('The `code` that came back.'),
      iss: returned.optional().describe('The `iss` that came back.'),
      error: returned.optional().describe('The `error` that came back in place of a code.'),
    }),
    output: userSchema,
    errors: ['forbidden', 'not_set_up', 'provider_failed', 'quota', 'too_many', 'wrong_login'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/sign-in',
    summary: 'How the users of the organization sign in.',
    access: 'settings.view_any',
    output: signInSettingsSchema,
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'signIn.read' },
    path: '/backend/sign-in',
    summary:
      'Changes how users sign in. The provider is replaced as a whole, or removed with null; its secret stays where none is sent.',
    access: 'settings.update',
    body: z.strictObject({
      requires_second_factor: z.boolean().optional().describe('Whether users must have a second factor.'),
      has_password_sign_in: z.boolean().optional().describe('Whether users may sign in with a password.'),
      provider: identityProviderSchema
        .extend({
          client_secret: z
            .string()
            .max(1000)
            .optional()
            .describe('Secret that the provider has given; it is never answered.'),
        })
        .nullable()
        .optional()
        .describe('The identity provider; null removes it.'),
      updated_at: stamp.optional(),
    }),
    output: signInSettingsSchema,
    errors: ['provider_failed'],
    done: 'The settings have been saved.',
  }),
};
