import { z } from 'zod';
import { href, html, id, line, typeErrorOf } from './fields.ts';

const typed = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type).describe('Kind of link.'),
    // A new type starts with an empty type_config, so every setting needs a default.
    type_config: z
      .object(shape)
      .prefault({} as never)
      .describe('Settings of that kind.'),
  });

const slug = line(120).default('');
const title = line().default('').describe('Title of the dialog.');

/** The effect of following a link: one variant per navigation type. */
export const navigationSchema = z
  .discriminatedUnion(
    'type',
    [
      typed('disabled', {}),
      typed('space', {
        endpoint: id.nullable().default(null).describe('Structure to go to.'),
        endpoint_url: href.default('').describe('Public path of that structure.'),
      }),
      typed('url', { url: href.default('').describe('Address opened in a new tab.') }),
      typed('slug', {
        slug_one: slug.describe('First part of the public address.'),
        slug_two: slug.describe('Second part of the public address; empty when there is none.'),
      }),
      typed('event', { name: line(120).default('').describe('Name of the event given to the page and its parent.') }),
      typed('view_point', { view_point_id: id.nullable().default(null).describe('View point the camera moves to.') }),
      typed('slider', {}),
      typed('modal_url', { url: href.default('').describe('Page shown in a frame.'), title }),
      typed('modal_content', { content: html(200_000).default('').describe('HTML shown in a dialog.'), title }),
      typed('modal_static', {
        name: z.enum(['about', 'help']).default('about').describe('Which built-in dialog opens.'),
      }),
      typed('modal_share', {
        feed_id: id.nullable().default(null).describe('Local feed that receives the message.'),
        success_message: line(500).default('').describe('Shown when the message was sent.'),
        reload_room: z.boolean().default(false).describe('Whether the room is loaded again afterwards.'),
      }),
    ],
    typeErrorOf('type', 'link type'),
  )
  .prefault({ type: 'disabled' })
  .describe('What a press on it does.');

export type Navigation = z.output<typeof navigationSchema>;

/** A named link, used by overlay corners and dialog actions. */
export const linkSchema = z.object({
  name: line().default('').describe('Words on the link.'),
  navigation: navigationSchema.describe('What a press on it does.'),
});
export type Link = z.output<typeof linkSchema>;
