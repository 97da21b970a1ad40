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
  password_link_sent: 'Requested a password link',
  password_set: 'Set a password with a link',
  second_factor_added: 'Added a second factor',
  second_factor_removed: 'Removed a second factor',
  second_factor_reset: 'Reset the second factor of a user',
  recovery_codes_made: 'Generated recovery codes',
  recovery_code_used: 'Used a recovery code',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  identity_linked: 'Linked an identity provider account',
  user_invited: 'Invited a user',
  user_changed: "Changed a user's rights",
  user_removed: 'Removed a user',
  key_created: 'Created an API key',
  key_revoked: 'Revoked an API key',
  check_in_link_created: 'Created a check-in link',
  check_in_link_revoked: 'Revoked a check-in link',
  exported: 'Exported',
  mailing_sent: 'Sent e-mails',
  emptied: 'Emptied the bin',
  settings_changed: 'Changed security settings',
  person_erased: "Erased a person's data",
  organization_created: 'Organization created',
  organization_renamed: 'Organization renamed',
  organization_suspended: 'Organization suspended',
  organization_resumed: 'Organization resumed',
  organization_deleted: 'Deletion of the organization scheduled',
  organization_restored: 'Deletion of the organization canceled',
  host_added: 'Host name added',
  host_removed: 'Host name removed',
  host_made_primary: 'Primary host name changed',
} as const;
export type AuditEventName = keyof typeof AUDIT_EVENTS;
export const AUDIT_EVENT_NAMES = Object.keys(AUDIT_EVENTS) as [AuditEventName, ...AuditEventName[]];

export const auditEventSchema = z.object({
  id: id.describe('Entry ID.'),
  at: z.string().describe('Time of the event in UTC.'),
  event: z.enum(AUDIT_EVENT_NAMES).describe('Type of the event.'),
  user: authorSchema.nullable().describe('Acting user; null if nobody was signed in.'),
  api_key: z.string().describe('Name of the API key used; empty if none.'),
  address: z.string().describe('IP address of the request; empty if unknown.'),
  device: z.string().describe('Browser and operating system, such as "Firefox on Windows"; empty if unknown.'),
  subject: z.string().describe('Subject of the event, such as an e-mail address, a user or the name of a key.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('Additional details, such as the number of entries. Contains no secrets.'),
});
export type AuditEvent = z.output<typeof auditEventSchema>;
