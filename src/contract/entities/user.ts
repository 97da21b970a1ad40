import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';
import { stamp } from './stamp.ts';

/** Maximum folders and structures to which a user is limited. */
const MAX_LIMITS = 200;

/** Access of a user; null for the whole organization. */
export const memberLimitsSchema = z
  .strictObject({
    folder_ids: z
      .array(id)
      .max(MAX_LIMITS, `Choose at most ${MAX_LIMITS} folders.`)
      .describe('Folders whose spaces the user sees, with their subfolders.'),
    endpoint_ids: z
      .array(id)
      .max(MAX_LIMITS, `Choose at most ${MAX_LIMITS} structures.`)
      .describe('Structures that the user sees, with those below them.'),
  })
  .nullable()
  .describe('Folders and structures to which the user is limited; null for the whole organization.');
export type MemberLimits = z.output<typeof memberLimitsSchema>;

export const userSchema = z.object({
  id: id.describe('User ID.'),
  name: line().describe('Display name.'),
  email: z.string().describe('E-mail address.'),
  policies: policiesSchema.describe('Rights by area.'),
  limits: memberLimitsSchema,
  organization: z
    .object({
      name: line().describe('Organization name.'),
      origin: z.string().describe("Origin of the organization's site, such as https://rooms.example.com."),
      time_zone: z.string().nullable().describe('Default IANA time zone; null if not set.'),
    })
    .describe('Organization of the user.'),
  needs_second_factor: z
    .literal(true)
    .optional()
    .describe('Set if the user must set up a second factor before any other request; omitted otherwise.'),
});
export type User = z.output<typeof userSchema>;

/** Response to a sign-in with a correct password that requires a second factor. */
export const secondStepSchema = z.object({
  second_factor_token: z
    .string()
    .describe("Token to send with the code, valid for five minutes. It isn't a session token."),
});

/** A user in the settings. */
export const memberSchema = userSchema.omit({ needs_second_factor: true, organization: true }).extend({
  is_active: z.boolean().describe('Whether the user may sign in.'),
  is_invited: z.boolean().describe("Whether the user hasn't set a password yet."),
  has_second_factor: z.boolean().describe('Whether sign-in with a password requires a code.'),
  last_seen_at: z.string().nullable().describe('Time of the last sign-in in UTC.'),
  updated_at: stamp,
});
export type Member = z.output<typeof memberSchema>;
