import { z } from 'zod';
import { call } from '../call.ts';
import { mailServerSchema, mailSettingsSchema, mailTestSchema, stamp } from '../entities.ts';

/** The mail server of an organization. */
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
    edits: { read: 'mail.read', moving: ['source'] },
    path: '/backend/mail',
    summary:
      "Updates the given fields. The mail server is replaced as a whole, or removed if null. If omitted, its password doesn't change.",
    access: 'settings.update',
    body: z.strictObject({
      server: mailServerSchema
        .extend({
          password: z.string().max(1000).optional().describe('Password, encrypted before storage. Never returned.'),
        })
        .nullable()
        .optional()
        .describe("The organization's own mail server; null to use the operator's."),
      rate: mailSettingsSchema.shape.rate.optional(),
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
};
