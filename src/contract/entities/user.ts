import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { policiesSchema } from './rights.ts';
import { stamp } from './stamp.ts';

export const userSchema = z.object({
  id: id.describe('Id of the user.'),
  name: line().describe('Name shown in the menu.'),
  email: z.string().describe('E-mail address for signing in.'),
  policies: policiesSchema.describe('Rights by area.'),
});
export type User = z.output<typeof userSchema>;

/** A user as the settings show them. */
export const memberSchema = userSchema.extend({
  is_active: z.boolean().describe('Whether they may sign in.'),
  is_invited: z.boolean().describe('Whether they have not set a password yet.'),
  last_seen_at: z.string().nullable().describe('When they last signed in, UTC.'),
  updated_at: stamp,
});
export type Member = z.output<typeof memberSchema>;
