import { z } from 'zod';
import { id, line, optional, timeZone } from '../../../engine/document/fields.ts';
import { posterUrl, structurePosterUrl } from './poster.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** Validity of an access token in minutes: from five minutes to ten years. */
export const tokenMinutes = z.int().min(5, 'Use at least 5 minutes.').max(5_256_000, 'Use at most ten years.');

/** Which version of its space a structure shows. */
export const SHOWS = ['edited', 'published'] as const;
export type Shows = (typeof SHOWS)[number];

const endpointFields = {
  id: id.describe('Id of the structure.'),
  name: line().min(1, 'Give the structure a title.').describe('Title in menus.'),
  slug: line(120).describe('Its part of the public address.'),
  room_id: optional(id).describe('Space that it shows.'),
  parent_endpoint_id: optional(id).describe('Structure that it stands below; null at the top.'),
  is_visible: z.boolean().default(true).describe('Whether visitors find it.'),
  is_timed: z.boolean().default(false).describe('Whether its sequence begins at the start time.'),
  show_countdown: z.boolean().default(false).describe('Whether visitors wait in front of a countdown.'),
  start_time: optional(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a 24-hour time such as 19:55.')).describe(
    'Time of day at which it begins, HH:mm.',
  ),
  start_time_utc_offset: optional(z.int().min(-840).max(840)).describe(
    'Minutes of UTC minus local time for the start time. In a time zone, those of the next start; written alone, it keeps a time zone that has this offset and replaces any other.',
  ),
  time_zone: optional(timeZone).describe(
    'IANA time zone of the start time, such as Europe/Amsterdam; null for a fixed offset.',
  ),
  is_protected: z.boolean().default(false).describe('Whether an access token is asked for.'),
  shows: z
    .enum(SHOWS)
    .default('edited')
    .describe('What visitors see of the space: `edited` as it is at the moment, or `published`.'),
  access_token_duration: optional(tokenMinutes).describe('Minutes that a new access token lasts; null for no limit.'),
};

/** A structure in the back-office: an address that shows a space. */
export interface Endpoint extends z.output<typeof endpointRow> {
  children: Endpoint[];
}
const endpointRow = z.object({
  ...endpointFields,
  room: optional(
    z.object({ id, name: line(), title: line(), poster_url: posterUrl, policies: entryPolicies }),
  ).describe('The space itself.'),
  poster_url: structurePosterUrl,
  path: z.string().describe('Its public address, such as /museum/east-wing.'),
  is_closed: z
    .boolean()
    .default(false)
    .describe('Whether it shows its space as published while nothing is: visitors find no space.'),
  access_tokens_count: z.int().default(0).describe('Number of access tokens.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export const endpointSchema: z.ZodType<Endpoint> = endpointRow.extend({
  children: z.array(z.lazy((): z.ZodType<Endpoint> => endpointSchema)).describe('Structures below it, in order.'),
});

/** Editable fields of a structure. */
export const endpointInput = z.object(endpointFields).omit({ id: true });
