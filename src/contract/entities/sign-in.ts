import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';
import { stamp } from './stamp.ts';

/** Sign-in methods for an e-mail address. */
export const signInOptionsSchema = z.object({
  has_password: z.boolean().describe('Whether a password is taken.'),
  provider: z.string().nullable().describe("Text of the button for the organization's own sign-in; null without one."),
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
    .url({ protocol: /^https?$/, error: 'Enter an address such as https://login.example.com.' })
    .max(500)
    .describe('Address of the provider, as it names itself.'),
  client_id: line(500).min(1, 'Enter the client id.').describe('Id that the provider has given.'),
  domains: z
    .array(mailDomain)
    .max(50, 'Use at most 50 domains.')
    .describe('Domains of the e-mail addresses that may sign in; any where there is none.'),
  button_text: line(60).min(1, 'Enter the text of the button.').describe('Text of the button at the sign-in.'),
  creates_users: z.boolean().describe('Whether whoever signs in first becomes a user.'),
  policies: policiesSchema.describe('Rights of users who are created so; none that the caller lacks.'),
});

/** Sign-in settings of an organization. */
export const signInSettingsSchema = z.object({
  id: id.describe('Id of the organization.'),
  requires_second_factor: z.boolean().describe('Whether users must have a second factor.'),
  has_password_sign_in: z.boolean().describe('Whether users may sign in with a password.'),
  provider: identityProviderSchema.nullable().describe('The identity provider; null without one.'),
  redirect_uri: z.string().describe('Address that the provider has to send people back to.'),
  updated_at: stamp,
});
export type SignInSettings = z.output<typeof signInSettingsSchema>;
