import { z } from 'zod';
import { hexColor, id, line, optional, timeZone } from '../../../engine/document/fields.ts';
import { textTranslationsOf, textTranslationsSchema } from '../../../engine/document/translation-fields.ts';
import { editorName } from './author.ts';
import { calendarDate } from './calendar-date.ts';
import { posterUrl, structurePosterUrl } from './poster.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** Validity of an access token in minutes: from five minutes to ten years. */
export const tokenMinutes = z.int().min(5, 'Use at least 5 minutes.').max(5_256_000, 'Use at most ten years.');

/** Which version of its space a structure shows. */
export const SHOWS = ['edited', 'published'] as const;
export type Shows = (typeof SHOWS)[number];

const endpointFields = {
  id: id.describe('Structure ID.'),
  name: line().min(1, 'Give the structure a title.').describe('Title, shown in menus.'),
  slug: line(120).describe('Last segment of the public path.'),
  room_id: optional(id).describe('Space shown by the structure.'),
  parent_endpoint_id: optional(id).describe('Parent structure; null at the top level.'),
  is_visible: z.boolean().default(true).describe('Whether the structure is visible to visitors.'),
  is_timed: z.boolean().default(false).describe('Whether the timed sequence begins at the start time.'),
  show_countdown: z.boolean().default(false).describe('Whether visitors see a countdown until the start time.'),
  start_time: optional(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a 24-hour time such as 19:55.')).describe(
    'Start time, HH:mm.',
  ),
  start_date: optional(calendarDate).describe(
    'Start date, YYYY-MM-DD, in the time zone of the start time; null to start daily. Cleared with the start time.',
  ),
  start_time_utc_offset: optional(z.int().min(-840).max(840)).describe(
    'UTC minus local time in minutes at the start time. With a time zone, the offset at the next start. Setting it alone keeps the time zone if the offset matches and removes it otherwise.',
  ),
  time_zone: optional(timeZone).describe(
    'IANA time zone of the start time, such as Europe/Amsterdam; null for a fixed offset.',
  ),
  is_protected: z.boolean().default(false).describe('Whether visitors need an access token.'),
  shows: z
    .enum(SHOWS)
    .default('edited')
    .describe('Version of the space that visitors see: `edited` for the current one, or `published`.'),
  access_token_duration: optional(tokenMinutes).describe(
    'Validity of new access tokens in minutes; null for no limit.',
  ),
  accent_color: optional(hexColor).describe(
    'Color of buttons and marks; null for the color of the template or else the organization.',
  ),
  kiosk_seconds: optional(z.int().min(10, 'Use at least 10 seconds.').max(3600, 'Use at most an hour.')).describe(
    'For a kiosk, seconds without input after which the page returns to the start; null otherwise.',
  ),
};

/** A structure in the back-office: an address that shows a space. */
export interface Endpoint extends z.output<typeof endpointRow> {
  children: Endpoint[];
}
const endpointRow = z.object({
  ...endpointFields,
  room: optional(
    z.object({ id, name: line(), title: line(), poster_url: posterUrl, policies: entryPolicies }),
  ).describe('The space.'),
  poster_url: structurePosterUrl,
  path: z.string().describe('Public path, such as /museum/east-wing.'),
  is_closed: z
    .boolean()
    .default(false)
    .describe('Whether the structure shows the published version while none exists. Visitors then see no space.'),
  translations: textTranslationsSchema,
  access_tokens_count: z.int().default(0).describe('Number of access tokens.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export const endpointSchema: z.ZodType<Endpoint> = endpointRow.extend({
  children: z.array(z.lazy((): z.ZodType<Endpoint> => endpointSchema)).describe('Child structures, in order.'),
});

/** A structure in a list, without the fields of its form. */
export const endpointListRowSchema = endpointRow
  .pick({
    id: true,
    name: true,
    slug: true,
    path: true,
    parent_endpoint_id: true,
    poster_url: true,
    is_visible: true,
    is_protected: true,
    is_closed: true,
    is_timed: true,
    show_countdown: true,
    start_date: true,
    start_time: true,
    access_tokens_count: true,
    updated_at: true,
    policies: true,
  })
  .extend({
    parent_name: z.string().nullable().describe('Title of the parent structure; null at the top level.'),
    room: optional(z.object({ id, title: line(), policies: entryPolicies })).describe('The space.'),
    edited_by: editorName,
    children_count: z.int().describe('Number of child structures.'),
  });
export type EndpointListRow = z.output<typeof endpointListRowSchema>;

/** Editable translations of the texts of a structure. */
export const structureTranslations = textTranslationsOf({ name: line() });

/** Editable fields of a structure. */
export const endpointInput = z.object(endpointFields).omit({ id: true });

/** Fields of a structure that refer to nothing else, so that they mean the same in other organizations. */
export type OwnEndpointField = Exclude<keyof z.output<typeof endpointInput>, 'slug' | 'room_id' | 'parent_endpoint_id'>;
