import { type Case, config, element, file, lights, room, settings } from './room-builders.ts';

const withoutFile: [string, string][] = [
  ['audio', 'file_url'],
  ['image', 'file_url'],
  ['model', 'file_url'],
  ['video', 'id'],
  ['native_video', 'direct_url'],
  ['motion', 'src'],
  ['iframe', 'src'],
  ['live_stream', 'live_stream_id'],
];

/** Rooms that lack a file or carry too many lights. */
export const mediaCases: Case[] = [
  ...withoutFile.map(
    ([type, setting]): Case => ({
      name: type,
      code: 'missing-file',
      path: `${settings}.${setting}`,
      id: 1,
      input: room({}, element(type, 1, { name: 'A' })),
    }),
  ),
  {
    name: 'a panorama',
    code: 'missing-file',
    path: 'template.file',
    input: room({ template: { id: 1, name: 'T', model_type: 'pano' } }),
  },
  {
    name: 'a screen',
    code: 'mesh-selector-without-model',
    path: `${settings}.model_mesh_selector`,
    id: 1,
    input: room({}, element('native_video', 1, config({ src: '/v', model_mesh_selector: 'screen' }))),
  },
  {
    name: 'a picture',
    code: 'image-without-alternative',
    path: 'elements[0].config.alt',
    id: 1,
    input: room({}, element('image', 1, file())),
  },
  ...(['model', 'audio', 'video', 'native_video', 'iframe'] as const).map((type) => ({
    name: type,
    code: 'media-without-alternative' as const,
    path: 'elements[0].config.alt',
    id: 1,
    input: room({}, element(type, 1, file())),
  })),
  ...(['audio', 'video', 'native_video'] as const).map((type) => ({
    name: type,
    code: 'media-without-transcript' as const,
    path: 'elements[0].config.transcript',
    id: 1,
    input: room({}, element(type, 1, { name: 'A talk', ...file() })),
  })),
  {
    name: 'a template',
    code: 'panorama-without-alternative',
    path: 'template.config.alt',
    input: room({ template: { id: 1, name: 'T', model_type: 'pano', ...file() } }),
  },
  {
    name: 'equal',
    code: 'light-range',
    path: `${settings}.near`,
    id: 1,
    input: room({}, ...lights(1, { near: 5, far: 5 })),
  },
  { name: '13', code: 'too-many-lights', path: 'elements', input: room({}, ...lights(13)) },
  { name: '5', code: 'too-many-shadow-lights', path: 'elements', input: room({}, ...lights(5, { cast_shadow: true })) },
  {
    name: 'a sensor',
    code: 'proximity-distance-zero',
    path: `${settings}.proximity_sensor_distance`,
    id: 1,
    input: room({}, element('text', 1, config({ proximity_sensor: true, proximity_sensor_distance: 0 }))),
  },
];
