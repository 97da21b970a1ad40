import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';

/** WebAuthn options or responses in JSON form; the library validates them. */
export const webAuthnJson = z.record(z.string(), z.unknown());

/** A registered passkey: a device or a keychain. */
export const passkeySchema = z.object({
  id: id.describe('Id of the passkey.'),
  name: line(120).min(1, 'Give the passkey a name.').describe('Name that its user gave it.'),
  created_at: z.string().describe('When it was added, UTC.'),
  last_used_at: z.string().nullable().describe('When it was last used to sign in, UTC.'),
});
export type Passkey = z.output<typeof passkeySchema>;

/** Options for the browser's WebAuthn call. */
export const passkeyOptions = z.object({
  options: webAuthnJson.describe('Options for the browser, in the JSON form of WebAuthn.'),
});
