import { z } from 'zod';
import { call } from '../call.ts';
import { checkInCounts, checkInLinkSchema, GUEST_STATES, guestSchema, tokenText } from '../entities.ts';
import { idParams, moment } from '../inputs.ts';

/** Maximum guests in the list for work without a connection. */
export const MAX_LISTED_GUESTS = 10_000;

const result = z.object({
  guest: guestSchema,
  is_changed: z.boolean().describe('Whether this request changed the guest.'),
});

/** Check-in of guests at an entrance. The public calls take the token of a link as bearer token. */
export const checkIn = {
  links: call({
    method: 'GET',
    path: '/backend/endpoints/:id/check-in-links',
    summary: 'Returns the check-in links of a structure, and how many guests are checked in.',
    access: 'access_tokens.view_any',
    params: idParams,
    output: z.object({ links: z.array(checkInLinkSchema).describe('Links, newest first.'), ...checkInCounts }),
  }),
  create: call({
    method: 'POST',
    path: '/backend/endpoints/:id/check-in-links',
    summary: "Creates a check-in link. Its token is in `token` and can't be retrieved later.",
    access: 'access_tokens.create',
    params: idParams,
    body: z.strictObject({
      name: checkInLinkSchema.shape.name,
      expires_at: moment.nullable().default(null).describe('Expiry time; null for no expiry.'),
    }),
    output: checkInLinkSchema.extend({ token: z.string().describe('Token of the link.') }),
    status: 201,
    done: 'The link has been created.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/check-in-links/:id',
    summary: 'Revokes a check-in link. Its page stops working immediately.',
    access: 'access_tokens.delete',
    params: idParams,
    output: z.null(),
    done: 'The link has been revoked.',
  }),
  guests: call({
    method: 'GET',
    path: '/check-in',
    summary: `Returns the guests of a check-in link with keys derived from their tokens, at most ${MAX_LISTED_GUESTS}, for work without a connection.`,
    access: 'public',
    output: z.object({
      structure: z.string().describe('Name of the structure.'),
      link: z.string().describe('Name of the link.'),
      ...checkInCounts,
      salt: z.string().describe('Salt of the keys.'),
      iterations: z.int().describe('PBKDF2 iterations of the keys.'),
      guests: z
        .array(
          z.object({
            key: z
              .string()
              .nullable()
              .describe(
                'First 16 bytes of PBKDF2-SHA-256 of the token, hexadecimal; null until the server has derived them.',
              ),
            guest: guestSchema,
          }),
        )
        .describe('Guests, newest first.'),
    }),
    errors: ['not_found', 'too_many'],
  }),
  find: call({
    method: 'POST',
    path: '/check-in/find',
    summary: 'Finds the guest of an access token and says whether it is valid now.',
    access: 'public',
    body: z.strictObject({ token: tokenText.describe('Access token.') }),
    output: z.object({
      state: z.enum(GUEST_STATES).describe('State of the token at this entrance.'),
      guest: guestSchema.nullable().describe('The guest; null for tokens of other structures and unknown ones.'),
      note: z.string().nullable().describe('Note for the team; null for none.'),
      ...checkInCounts,
    }),
    errors: ['not_found', 'too_many'],
  }),
  checkIn: call({
    method: 'POST',
    path: '/check-in/guests/:id/check-in',
    summary:
      'Checks in a guest, once: a repeated request changes nothing. Requires a token that is valid, or was if `is_late`.',
    access: 'public',
    params: idParams,
    body: z.strictObject({
      at: moment.optional().describe('Time of check-in, which identifies retries; now if omitted.'),
      is_late: z.boolean().default(true).describe('Whether it is sent later, with the validity of that time.'),
    }),
    output: result,
    errors: ['not_found', 'too_many'],
  }),
  undo: call({
    method: 'POST',
    path: '/check-in/guests/:id/undo',
    summary: 'Undoes a check-in, unless the guest was checked in at another time since.',
    access: 'public',
    params: idParams,
    body: z.strictObject({ checked_in_at: moment.describe('Time of the check-in to undo.') }),
    output: result,
    errors: ['not_found', 'too_many'],
  }),
};
