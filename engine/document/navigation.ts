import { z } from 'zod';
import { href, html, id, line, typeErrorOf } from './fields.ts';

const typed = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type).describe('Link type.'),
    // A new type starts with an empty type_config, so every setting needs a default.
    type_config: z
      .object(shape)
      .prefault({} as never)
      .describe('Settings of the link type.'),
  });

const heading = z.number().min(-360).max(360).describe('Direction in degrees: 0 is −z, clockwise seen from above.');
const pitch = z.number().min(-90).max(90).default(0).describe('Elevation in degrees, upwards.');

/** View on arrival at a view point of the same room. */
const arrivalAtPoint = z
  .union([z.literal('keep'), z.object({ heading, pitch })])
  .nullish()
  .describe('View on arrival: `keep` keeps the direction; omit it for the view of the view point.');

/** View on arrival in another room. */
const arrivalInRoom = z
  .union([
    z.literal('keep'),
    z.object({
      view_point_id: id.nullable().default(null).describe('View point of the target room; null for its start.'),
      heading,
      pitch,
    }),
  ])
  .nullish()
  .describe('View on arrival: `keep` keeps the direction; omit it for the start view of the room.');

const slug = line(120).default('');
const title = line().default('').describe('Dialog title.');

/** The effect of following a link: one variant per navigation type. */
export const navigationSchema = z
  .discriminatedUnion(
    'type',
    [
      typed('disabled', {}),
      typed('space', {
        endpoint: id.nullable().default(null).describe('Target structure.'),
        endpoint_url: href.default('').describe('Public path of the target structure.'),
        arrival: arrivalInRoom,
      }),
      typed('url', { url: href.default('').describe('URL, opened in a new tab.') }),
      typed('slug', {
        slug_one: slug.describe('First segment of the public path.'),
        slug_two: slug.describe('Second segment of the public path; empty for none.'),
        arrival: arrivalInRoom,
      }),
      typed('event', { name: line(120).default('').describe('Name of the event, sent to the page and its parent.') }),
      typed('view_point', {
        view_point_id: id.nullable().default(null).describe('Target view point.'),
        arrival: arrivalAtPoint,
      }),
      typed('slider', {}),
      typed('modal_url', { url: href.default('').describe('URL of the page, shown in a frame.'), title }),
      typed('modal_content', { content: html(200_000).default('').describe('Dialog content as HTML.'), title }),
      typed('modal_static', {
        name: z.enum(['about', 'help']).default('about').describe('Built-in dialog to open.'),
      }),
      typed('modal_share', {
        feed_id: id.nullable().default(null).describe('Local feed for shared messages.'),
        success_message: line(500).default('').describe('Message shown after sharing.'),
        reload_room: z.boolean().default(false).describe('Whether to reload the room after sharing.'),
      }),
    ],
    typeErrorOf('type', 'link type'),
  )
  .prefault({ type: 'disabled' })
  .describe('Link opened by a press.');

export type Navigation = z.output<typeof navigationSchema>;

/** A named link, used by overlay corners and dialog actions. */
export const linkSchema = z.object({
  name: line().default('').describe('Link text.'),
  navigation: navigationSchema.describe('Link opened by a press.'),
});
export type Link = z.output<typeof linkSchema>;
