import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';

/** A link with which staff check in the holders of a structure's access tokens. */
export const checkInLinkSchema = z.object({
  id: id.describe('Link ID.'),
  name: line(120).min(1, 'Give the link a name.').describe('Name of the link, such as its entrance.'),
  created_at: z.string().describe('Creation time in UTC.'),
  expires_at: z.string().nullable().describe("Expiry time in UTC; null if it doesn't expire."),
});
export type CheckInLink = z.output<typeof checkInLinkSchema>;

const moment = (text: string) => z.string().nullable().describe(text);

/** Numbers of a structure's guests. */
export const checkInCounts = {
  checked_in: z.int().describe('Number of checked-in guests.'),
  total: z.int().describe('Number of guests.'),
};

/** A guest as the check-in page sees it: no token and no e-mail address. */
export const guestSchema = z.object({
  id: id.describe('Access token ID.'),
  holder_name: z.string().nullable().describe('Name of the guest; null if unknown.'),
  group: z.string().nullable().describe('Group of the guest; null for none.'),
  valid_from: moment('Start of validity in UTC; null if valid immediately.'),
  valid_till: moment("Expiry time in UTC; null if it doesn't expire."),
  checked_in_at: moment('Time of check-in in UTC; null if not checked in.'),
});
export type Guest = z.output<typeof guestSchema>;

/** States of an access token at an entrance. */
export const GUEST_STATES = ['valid', 'not_yet_valid', 'expired', 'other_structure', 'unknown'] as const;
export type GuestState = (typeof GUEST_STATES)[number];
