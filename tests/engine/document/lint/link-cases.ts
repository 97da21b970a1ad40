import {
  button,
  type Case,
  config,
  corner,
  element,
  group,
  link,
  room,
  settings,
  spot,
  target,
} from './room-builders.ts';

const deadLinks: [string, object, string][] = [
  ['space', {}, '.type_config.endpoint'],
  ['url', {}, '.type_config.url'],
  ['slug', { slug_two: 'hall' }, '.type_config.slug_one'],
  ['event', {}, '.type_config.name'],
  ['view_point', {}, '.type_config.view_point_id'],
  ['view_point', { view_point_id: 9 }, '.type_config.view_point_id'],
  ['slider', {}, ''],
  ['modal_url', { title: 'T' }, '.type_config.url'],
  ['modal_content', { title: 'T', content: '<p>&nbsp;</p>' }, '.type_config.content'],
  ['modal_share', {}, '.type_config.feed_id'],
];

/** Rooms with links and lights that lead nowhere. */
export const linkCases: Case[] = [
  ...deadLinks.map(
    ([type, type_config, path]): Case => ({
      name: `${type} ${JSON.stringify(type_config)}`,
      code: 'dead-link',
      path: `${settings}.navigation${path}`,
      id: 1,
      input: button(type, type_config),
    }),
  ),
  {
    name: 'in a corner',
    code: 'dead-link',
    path: 'config.bottom_right_link.navigation.type_config.view_point_id',
    input: room(config({ bottom_right_link: corner('view_point', { view_point_id: 5 }) })),
  },
  {
    name: 'as an action of the pop-up',
    code: 'dead-link',
    path: 'config.timed_popup_action_center.navigation.type_config.url',
    input: room(config({ timed_popup_action_center: corner('url') })),
  },
  ...[null, 9].map(
    (id): Case => ({
      name: `a light at ${id}`,
      code: 'dead-link',
      path: `${settings}.target.element_id`,
      id: 1,
      input: room({}, element('light', 1, spot(id))),
    }),
  ),
  {
    name: 'a text',
    code: 'link-to-non-view-point',
    path: `${target}.view_point_id`,
    id: 1,
    input: room({}, element('button', 1, link('view_point', { view_point_id: 2 })), element('text', 2)),
  },
  {
    name: 'a view point',
    code: 'hidden-link-target',
    path: `${target}.view_point_id`,
    id: 5,
    input: room(
      {},
      element('button', 5, link('view_point', { view_point_id: 2 })),
      element('view_point', 2, { hidden: true }),
    ),
  },
  {
    name: 'by its group, of a light',
    code: 'hidden-link-target',
    path: `${settings}.target.element_id`,
    id: 5,
    input: room({}, element('light', 5, spot(2)), group({ hidden: true }, element('text', 2))),
  },
  {
    name: 'a frame',
    code: 'dialog-without-title',
    path: `${target}.title`,
    id: 1,
    input: button('modal_url', { url: '/' }),
  },
  {
    name: 'the light itself',
    code: 'light-targets-itself',
    path: `${settings}.target.element_id`,
    id: 1,
    input: room({}, element('light', 1, spot(1, 'directional_light'))),
  },
  {
    name: 'its own child',
    code: 'light-targets-itself',
    path: `${settings}.target.element_id`,
    id: 1,
    input: room({}, element('light', 1, spot(2), element('text', 2))),
    also: ['children-in-non-group'],
  },
];
