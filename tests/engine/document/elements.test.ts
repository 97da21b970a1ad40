import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { descriptors, ELEMENT_TYPES, type ElementType, flatElementSchema } from '../../../engine/document/element.ts';

const kebab = (type: string) => type.replaceAll('_', '-');
const camel = (type: string) => type.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const folder = new URL('../../../engine/document/elements/', import.meta.url);

const origin = { x: 0, y: 0, z: 0 };
const navigation = { type: 'disabled', type_config: {} };

const shared = {
  proximity_sensor: false,
  proximity_sensor_audio_only: false,
  proximity_sensor_distance: 1000,
  timed: false,
  timed_max_out_of_sync: 5,
  realtime: false,
  realtime_file_url: '',
  realtime_scale: { x: 1, y: 1, z: 1 },
  realtime_rotate: origin,
};

const alternative = { alt: '', decorative: false, long_description: '' };
const spoken = { ...alternative, transcript: '' };

const configs = {
  audio: {
    file_url: '',
    muted: false,
    autoplay: false,
    loop: false,
    pause_others: false,
    even_loudness: true,
    ...spoken,
  },
  button: {
    title: '',
    sub_title: '',
    font_size: 100,
    sub_title_font_size: 40,
    appearance: 'panel',
    hotspot_shape: 'mark',
    hotspot_icon: 'walk',
    rounded_corners: false,
    navigation,
  },
  group: {
    ...{ feed_enabled: false, feed_id: null, feed_layout: 'zigzag', slider_enabled: false },
    ...{ block_id: null, block_version: null, block_elements: null },
  },
  html: { body: '', padding: 0, navigation },
  iframe: { src: '', file_url: '', ...alternative },
  image: {
    file_url: '',
    appearance: 'image',
    nadir_angle: 40,
    plan_marks: [],
    title: '',
    title_alignment: 'left',
    title_color: '#14171C',
    title_size: 24,
    text: '',
    caption_style: 'plain',
    caption_side: 'beside',
    caption_width: null,
    frame_width: null,
    frame_depth: null,
    frame_color: null,
    mat_width: null,
    mat_color: null,
    contact_shadow: null,
    author: '',
    date: '',
    zoomable: true,
    ...alternative,
    navigation,
  },
  light: {
    light_type: 'point_light',
    color: '#FFFFFF',
    intensity: 1,
    cast_shadow: false,
    near: 1,
    far: 6000,
    distance: 0,
    angle: 0.6,
    penumbra: 0.2,
    decay: 2,
    target: { type: 'Position', position: origin, element_id: null },
  },
  live_stream: {
    live_stream_id: null,
    type: 'youtube_live',
    id: '',
    src: '',
    muted: false,
    fullscreen: false,
    ...alternative,
  },
  model: {
    file_url: '',
    node: '',
    animate: false,
    lights: true,
    crop_min: { x: 0, y: 0, z: 0 },
    crop_max: { x: 1, y: 1, z: 1 },
    ...alternative,
    navigation,
  },
  motion: { src: '', file_url: '', stream: false, animate: true },
  native_video: {
    direct_url: '',
    src: '',
    file_url: '',
    thumb: '',
    disable_thumb: false,
    module_video: null,
    autoplay: false,
    muted: false,
    controls: false,
    loop: false,
    pause_others: false,
    even_loudness: true,
    fullscreen: false,
    text_tracks: [],
    default_text_track: '',
    audio_description: '',
    model_file_url: '',
    model_animate: false,
    model_mesh_selector: '',
    projection: 'flat',
    stereo: 'auto',
    ...spoken,
    navigation,
  },
  rich_text: { body: '', padding: 0, navigation },
  text: { text: '', file_url: '', color: '#14171C', navigation },
  video: {
    type: 'youtube',
    id: '',
    file_url: '',
    module_video: null,
    mime: '',
    controls: true,
    fullscreen: false,
    autoplay: false,
    muted: false,
    loop: false,
    pause_others: false,
    even_loudness: true,
    text_tracks: [],
    default_text_track: '',
    ...spoken,
  },
  view_point: {
    name: '',
    order_rank: 0,
    target_position: origin,
    pulse_radius: 50,
    pulse_duration: 1500,
    pulse_offset: origin,
    damping_factor: 0.05,
    file_url: '',
    panorama_heading: 0,
    panorama_pitch: 0,
    panorama_roll: 0,
    arrival_view: 'keep',
    ...alternative,
    navigation,
  },
};

const parse = (element: string, fields: object = {}) => flatElementSchema.parse({ id: 1, element, ...fields });

describe('the folder of element types', () => {
  test('holds exactly the types, in kebab-case', () => {
    expect(ELEMENT_TYPES.length).toBeGreaterThanOrEqual(15);
    expect(readdirSync(folder).sort()).toEqual(ELEMENT_TYPES.map((type) => `${kebab(type)}.ts`).sort());
  });

  test.each(ELEMENT_TYPES)('%s exports its schema and its descriptor', async (type) => {
    const file = await import(new URL(`${kebab(type)}.ts`, folder).href);
    expect(Object.keys(file).sort()).toEqual([`${camel(type)}Descriptor`, `${camel(type)}Element`]);
    expect(file[`${camel(type)}Descriptor`]).toBe(descriptors[type]);
    expect(file[`${camel(type)}Element`].parse({ id: 1, element: type }).element).toBe(type);
  });
});

describe('defaults', () => {
  test.each(Object.entries(configs))('config of %s', (type, config) => {
    expect(parse(type).config).toEqual({ ...shared, ...config });
  });

  test('fields that all elements have', () => {
    const { config, ...fields } = parse('light');
    expect(fields).toEqual({
      id: 1,
      index: '',
      element: 'light',
      name: '',
      parent_element_id: null,
      hidden: false,
      editable: true,
      file: null,
      file_id: null,
      width: null,
      height: null,
      depth: null,
      ignore_light: false,
      position_x: 0,
      position_y: 0,
      position_z: 0,
      rotation_x: 0,
      rotation_y: 0,
      rotation_z: 0,
      scale_x: 1,
      scale_y: 1,
      scale_z: 1,
      start_time: null,
      time_zone: null,
      end_time: null,
      utc_offset: null,
      visible_at: [],
      visible_between: null,
    });
  });
});

describe('descriptors', () => {
  const configOf = (type: ElementType) => parse(type).config;

  test.each(ELEMENT_TYPES)('%s says that it has navigation exactly when its config has one', (type) => {
    expect(Boolean(descriptors[type].traits.navigation)).toBe('navigation' in configOf(type));
  });

  test.each(ELEMENT_TYPES)('%s names kinds of file exactly when it has an address for one', (type) => {
    expect(descriptors[type].files !== undefined).toBe('file_url' in configOf(type));
  });

  test.each(ELEMENT_TYPES)('%s names settings that it has', (type) => {
    const { source, traits } = descriptors[type];
    const { sources = [], namedBy = [], clip = [] } = traits;
    const named = [...sources.filter((place) => place !== 'file'), ...(source?.settings ?? []), namedBy, clip].flat();
    expect(named.filter((setting) => !(setting in configOf(type)))).toEqual([]);
  });

  test('a kind of file becomes one type', () => {
    const kinds = ELEMENT_TYPES.flatMap((type) => descriptors[type].madeOf ?? []);
    expect(kinds.length).toBeGreaterThan(0);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test('only a group holds others', () => {
    expect(ELEMENT_TYPES.filter((type) => descriptors[type].container)).toEqual(['group']);
  });
});

describe('bounds of a type', () => {
  test.each([
    ['image', { title_alignment: 'top' }, 'title_alignment'],
    ['image', { title_color: 'white' }, 'title_color'],
    ['image', { appearance: 'zenith' }, 'appearance'],
    ['image', { nadir_angle: 121 }, 'nadir_angle'],
    ['image', { plan_marks: [{ view_point_id: 1, x: 0, y: 1.01 }] }, 'plan_marks'],
    ['image', { plan_marks: Array.from({ length: 2 }, () => ({ view_point_id: 1, x: 0, y: 1 })) }, 'plan_marks'],
    [
      'image',
      { plan_marks: Array.from({ length: 501 }, (_, nth) => ({ view_point_id: nth + 1, x: 0, y: 1 })) },
      'plan_marks',
    ],
    ['button', { font_size: 0 }, 'font_size'],
    ['html', { padding: '10' }, 'padding'],
    ['rich_text', { body: 'x'.repeat(200_001) }, 'body'],
    ['iframe', { src: 'http://example.org' }, 'src'],
    ['video', { type: 'wowza' }, 'type'],
    [
      'video',
      { text_tracks: Array.from({ length: 51 }, () => ({ id: '1', name: 'a', language: 'en' })) },
      'text_tracks',
    ],
    ['view_point', { damping_factor: 0 }, 'damping_factor'],
    ['view_point', { order_rank: 1.5 }, 'order_rank'],
    ['group', { feed_layout: 'rows' }, 'feed_layout'],
    ['light', { light_type: 'laser' }, 'light_type'],
    ['light', { penumbra: 1.1 }, 'penumbra'],
    ['light', { target: { type: 'Sky' } }, 'target'],
    ['audio', { timed_max_out_of_sync: -1 }, 'timed_max_out_of_sync'],
    ['motion', { proximity_sensor_distance: Number.NaN }, 'proximity_sensor_distance'],
  ])('%s refuses %o', (type, config, setting) => {
    const result = flatElementSchema.safeParse({ id: 1, element: type, config });
    expect(result.error?.issues.map(({ path }) => path.slice(0, 2))).toEqual([['config', setting]]);
  });

  test('a media file may say how long it plays, and need not', () => {
    const file = { id: 3, name: 'song.mp3', type: 'audio', url: '/media/3' };
    expect(parse('audio', { file: { ...file, duration: 12.5 } }).file).toEqual({ ...file, duration: 12.5 });
    expect(parse('audio', { file }).file).toEqual(file);
    expect(() => parse('audio', { file: { ...file, duration: -1 } })).toThrow();
  });
});
