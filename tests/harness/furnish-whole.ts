import { seedDemo } from '../../src/server/features/onboarding/demo.ts';
import { PIXEL } from '../server/features/history/changing-requests.ts';
import type { ApiApp } from './api-app.ts';
import { noRights } from './call-requests.ts';

/** Names in several scripts, one of them with a combining character. */
export const UNICODE = 'Zaal “Ø” 東館 قاعة é 🎨';

/**
 * Fills the first organization of a server with the demo and one of everything else that an export contains: nested
 * folders, equal names in two of them, links between rooms and their view points, places of a block with and without
 * changes of their own, translations, tokens, webhooks, users with limits.
 */
export async function furnishWhole(api: ApiApp) {
  await seedDemo(api.services, api.one.id);
  const client = api.client();
  const museum = await client.folders.create({ body: { name: 'Museum' } });
  const east = await client.folders.create({ body: { name: UNICODE, parent_id: museum.id } });
  const files = await client.mediaFolders.create({ body: { name: 'Ø works' } });
  const image = await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel é.png') } });
  await client.media.update({
    params: { id: image.id },
    body: { title: 'Night Watch', alt: 'Men', keywords: ['night', 'Ø'], folder_id: files.id },
  });
  await client.media.translate({ params: { id: image.id }, body: { language: 'nl', texts: { title: 'Nachtwacht' } } });
  const template = await client.templates.create({ body: { name: UNICODE, logo_file_id: image.id } });

  // Two rooms with the same name, in different folders.
  const hall = await client.rooms.create({
    body: { title: 'Hall', folder_id: museum.id, template_id: template.id, description: '<p>Welcome é</p>' },
  });
  const other = await client.rooms.create({ body: { title: 'Hall', folder_id: east.id } });
  const named = await client.rooms.create({ body: { title: UNICODE } });
  const top = await client.endpoints.create({ body: { name: 'Museum', slug: 'museum', room_id: hall.id } });
  const below = await client.endpoints.create({
    body: { name: UNICODE, slug: 'east', room_id: other.id, parent_endpoint_id: top.id, is_protected: true },
  });
  await client.endpoints.translate({ params: { id: top.id }, body: { language: 'nl', texts: { name: 'Het museum' } } });
  await client.endpoints.update({
    params: { id: below.id },
    body: { start_time: '19:55', time_zone: 'Europe/Amsterdam', show_countdown: true },
  });

  // Links in both directions, with view points on arrival.
  const add = (room: { id: number }, body: object) =>
    client.rooms.addElement({ params: { id: room.id }, body: body as { element: 'image' } });
  const point = await add(other, { element: 'view_point', name: 'Window' });
  const start = await add(hall, { element: 'view_point', name: 'Door' });
  const link = (endpoint: number, view_point_id: number) => ({
    navigation: {
      type: 'space' as const,
      type_config: { endpoint, arrival: { view_point_id, heading: 90, pitch: 0 } },
    },
  });
  await add(hall, { element: 'button', name: 'Go', config: { title: 'East', ...link(below.id, point.id) } });
  await add(other, { element: 'button', name: 'Back', config: { title: 'Back', ...link(top.id, start.id) } });
  await add(hall, {
    element: 'image',
    name: 'Timed',
    file_id: image.id,
    start_time: '10:00',
    end_time: '11:00',
    time_zone: 'Europe/Amsterdam',
    visible_at: [start.id],
  });

  // A block with two places, one of them with changes of its own.
  const group = await add(named, { element: 'group', name: 'Desk' });
  await add(named, { element: 'image', name: 'Lamp', file_id: image.id, parent_element_id: group.id });
  const { elements } = await client.rooms.read({ params: { id: named.id } });
  const block = await client.blocks.create({ body: { name: 'Desk é', element: { ...elements[0]! } } });
  const lamp = (await client.rooms.read({ params: { id: named.id } })).elements[0]!.children[0]!;
  const place = { block_id: block.id, block_version: 1, block_elements: [lamp.id] };
  await client.rooms.commit({
    params: { id: named.id },
    body: {
      client: 'whole',
      mutation: 1,
      commands: [
        { type: 'element.update', id: group.id, fields: { config: place } },
        { type: 'element.update', id: lamp.id, fields: { position_x: 77 } },
      ],
    },
  });

  const wall = await client.feeds.create({
    body: { name: 'Wall é', type: 'local', moderation: { hold: true, blocked_words: ['foo'] } },
  });
  await add(named, { element: 'group', config: { feed_enabled: true, feed_id: wall.id } });
  const webhook = await client.webhooks.create({
    body: { name: 'Hook é', url: 'https://example.com/hook', events: ['space.published', 'share.received'] },
  });
  await client.translationWebhook.update({ body: { url: 'https://example.com/translate' } });
  await client.organizations.update({
    body: {
      meta_title: UNICODE,
      template_id: template.id,
      logo_file_id: image.id,
      embed_domains: [{ domain: 'https://www.example.com' }],
      time_zone: 'Europe/Amsterdam',
    },
  });
  const invited = await client.users.invite({
    body: { email: 'kim@example.com', name: 'Kim é', policies: noRights() },
  });
  await client.users.update({
    params: { id: invited.id },
    body: { limits: { folder_ids: [east.id], endpoint_ids: [below.id] } },
  });
  await client.accessTokens.create({
    body: { endpoint_id: below.id, token: 'KNOWN-1', holder_email: 'guest@example.com', group: 'Press é' },
  });
  return { hall, other, named, top, below, image, template, block, wall, webhook };
}
