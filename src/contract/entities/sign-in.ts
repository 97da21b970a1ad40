import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';
import { stamp } from './stamp.ts';

/** Sign-in methods for an e-mail address. */
export const signInOptionsSchema = z.object({
  has_password: z.boolean().describe('Whether sign-in with a password is enabled.'),
  provider: z.string().nullable().describe('Button text of the identity provider sign-in; null for none.'),
});
export type SignInOptions = z.output<typeof signInOptionsSchema>;

/** An e-mail domain. */
const mailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.[a-z]{2,63}$/, 'Enter a domain such as example.com.');

/** An organization's identity provider (OpenID Connect). */
export const identityProviderSchema = z.strictObject({
  issuer: z
    .url({ protocol: /^https?$/, error: 'Enter a URL such as https://login.example.com.' })
    .max(500)
    .describe('Issuer URL of the provider.'),
  client_id: line(500).min(1, 'Enter the client ID.').describe('Client ID assigned by the provider.'),
  domains: z
    .array(mailDomain)
    .max(50, 'Use at most 50 domains.')
    .describe('E-mail domains allowed to sign in; empty for all.'),
  button_text: line(60).min(1, 'Enter the text of the button.').describe('Text of the sign-in button.'),
  creates_users: z.boolean().describe('Whether the first sign-in creates a user.'),
  policies: policiesSchema.describe('Rights of users created at sign-in, limited to those of the caller.'),
});

/** Sign-in settings of an organization. */
export const signInSettingsSchema = z.object({
  id: id.describe('Organization ID.'),
  requires_second_factor: z.boolean().describe('Whether users need a second factor.'),
  has_password_sign_in: z.boolean().describe('Whether users may sign in with a password.'),
  provider: identityProviderSchema.nullable().describe('The identity provider; null without one.'),
  redirect_uri: z.string().describe('Redirect URI to register with the provider.'),
  updated_at: stamp,
});
export type SignInSettings = z.output<typeof signInSettingsSchema>;
