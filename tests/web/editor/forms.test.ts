import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors, ELEMENT_TYPES, type Element, type ElementType } from '../../../engine/document/element.ts';
import { flatten } from '../../../engine/document/tree.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const newRoom = async () => (await web.app.client.rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;
const open = (id: number) => EditorDriver.open(web.app, web.browser, id);

/** What a person fills in for each type, and what is stored then. */
interface Filled {
  fill(editor: EditorDriver): Promise<void>;
  config: object;
  tabs: readonly string[];
}

/** A form that is only opened and saved. */
const PLAIN: Filled = { fill: async () => undefined, config: {}, tabs: ['Content'] };

const FILLED: Partial<Record<ElementType, Filled>> = {
  audio: {
    tabs: ['Content', 'Settings'],
    fill: async (editor) => {
      await editor.turnOn('Loop');
      await editor.tab('Settings');
      await editor.turnOn('Only nearby');
      await editor.fill('Distance (units)', '750');
    },
    config: { loop: true, proximity_sensor: true, proximity_sensor_distance: 750 },
  },
  button: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.fill('Title', 'Enter');
      await editor.fill('Subtitle', 'the hall');
      await editor.turnOn('Rounded corners');
      await editor.tab('Navigation');
      await editor.choose('Navigation type', 'URL');
      await editor.fill('URL', 'https://example.com/hall');
    },
    config: {
      title: 'Enter',
      sub_title: 'the hall',
      rounded_corners: true,
      navigation: { type: 'url', type_config: { url: 'https://example.com/hall' } },
    },
  },
  group: {
    tabs: ['Content', 'Data feed'],
    fill: async (editor) => {
      await editor.turnOn('Slider');
      await editor.tab('Data feed');
      await editor.turnOn('Data feed');
      await editor.choose('Layout', 'Cloud');
    },
    config: { slider_enabled: true, feed_enabled: true, feed_layout: 'cloud' },
  },
  html: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.window.getByText('HTML', { exact: true }).last().click();
      await editor.window.getByRole('textbox', { name: 'HTML' }).fill('<div style="color:#14171c">Hello</div>');
      await editor.fill('Padding (px)', '12');
    },
    config: { body: '<div style="color:#14171c">Hello</div>', padding: 12 },
  },
  iframe: {
    tabs: ['Content', 'Settings'],
    fill: (editor) => editor.fill('Source url', 'https://example.com/page'),
    config: { src: 'https://example.com/page' },
  },
  image: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.fill('Title', 'Sunset');
      await editor.choose('Title alignment', 'Right');
      await editor.fill('Title color', '#FF0000');
      await editor.fill('Text', 'Two\nlines');
      await editor.fill('Author', 'Ada');
      await editor.tab('Navigation');
      await editor.choose('Navigation type', 'Slug');
      await editor.fill('Slug one', 'museum');
    },
    config: {
      title: 'Sunset',
      title_alignment: 'right',
      title_color: '#FF0000',
      text: 'Two\nlines',
      author: 'Ada',
      navigation: { type: 'slug', type_config: { slug_one: 'museum', slug_two: '' } },
    },
  },
  light: {
    tabs: ['Content', 'Settings'],
    fill: async (editor) => {
      await editor.choose('Light type', 'Spot');
      await editor.fill('Intensity', '3');
      await editor.turnOn('Cast shadow');
      await editor.window.getByRole('group', { name: 'Target position (units)' }).getByLabel('Y').fill('50');
    },
    config: {
      light_type: 'spot_light',
      intensity: 3,
      cast_shadow: true,
      target: { type: 'Position', position: { y: 50 } },
    },
  },
  live_stream: {
    tabs: ['Content', 'Settings'],
    fill: async (editor) => {
      await editor.choose('Platform', 'Wowza');
      await editor.fill('Id', 'abc');
      await editor.fill('HLS address', 'https://example.com/live.m3u8');
    },
    config: { type: 'wowza_live', id: 'abc', src: 'https://example.com/live.m3u8' },
  },
  model: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.turnOn('Animate');
      await editor.tab('Navigation');
      await editor.choose('Navigation type', 'Event');
      await editor.fill('Event', 'opened');
    },
    config: { animate: true, navigation: { type: 'event', type_config: { name: 'opened' } } },
  },
  motion: {
    tabs: ['Content', 'Settings'],
    fill: async (editor) => {
      await editor.fill('Address', 'https://example.com/walk.bvh');
      await editor.turnOn('Stream');
    },
    config: { src: 'https://example.com/walk.bvh', stream: true },
  },
  native_video: {
    tabs: ['Content', 'Settings', 'Navigation', 'Model'],
    fill: async (editor) => {
      await editor.fill('Video address', 'https://example.com/film.mp4');
      await editor.turnOn('Fullscreen');
      await editor.window.getByRole('button', { name: 'Add subtitles' }).click();
      await editor.fill('Language', 'en');
      await editor.fill('Address of the WebVTT file', 'https://example.com/en.vtt');
      await editor.tab('Model');
      await editor.fill('Mesh names', 'Screen, Wall');
    },
    config: {
      direct_url: 'https://example.com/film.mp4',
      fullscreen: true,
      text_tracks: [{ language: 'en', link: 'https://example.com/en.vtt', type: 'subtitles' }],
      model_mesh_selector: 'Screen, Wall',
    },
  },
  rich_text: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      const text = editor.window.getByRole('textbox', { name: 'Text' });
      await editor.choose('Heading', 'Heading 2');
      await text.pressSequentially('Welcome');
      await text.press('Enter');
      await editor.window.getByRole('button', { name: 'Bulleted list' }).click();
      await text.pressSequentially('One');
    },
    config: { body: '<h2>Welcome</h2><ul><li>One</li></ul>' },
  },
  text: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.fill('Text', 'ENFILADE');
      await editor.fill('Color', '#B7822F');
      await editor.tab('Navigation');
      await editor.choose('Navigation type', 'Pop-up with text');
      await editor.fill('Title', 'More');
    },
    config: {
      text: 'ENFILADE',
      color: '#B7822F',
      navigation: { type: 'modal_content', type_config: { content: '', title: 'More' } },
    },
  },
  video: {
    tabs: ['Content', 'Settings'],
    fill: async (editor) => {
      await editor.fill('Video id', 'dQw4w9WgXcQ');
      await editor.turnOn('Muted');
      await editor.tab('Settings');
      await editor.turnOn('Follows the time');
      await editor.fill('Allowed drift (seconds)', '2');
    },
    config: { type: 'youtube', id: 'dQw4w9WgXcQ', muted: true, timed: true, timed_max_out_of_sync: 2 },
  },
  view_point: {
    tabs: ['Content', 'Settings', 'Navigation'],
    fill: async (editor) => {
      await editor.fill('Name in the menu', 'Entrance');
      await editor.fill('Pulse duration (ms)', '900');
      await editor.window.getByRole('group', { name: 'Target position' }).getByLabel('X').fill('-300');
      await editor.fill('Damping factor', '0.1');
    },
    config: { name: 'Entrance', pulse_duration: 900, target_position: { x: -300, y: 0, z: 0 }, damping_factor: 0.1 },
  },
};

/** An element as the document has it, without what differs from place to place. */
const essence = ({ element, name, config, position_x, position_z }: Element) => ({
  element,
  name,
  config,
  position_x,
  position_z,
});

describe('every element type', () => {
  test('has its form in a file of its own', async () => {
    const files = new Set(await readdir('src/editor/elements/forms'));
    expect(ELEMENT_TYPES.filter((type) => !files.has(`${type.replace('_', '-')}.tsx`))).toEqual([]);
  });

  describe('in one room', () => {
    let id: number;
    let editor: EditorDriver;
    beforeAll(async () => {
      id = await newRoom();
      editor = await open(id);
    });
    afterAll(() => editor.close());
    const storedOf = async (type: ElementType) => flatten(await stored(id)).find(({ element }) => element === type)!;
    const before = new Map<ElementType, ReturnType<typeof essence>>();

    test.each(ELEMENT_TYPES)('%s: added, filled in and saved', async (type) => {
      const { fill, config, tabs } = FILLED[type] ?? PLAIN;
      await editor.add(descriptors[type].label);
      expect(await editor.window.getByRole('heading', { level: 2 }).textContent()).toBe(descriptors[type].label);
      expect(await editor.window.getByRole('tab').allTextContents()).toEqual(expect.arrayContaining([...tabs]));
      await fill(editor);
      await editor.save();
      await editor.saved();
      const element = await storedOf(type);
      expect(element).toMatchObject({ element: type, config });
      before.set(type, essence(element));
    });

    test('loaded again, each form is opened and saved, which changes nothing', async () => {
      await editor.reload();
      const { seq } = await web.app.client.rooms.read({ params: { id } });
      for (const type of ELEMENT_TYPES) {
        await editor.select(descriptors[type].label);
        await editor.save();
        await editor.saved();
        expect(essence(await storedOf(type))).toEqual(before.get(type));
      }
      expect((await web.app.client.rooms.read({ params: { id } })).seq).toBe(seq);
      expect(editor.faults).toEqual([]);
    });
  });
});
