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
    summary: 'Returns the sign-in methods of this host.',
    access: 'public',
    output: signInOptionsSchema,
    errors: ['not_found'],
  }),
  begin: call({
    method: 'POST',
    path: '/backend/users/login/provider/begin',
    summary: 'Returns the sign-in URL of the identity provider. A cookie binds its response to this browser.',
    access: 'public',
    output: z.object({ url: z.string().describe('URL to redirect the browser to.') }),
    errors: ['not_set_up', 'provider_failed', 'too_many'],
  }),
  complete: call({
    method: 'POST',
    path: '/backend/users/login/provider',
    summary:
      'Signs in with the response of the identity provider. Returns the session token like a sign-in with a password.',
    access: 'public',
    body: z.strictObject({
      state: returned.describe('The `state` parameter of the response.'),
      code: returned.optional().describe('The `code` parameter of the response.'),
      iss: returned.optional().describe('The `iss` parameter of the response.'),
      error: returned.optional().describe('The `error` parameter of the response.'),
    }),
    output: userSchema,
    errors: ['forbidden', 'not_set_up', 'provider_failed', 'quota', 'too_many', 'wrong_login'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/sign-in',
    summary: 'Returns the sign-in settings of the organization.',
    access: 'settings.view_any',
    output: signInSettingsSchema,
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'signIn.read' },
    path: '/backend/sign-in',
    summary:
      "Updates the sign-in settings. The provider is replaced as a whole, or removed if null. If omitted, its secret doesn't change.",
    access: 'settings.update',
    body: z.strictObject({
      requires_second_factor: z.boolean().optional().describe('Whether users need a second factor.'),
      has_password_sign_in: z.boolean().optional().describe('Whether users may sign in with a password.'),
      provider: identityProviderSchema
        .extend({
          client_secret: z
            .string()
            .max(1000)
            .optional()
            .describe('Client secret assigned by the provider. Never returned.'),
        })
        .nullable()
        .optional()
        .describe('Identity provider; null to remove it.'),
      updated_at: stamp.optional(),
    }),
    output: signInSettingsSchema,
    errors: ['provider_failed'],
    done: 'The settings have been saved.',
  }),
};
