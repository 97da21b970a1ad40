import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';

/** WebAuthn options or responses in JSON form; the library validates them. */
export const webAuthnJson = z.record(z.string(), z.unknown());

/** A registered passkey: a device or a keychain. */
export const passkeySchema = z.object({
  id: id.describe('Passkey ID.'),
  name: line(120).min(1, 'Give the passkey a name.').describe('Name given by the user.'),
  created_at: z.string().describe('Creation time in UTC.'),
  last_used_at: z.string().nullable().describe('Time of the last sign-in with it, in UTC; null if unused.'),
});
export type Passkey = z.output<typeof passkeySchema>;

/** Options for the browser's WebAuthn call. */
export const passkeyOptions = z.object({
  options: webAuthnJson.describe('WebAuthn options as JSON, for the browser.'),
});
