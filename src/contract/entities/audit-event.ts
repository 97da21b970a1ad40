import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';

/** Event types of the audit log, with their labels. */
export const AUDIT_EVENTS = {
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_locked: 'Too many sign-ins',
  sign_out: 'Signed out',
  session_ended: 'Ended a session',
  email_changed: 'Changed the e-mail address',
  password_changed: 'Changed the password',
  password_link_sent: 'Asked for a link to set a password',
  password_set: 'Set a password by a link',
  second_factor_added: 'Added a second factor',
  second_factor_removed: 'Removed a second factor',
  second_factor_reset: 'Reset the second factor of a user',
  recovery_codes_made: 'Made recovery codes',
  recovery_code_used: 'Used a recovery code',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  identity_linked: 'Linked an account of the identity provider',
  user_invited: 'Invited a user',
  user_changed: "Changed a user's rights",
  user_removed: 'Removed a user',
  key_created: 'Created an API key',
  key_revoked: 'Revoked an API key',
  exported: 'Exported',
  emptied: 'Emptied the bin',
  settings_changed: 'Changed settings of safety',
  person_erased: 'Erased a person',
} as const;
export type AuditEventName = keyof typeof AUDIT_EVENTS;
export const AUDIT_EVENT_NAMES = Object.keys(AUDIT_EVENTS) as [AuditEventName, ...AuditEventName[]];

export const auditEventSchema = z.object({
  id: id.describe('Id of the entry.'),
  at: z.string().describe('When it happened, UTC.'),
  event: z.enum(AUDIT_EVENT_NAMES).describe('What happened.'),
  user: authorSchema.nullable().describe('Who did it; null where nobody was signed in.'),
  api_key: z.string().describe('Name of the API key that asked in the name of that user; empty where none did.'),
  address: z.string().describe('Address that the request came from; empty where it is not known.'),
  device: z.string().describe('Browser and system, such as "Firefox on Windows"; empty where nothing is known.'),
  subject: z.string().describe('What it was about, such as an e-mail address, a user or the name of a key.'),
  details: z.record(z.string(), z.unknown()).describe('What else is to be said, such as how many entries; no secrets.'),
});
export type AuditEvent = z.output<typeof auditEventSchema>;
