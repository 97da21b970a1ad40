import { z } from 'zod';
import { call } from '../call.ts';
import { CREDENTIALS, PLATFORMS, platformCheckSchema, platformSchema } from '../entities.ts';

const params = z.object({ platform: z.enum(PLATFORMS).describe('Platform name.') });

/** Used in a header or URL, so it can't contain spaces. */
const credential = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'Enter 1 to 4096 characters without spaces.')
  .nullable()
  .optional()
  .describe('New value; null to remove it.');

const body = z.strictObject(
  Object.fromEntries(CREDENTIALS.map((name) => [name, credential])) as Record<
    (typeof CREDENTIALS)[number],
    typeof credential
  >,
);

/** The organization's accounts on external platforms. */
export const platforms = {
  list: call({
    method: 'GET',
    path: '/backend/platforms',
    summary: 'Lists platforms and which of their credentials are set. Never returns the credentials.',
    access: 'settings.view_any',
    output: z.array(platformSchema),
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'platforms.list' },
    path: '/backend/platforms/:platform',
    summary: 'Sets and removes credentials of a platform. They are encrypted before storage.',
    access: 'settings.update',
    params,
    body,
    output: platformSchema,
    done: 'The credentials have been saved.',
  }),
  check: call({
    method: 'POST',
    path: '/backend/platforms/:platform/check',
    summary: 'Checks the credentials with the platform.',
    access: 'settings.update',
    params,
    output: platformCheckSchema,
    errors: ['not_set_up'],
  }),
};
