import { z } from 'zod';
import { href, id, line, text } from './fields.ts';

const typed = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type),
    type_config: z.object(shape),
  });

const slug = line(120).describe('One part of a public address.');

/** What happens when something is followed: one variant per navigation type. */
export const navigationSchema = z
  .discriminatedUnion('type', [
    typed('disabled', {}),
    typed('space', {
      endpoint: id.nullable().default(null).describe('Structure to go to.'),
      endpoint_url: href.default('').describe('Public path of that structure.'),
    }),
    typed('url', { url: href.describe('Address opened in a new tab.') }),
    typed('slug', { slug_one: slug, slug_two: slug.default('') }),
    typed('event', { name: line(120).describe('Name of the event given to the page and its parent.') }),
    typed('view_point', { view_point_id: id.nullable().default(null).describe('View point the camera moves to.') }),
    typed('slider', {}),
    typed('modal_url', { url: href.describe('Page shown in a frame.'), title: line().default('') }),
    typed('modal_content', { content: text(200_000).describe('HTML shown in a dialog.'), title: line().default('') }),
    typed('modal_static', { name: z.enum(['about', 'help']).describe('Which built-in dialog opens.') }),
    typed('modal_share', {
      feed_id: id.nullable().default(null).describe('Local feed that receives the message.'),
      success_message: line(500).default('').describe('Shown when the message was sent.'),
      reload_room: z.boolean().default(false).describe('Whether the room is loaded again afterwards.'),
    }),
  ])
  .prefault({ type: 'disabled', type_config: {} });

export type Navigation = z.output<typeof navigationSchema>;
export type NavigationType = Navigation['type'];

/** A named link: what an overlay corner or a dialog's action carries. */
export const linkSchema = z.object({
  name: line().default('').describe('Words on the link.'),
  navigation: navigationSchema.describe('What following it does.'),
});
export type Link = z.output<typeof linkSchema>;
