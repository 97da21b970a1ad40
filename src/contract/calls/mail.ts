import { z } from 'zod';
import { call } from '../call.ts';
import { mailboxSchema, mailServerSchema, mailSettingsSchema, mailTestSchema, stamp } from '../entities.ts';

const password = z.string().max(1000).optional().describe('Password, encrypted before storage. Never returned.');

/** The mail server of an organization, and the mailbox of its delivery reports. */
export const mail = {
  read: call({
    method: 'GET',
    path: '/backend/mail',
    summary: 'Returns how the organization sends mailings.',
    access: 'settings.view_any',
    output: mailSettingsSchema,
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'mail.read', moving: ['source', 'mailbox_read_at', 'mailbox_problem'] },
    path: '/backend/mail',
    summary:
      "Updates the given fields. The mail server and the mailbox are replaced as a whole, or removed if null. If omitted, their passwords don't change.",
    access: 'settings.update',
    body: z.strictObject({
      server: mailServerSchema
        .extend({ password })
        .nullable()
        .optional()
        .describe("The organization's own mail server; null to use the operator's."),
      rate: mailSettingsSchema.shape.rate.optional(),
      mailbox: mailboxSchema.extend({ password }).nullable().optional().describe('Mailbox; null for none.'),
      updated_at: stamp.optional(),
    }),
    output: mailSettingsSchema,
    done: 'The settings have been saved.',
  }),
  test: call({
    method: 'POST',
    path: '/backend/mail/test',
    summary: "Sends a test message to the caller's own address.",
    access: 'settings.update',
    output: mailTestSchema,
    errors: ['invalid', 'quota', 'too_many'],
  }),
  testMailbox: call({
    method: 'POST',
    path: '/backend/mail/test-mailbox',
    summary: 'Connects to the mailbox and counts its delivery reports of the last 30 days.',
    access: 'settings.update',
    output: mailTestSchema,
    errors: ['invalid', 'too_many'],
  }),
};
