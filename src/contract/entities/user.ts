import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';
import { stamp } from './stamp.ts';

export const userSchema = z.object({
  id: id.describe('Id of the user.'),
  name: line().describe('Name shown in the menu.'),
  email: z.string().describe('E-mail address for signing in.'),
  policies: policiesSchema.describe('Rights by area.'),
  organization: z
    .object({
      name: line().describe('Name of the organization.'),
      origin: z
        .string()
        .describe("Scheme, host and port of the organization's site, such as https://rooms.example.com."),
      time_zone: z.string().nullable().describe('IANA time zone of new times; null until one is chosen.'),
    })
    .describe('Organization that the user belongs to.'),
  needs_second_factor: z
    .literal(true)
    .optional()
    .describe('Says that nothing else may be done until a second factor is set up; left out otherwise.'),
});
export type User = z.output<typeof userSchema>;

/** Response to a sign-in with a correct password that requires a second factor. */
export const secondStepSchema = z.object({
  second_factor_token: z.string().describe('Goes with the code; works for five minutes. It is no session.'),
});

/** A user in the settings. */
export const memberSchema = userSchema.omit({ needs_second_factor: true, organization: true }).extend({
  is_active: z.boolean().describe('Whether they may sign in.'),
  is_invited: z.boolean().describe('Whether they have not set a password yet.'),
  has_second_factor: z.boolean().describe('Whether a code is asked for when they sign in with a password.'),
  last_seen_at: z.string().nullable().describe('When they last signed in, UTC.'),
  updated_at: stamp,
});
export type Member = z.output<typeof memberSchema>;
