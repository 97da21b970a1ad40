import { z } from 'zod';
import { id, line, text as multiline } from '../../../engine/document/fields.ts';
import { PLACEHOLDERS, unknownPlaceholders } from '../mailing-text.ts';
import { LANGUAGES } from '../viewer-texts/limits.ts';
import { tokenFilters } from './access-token.ts';
import { stamp } from './stamp.ts';

/** States of a mailing. */
export const MAILING_STATES = ['draft', 'sending', 'paused', 'done'] as const;
export type MailingState = (typeof MAILING_STATES)[number];

/** States of an e-mail of a mailing. */
export const EMAIL_STATES = ['waiting', 'sending', 'sent', 'returned', 'rejected', 'uncertain'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** Recipients of a mailing. */
export const MAX_RECIPIENTS = 10_000;

/** Rejects placeholders that don't exist, by name. */
const withKnownPlaceholders = <S extends z.ZodType<string>>(schema: S) =>
  schema.superRefine((value, { addIssue }) => {
    const unknown = unknownPlaceholders(value).map((word) => `{${word}}`);
    if (unknown.length === 0) return;
    const known = PLACEHOLDERS.map((word) => `{${word}}`).join(', ');
    addIssue({ code: 'custom', message: `Unknown placeholders: ${unknown.join(', ')}. Use ${known}.` });
  });

/** Filter of access tokens, as in their list. */
export const mailingFilter = z.strictObject(tokenFilters).describe('Filter of access tokens, as in their list.');

/** Access tokens of the mailing's structure: the given ones, those that match a filter, or all. */
export const mailingSelection = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(MAX_RECIPIENTS)
    .optional()
    .describe('Access token IDs; all that match the filter if omitted.'),
  filter: mailingFilter.optional(),
});
export type MailingSelection = z.output<typeof mailingSelection>;

/** The number of e-mails in each state. */
const countsSchema = z.object(
  Object.fromEntries(EMAIL_STATES.map((state) => [state, z.int()])) as Record<EmailState, z.ZodInt>,
);

/** A message to the holders of a structure's access tokens, with their personal links. */
export const mailingSchema = z.object({
  id: id.describe('Mailing ID.'),
  endpoint_id: id.describe('Structure whose access tokens receive it.'),
  structure: z.string().nullable().describe('Name of the structure; null if it was removed.'),
  name: line(120).min(1, 'Give the mailing a name.').describe('Mailing name; recipients never see it.'),
  subject: withKnownPlaceholders(line(255).min(1, 'Enter a subject.')).describe('Subject, with placeholders.'),
  text: withKnownPlaceholders(multiline(20_000).min(1, 'Enter a text.')).describe(
    'Plain text, with placeholders such as {name} and {link}.',
  ),
  reply_to: z
    .email('Enter an e-mail address.')
    .max(254)
    .nullable()
    .describe('Address for replies; null for the sender.'),
  language: z.enum(LANGUAGES).describe('Language of dates in the text.'),
  selection: mailingSelection,
  state: z.enum(MAILING_STATES).describe('Mailing state.'),
  problem: z.string().describe('Why the server paused it; empty if it did not.'),
  counts: countsSchema.describe('Number of e-mails by state.'),
  started_at: z.string().nullable().describe('Time in UTC when sending started; null for a draft.'),
  updated_at: stamp,
});
export type Mailing = z.output<typeof mailingSchema>;

/** An e-mail of a mailing to the holder of one access token. */
export const mailingEmailSchema = z.object({
  id: id.describe('E-mail ID.'),
  access_token_id: z.int().describe('Access token of the recipient.'),
  name: z.string().describe('Name of the recipient; empty if unknown.'),
  email: z.string().describe('Address of the recipient.'),
  state: z
    .enum(EMAIL_STATES)
    .describe(
      'State. A returned e-mail was accepted by the mail server, but not delivered. An uncertain e-mail may have been accepted; it is never resent automatically.',
    ),
  report: z
    .enum(['delayed', 'delivered'])
    .nullable()
    .describe('Result in the last delivery report of an accepted e-mail; null if there is none.'),
  attempts: z.int().describe('Number of attempts so far.'),
  next_at: z.string().nullable().describe('Time of the next attempt in UTC; null if there is none.'),
  answer: z
    .string()
    .describe('Last response of the mail server, text of the last delivery report, or the connection error.'),
  message_id: z.string().describe('`Message-ID` of the last attempt.'),
  sent_at: z.string().nullable().describe('Time in UTC when the mail server accepted it; null if it did not.'),
});
export type MailingEmail = z.output<typeof mailingEmailSchema>;

/** Who receives a mailing. */
export const recipientsSchema = z.object({
  count: z.int().describe('Number of access tokens that receive an e-mail.'),
  already: z.int().describe('Number of access tokens that this mailing already includes.'),
  without_address: z.int().describe('Number of access tokens without an e-mail address; they are skipped.'),
  skipped: z.array(z.string()).describe('Holders, or tokens, of the first 20 without an address.'),
  first: z
    .object({ email: z.string(), values: z.record(z.string(), z.string()).describe('Values of the placeholders.') })
    .nullable()
    .describe('First recipient; null if there is none.'),
});
export type Recipients = z.output<typeof recipientsSchema>;

/** Encryption of the connection to a mail server. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

const hostOf = (example: string) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^[a-z0-9.:-]+$/, `Enter a host name such as ${example}.`)
    .describe('Host name.');
const port = z.int().min(1).max(65_535);

/** An organization's own mail server. */
export const mailServerSchema = z.strictObject({
  host: hostOf('smtp.example.com'),
  port: port.describe('Port, usually 465 with TLS and 587 with STARTTLS.'),
  security: z.enum(MAIL_SECURITY).describe('Encryption. Without it, no password is sent.'),
  username: line(255).describe('User name; empty to connect without signing in.'),
  sender_name: line(120).describe('Name of the sender.'),
  sender_address: z.email('Enter an e-mail address.').max(254).describe('Address of the sender.'),
});

/** An IMAP mailbox that receives delivery reports. */
export const mailboxSchema = z.strictObject({
  host: hostOf('imap.example.com'),
  port: port.describe('Port, usually 993 with TLS and 143 with STARTTLS.'),
  security: z.enum(['tls', 'starttls']).describe('Encryption.'),
  username: line(255).min(1, 'Enter the user name.').describe('User name.'),
  folder: line(255).min(1, 'Enter a folder such as INBOX.').describe('Folder that is read, such as INBOX.'),
});

const has_password = z.boolean().describe('Whether a password is stored. It is never returned.');

/** How an organization sends mailings. */
export const mailSettingsSchema = z.object({
  id: id.describe('Organization ID.'),
  source: z
    .enum(['organization', 'server'])
    .nullable()
    .describe("Mail server in use: the organization's own, the operator's, or none."),
  server: mailServerSchema
    .extend({ has_password })
    .nullable()
    .describe("The organization's own mail server; null to use the operator's."),
  rate: z.int().min(1).max(100, 'Use at most 100 a second.').describe('Maximum e-mails per second.'),
  mailbox: mailboxSchema
    .extend({ has_password })
    .nullable()
    .describe('Mailbox that delivery reports are read from; null for none. Messages in it are not changed.'),
  mailbox_read_at: z.string().nullable().describe('Time in UTC when the mailbox was last read; null if never.'),
  mailbox_problem: z.string().describe("Why the mailbox couldn't be read at the last attempt; empty if it could."),
  updated_at: stamp,
});
export type MailSettings = z.output<typeof mailSettingsSchema>;

/** Result of a test message. */
export const mailTestSchema = z.object({
  works: z.boolean().describe('Whether the mail server accepted the message.'),
  text: z.string().describe('Result of the test.'),
});
export type MailTest = z.output<typeof mailTestSchema>;
