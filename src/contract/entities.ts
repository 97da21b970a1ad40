import { z } from 'zod';
import { flatElementSchema } from '../../engine/document/element.ts';
import { fileReference, hexColor, id, line, optional, text } from '../../engine/document/fields.ts';
import { roomSchema } from '../../engine/document/room.ts';
import { templateSchema } from '../../engine/document/template.ts';

/** Parts of the back-office that rights are given for. */
export const AREAS = ['endpoints', 'rooms', 'live_streams', 'access_tokens', 'settings', 'templates'] as const;
export type Area = (typeof AREAS)[number];
/** What a right allows in its area. */
export const RIGHTS = ['view_any', 'create', 'update', 'delete'] as const;
export type Right = (typeof RIGHTS)[number];

const rightsSchema = z.object({
  view_any: z.boolean().default(false).describe('May see the list and each entry.'),
  create: z.boolean().default(false).describe('May add.'),
  update: z.boolean().default(false).describe('May change.'),
  delete: z.boolean().default(false).describe('May remove.'),
});

/** A user's rights in every area. */
export const policiesSchema = z.object({
  endpoints: rightsSchema,
  rooms: rightsSchema,
  live_streams: rightsSchema,
  access_tokens: rightsSchema,
  settings: rightsSchema,
  templates: rightsSchema,
});
export type Policies = z.output<typeof policiesSchema>;

/** What the asking user may do with one entry. */
export const entryPolicies = z.object({
  update: z.boolean().describe('May change this one.'),
  delete: z.boolean().describe('May remove this one.'),
});

/** When a row was last changed: an opaque stamp that an edit sends back. */
export const stamp = z.string().max(40).describe('When it was last changed; send it back with an edit.');

export const userSchema = z.object({
  id: id.describe('Id of the user.'),
  name: line().describe('Name shown in the menu.'),
  email: z.string().describe('E-mail address for signing in.'),
  policies: policiesSchema.describe('Rights by area.'),
});
export type User = z.output<typeof userSchema>;

/** A space in a list, without its elements. */
export const roomRowSchema = roomSchema
  .pick({ id: true, name: true, title: true, template_id: true })
  .extend({ updated_at: stamp, policies: entryPolicies });

const clock = {
  timestamp_current: z.number().describe("The server's clock: seconds since 1970, UTC."),
  timestamp_start_of_day: z.number().describe('Start of that day, UTC, in seconds since 1970.'),
  timestamp_end_of_day: z.number().describe('End of that day, UTC, in seconds since 1970.'),
};

/** A whole space as the back-office reads it. */
export const adminRoomSchema = roomSchema.extend({ ...clock, updated_at: stamp, policies: entryPolicies });
export type AdminRoom = z.output<typeof adminRoomSchema>;

/** A space as a visitor gets it: without hidden elements. */
export const publicRoomSchema = roomSchema.extend(clock);
export type PublicRoom = z.output<typeof publicRoomSchema>;

/** An element row. */
export const elementRowSchema = flatElementSchema.and(
  z.object({ room_id: id, order_rank: z.int(), updated_at: stamp }),
);
export type ElementRow = z.output<typeof elementRowSchema>;

export const adminTemplateSchema = templateSchema.extend({ updated_at: stamp, policies: entryPolicies });
export type AdminTemplate = z.output<typeof adminTemplateSchema>;

/** Kinds of media file: the specification's six, and pages, subtitles and motion capture. */
export const MEDIA_TYPES = [
  'image',
  'object',
  'hdr',
  'audio',
  'video',
  'font',
  'site',
  'text_track',
  'motion',
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export const mediaSchema = fileReference.extend({
  type: z.enum(MEDIA_TYPES).describe('What the file is, by its content.'),
  mime: z.string().describe('Its media type.'),
  bytes: z.int().describe('Size in bytes.'),
  details: z.record(z.string(), z.unknown()).describe('What was found in it: clips, triangles, duration, warnings.'),
  created_at: z.string().describe('When it was uploaded.'),
});
export type Media = z.output<typeof mediaSchema>;

/** Minutes that a ticket lasts: five at least, ten years at most. */
export const ticketMinutes = z.int().min(5, 'Use at least 5 minutes.').max(5_256_000, 'Use at most ten years.');

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
    'Minutes of UTC minus local time for the start time.',
  ),
  is_protected: z.boolean().default(false).describe('Whether a personal code is asked for.'),
  access_token_duration: optional(ticketMinutes).describe('Minutes that a new ticket lasts; null for no limit.'),
};

/** A structure in the back-office: an address that shows a space. */
export interface Endpoint extends z.output<typeof endpointRow> {
  children: Endpoint[];
}
const endpointRow = z.object({
  ...endpointFields,
  room: optional(z.object({ id, name: line(), title: line(), policies: entryPolicies })).describe('The space itself.'),
  access_tokens_count: z.int().default(0).describe('Number of access tokens.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export const endpointSchema: z.ZodType<Endpoint> = endpointRow.extend({
  children: z.array(z.lazy((): z.ZodType<Endpoint> => endpointSchema)).describe('Structures below it, in order.'),
}) as unknown as z.ZodType<Endpoint>;

/** What an edit of a structure may set. */
export const endpointInput = z.object(endpointFields).omit({ id: true });

/** The personal code of an access token. */
export const tokenText = line(255).min(1, 'Enter a code.');

/** A personal code that opens one structure. */
export const accessTokenSchema = z.object({
  id: id.describe('Id of the access token.'),
  token: tokenText.describe('The code that a visitor enters.'),
  endpoint_id: id.describe('Structure that it opens.'),
  endpoint: z.object({ id, name: line(), slug: line() }).describe('The structure itself.'),
  valid_from: z.string().nullable().describe('From when on it opens, UTC; null for at once.'),
  valid_till: z
    .string()
    .nullable()
    .describe('From when on it no longer opens, UTC; null for never. Set by the first use if it has a duration.'),
  valid_duration: ticketMinutes.nullable().describe('Minutes that it lasts from its first use; null for no limit.'),
  first_used_at: z.string().nullable().describe('When it was first used, UTC.'),
  updated_at: stamp,
  policies: entryPolicies,
});
export type AccessToken = z.output<typeof accessTokenSchema>;

/** What an import of personal codes did. A file with a row that can't be a code is refused as a whole. */
export const importReportSchema = z.object({
  accepted: z.int().describe('Codes that were added.'),
  duplicates: z.int().describe('Rows whose code stood further up in the file, or was there before.'),
  duplicate_lines: z.array(z.int()).describe('Lines of the first hundred of them.'),
  possibilities_per_code: z.number().describe('How many codes one would have to try for a valid one, about.'),
  warnings: z.array(z.string()).describe('What should be looked at, as sentences.'),
});
export type ImportReport = z.output<typeof importReportSchema>;

/** A structure in the public menu. */
export interface PublicEndpointRow {
  id: number;
  name: string;
  slug: string;
  path: string;
  is_protected: boolean;
  children: PublicEndpointRow[];
}
export const publicEndpointRowSchema: z.ZodType<PublicEndpointRow> = z.object({
  id,
  name: line(),
  slug: line(),
  path: z.string().describe('Public path, such as /museum/east-wing.'),
  is_protected: z.boolean(),
  children: z.array(z.lazy((): z.ZodType<PublicEndpointRow> => publicEndpointRowSchema)),
});

/** A structure as a visitor enters it: the room, and the clock by which it plays. */
export const publicEndpointSchema = z.object({
  id,
  name: line(),
  slug: line(),
  path: z.string().describe('Public path.'),
  is_timed: z.boolean(),
  show_countdown: z.boolean(),
  start_time: z.string().nullable(),
  start_time_utc_offset: z.int().nullable(),
  is_protected: z.boolean(),
  current_time: z.number().describe("The server's clock: seconds since 1970, UTC."),
  room: publicRoomSchema.nullable(),
});
export type PublicEndpoint = z.output<typeof publicEndpointSchema>;

/** A site that may embed rooms. */
export const embedDomainSchema = z.object({
  id: id.describe('Place in the list, from 1.'),
  domain: z.string().describe('Scheme and host, such as https://www.example.com.'),
});

/** The organization as its settings show it. */
export const organizationSchema = z.object({
  name: line().min(1, 'Give the organization a name.').describe('Name of the organization.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  template_id: optional(id).describe('Template that new spaces begin with.'),
  font_file_id: optional(id).describe('Font of 3D texts; null for the built-in one.'),
  font_file: optional(fileReference).describe('That font.'),
  font_color: hexColor.describe('Colour of texts over a room.'),
  embed_domains: z.array(embedDomainSchema).describe('Sites that may embed rooms.'),
  modules: z
    .array(z.object({ module: line(64).describe('Name of the service.') }))
    .describe('Services that are set up.'),
  updated_at: stamp,
});
export type Organization = z.output<typeof organizationSchema>;

/** A service that rooms can use. */
export const moduleSchema = z.object({
  module: line(64).describe('Name of the service.'),
  type: z.enum(['video', 'live_stream', 'feed']).describe('What it is for.'),
  name: line().describe('Name shown in selections.'),
});
export type Module = z.output<typeof moduleSchema>;

/** What anybody may know about the organization. */
export const settingsSchema = z.object({
  name: line().describe('Name of the organization.'),
  meta_title: line().describe('Title for search engines.'),
  meta_description: text(1000).describe('Description for search engines.'),
  font_color: hexColor.describe('Colour of texts over a room.'),
  font_url: z.string().describe('Font of 3D texts; empty for the built-in one.'),
  embed_domains: z.array(z.string()).describe('Sites that may embed rooms.'),
  modules: z.array(z.object({ module: z.string() })).describe('Services that are set up.'),
  realtime_api_key: z.string().describe('Key that opens the realtime connection.'),
});
export type Settings = z.output<typeof settingsSchema>;
