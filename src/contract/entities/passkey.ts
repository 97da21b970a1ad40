import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';

/** What a browser needs for a passkey, or answers, in the JSON form of WebAuthn; the library checks it. */
export const webAuthnJson = z.record(z.string(), z.unknown());

/** A device, or a keychain, with which one signs in. */
export const passkeySchema = z.object({
  id: id.describe('Id of the passkey.'),
  name: line(120).min(1, 'Give the passkey a name.').describe('Name that its user gave it.'),
  created_at: z.string().describe('When it was added, UTC.'),
  last_used_at: z.string().nullable().describe('When it was last used to sign in, UTC.'),
});
export type Passkey = z.output<typeof passkeySchema>;

/** What a browser is asked with. */
export const passkeyOptions = z.object({
  options: webAuthnJson.describe('Options for the browser, in the JSON form of WebAuthn.'),
});
