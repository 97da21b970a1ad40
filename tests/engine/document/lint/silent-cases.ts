import { config, corner, element, file, group, lights, link, room, spot } from './room-builders.ts';

/** Rooms next to those above in which the linter has nothing to say. */
export const silent: { name: string; input: unknown }[] = [
  {
    name: 'links of all kinds that lead somewhere',
    input: room(
      config({ top_left_link: corner('view_point', { view_point_id: 2 }) }),
      group(config({ slider_enabled: true }), element('view_point', 2)),
      ...[
        link('disabled'),
        link('space', { endpoint: 1 }),
        link('space', { endpoint_url: '/a' }),
        link('url', { url: 'https://example.org' }),
        link('slug', { slug_one: 'a' }),
        link('event', { name: 'opened' }),
        link('view_point', { view_point_id: 2 }),
        link('slider'),
        link('modal_url', { url: '/', title: 'T' }),
        link('modal_content', { content: '<img src="/a">', title: 'T' }),
        link('modal_static', { name: 'about' }),
        link('modal_share', { feed_id: 1 }),
      ].map((fields, index) => element('button', 10 + index, fields)),
    ),
  },
  {
    name: 'every way to give a file',
    input: room(
      {},
      element('audio', 1, { name: 'A', file_id: 1, ...config({ transcript: 'A bell rings.' }) }),
      element('image', 2, { name: 'A', ...file() }),
      element('model', 3, config({ file_url: '/m', decorative: true })),
      element(
        'video',
        4,
        config({ id: 'abc', alt: 'A talk', text_tracks: [{ id: 'en', name: 'English', language: 'en' }] }),
      ),
      element('native_video', 5, {
        name: 'A',
        ...config({ module_video: { id: '1', type: 'vimeo' }, transcript: 'Hello.' }),
      }),
      element(
        'native_video',
        6,
        config({
          ...{ direct_url: '/v', alt: 'A', model_file_url: '/m', model_mesh_selector: 'screen' },
          text_tracks: [{ language: 'en', link: '/en.vtt' }],
        }),
      ),
      element('motion', 7, config({ src: '/b' })),
      element('live_stream', 8, { name: 'A', ...config({ live_stream_id: 1 }) }),
      element('image', 9, config({ file_url: '/a', title: 'A' })),
      element('image', 10, config({ file_url: '/a', decorative: true })),
      element('audio', 11, config({ file_url: '/a', decorative: true })),
      element('iframe', 12, config({ src: '/page', alt: 'A map' })),
      element('view_point', 13, { ...file(), ...config({ alt: 'A hall with columns' }) }),
    ),
  },
  {
    name: 'times that leave room for the media',
    input: room(
      config({ duration: 60, show_timed_timer: 'off' }),
      element('audio', 1, {
        name: 'A',
        ...file(60),
        start_time: '23:59',
        end_time: '00:00',
        ...config({ timed: true, transcript: 'A bell rings.' }),
      }),
      element('video', 2, { name: 'A', ...file(90_000), ...config({ transcript: 'Hello.' }) }),
      element('text', 3, { start_time: '00:00' }),
    ),
  },
  {
    name: 'pop-ups that open',
    input: room({
      description: 'Welcome',
      ...config({
        show_start_popup: true,
        show_timed_popup: true,
        duration: 60,
        timed_popup_offset: 60,
        timed_popup_action_left: corner('url', { url: '/' }),
      }),
    }),
  },
  {
    name: 'things on the wall, and a unit beyond',
    input: room(
      config({ camera: { position: { x: -1001, y: 501, z: 3001 }, min_pan: { x: 5 } }, fog: { near: 9, far: 9 } }),
      element('text', 1, { position_x: 1001, position_y: -501, position_z: -3001 }),
    ),
  },
  {
    name: 'a far group whose child is inside, and a sun far away',
    input: room(
      {},
      group({ position_x: 5000, rotation_y: Math.PI }, element('text', 2, { position_x: 4500 })),
      element('light', 3, { position_y: 9000, ...config({ light_type: 'directional_light' }) }),
    ),
  },
  {
    name: 'targets and ranges of lights that have none',
    input: room(
      {},
      element('light', 1, spot(9, 'point_light')),
      element('light', 2, config({ light_type: 'ambient_light', near: 9, far: 9 })),
      element('light', 3, spot(1)),
    ),
  },
  { name: '12 lights, 4 of them with shadows, and hidden ones', input: room({}, ...lights(8), ...hiddenAndShadows()) },
  {
    name: 'a group filled by a feed that is a slider, and a sensor switched off',
    input: room(
      {},
      group(config({ slider_enabled: true, feed_enabled: true, feed_id: 3, proximity_sensor_distance: 0 })),
    ),
  },
];

function hiddenAndShadows(): object[] {
  const shadow = { cast_shadow: true };
  const seen = Array.from({ length: 4 }, (_, index) => element('light', 20 + index, config(shadow)));
  const unseen = Array.from({ length: 9 }, (_, index) =>
    element('light', 30 + index, { hidden: true, ...config(shadow) }),
  );
  return [...seen, ...unseen];
}
