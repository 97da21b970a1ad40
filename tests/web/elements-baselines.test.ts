import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { descriptors, ELEMENT_TYPES, type ElementType } from '../../engine/document/element.ts';
import type { Media } from '../../src/contract/entities.ts';
import { webSuite } from '../harness/web-suite.ts';
import { compareWithBaseline } from './elements/baseline.ts';
import {
  asset,
  hasOpenAssets,
  holdTime,
  idOf,
  mediaBecomes,
  newGuest,
  nextFrames,
  plainRoom,
  sayIfAbsent,
  send,
  standIn,
  uploadSite,
  visitTree,
  type Written,
} from './elements/play.ts';

sayIfAbsent();

// Another machine's OpenGL would draw other pixels.
const suite = webSuite({ kind: 'exact' });

interface Scene {
  elements(): Promise<Written[]> | Written[];
  room?: typeof plainRoom;
  /** Whether it shows pages of platforms. */
  platforms?: boolean;
  /** Whether it needs the files made by others. */
  open?: boolean;
  /** Whether a film stands at two seconds in it. */
  film?: boolean;
}

/** Files by their path: each is uploaded once. */
const uploads = new Map<string, Promise<Media>>();
const picture = async (path = 'fixtures/media/panorama-poster.jpg') => {
  const upload = uploads.get(path) ?? suite.app.upload(path);
  uploads.set(path, upload);
  return (await upload).id;
};
const words =
  '<h2>A room</h2><p>With <b>words</b> and a <a href="https://example.org">link</a>.</p><blockquote>Quoted.</blockquote>';

/** A small room for each element type. */
const scenes: Partial<Record<ElementType | 'captions', Scene>> = {
  audio: { open: true, elements: async () => [{ element: 'audio', file_id: await picture(asset('audio/coin.ogg')) }] },
  button: {
    elements: () => [
      {
        element: 'button',
        position_y: 60,
        config: { title: 'Open', sub_title: 'the next room', font_size: 48, sub_title_font_size: 22 },
      },
      { element: 'button', position_y: -80, config: { title: 'Round', font_size: 40, rounded_corners: true } },
    ],
  },
  group: {
    elements: async () => {
      const file_id = await picture();
      const children = [-110, 110].map(
        (position_x): Written => ({ element: 'image', file_id, width: 160, position_x }),
      );
      return [{ element: 'group', rotation_y: 0.5, position_y: 30, config: { slider_enabled: true }, children }];
    },
  },
  html: { elements: () => [{ element: 'html', width: 360, rotation_y: 0.3, config: { body: words, padding: 20 } }] },
  iframe: {
    elements: async () => [
      {
        element: 'iframe',
        file_id: await uploadSite(suite.app, standIn('linear-gradient(45deg, #b7822f, #14171c)')),
        width: 360,
        height: 220,
        rotation_y: -0.3,
      },
    ],
  },
  image: {
    elements: async () => [
      {
        element: 'image',
        file_id: await picture(),
        width: 260,
        depth: 12,
        rotation_y: -0.2,
        position_x: -60,
        config: { title: 'A panorama', author: 'Somebody', date: '2024', title_alignment: 'right', title_size: 26 },
      },
    ],
  },
  captions: {
    elements: async () => {
      const file_id = await picture();
      const words = { title: 'Reeds at dusk', author: 'Ann Example', date: '1901', title_size: 14 };
      const text = 'Oil on canvas, 40 × 60 cm. Painted from memory in the winter after the flood.';
      const hung = { element: 'image', file_id, width: 170, position_y: 40 } as const;
      return [
        {
          ...hung,
          position_x: -190,
          config: { ...words, text, caption_style: 'plaque', caption_side: 'below', caption_width: 170 },
        },
        { ...hung, config: { ...words, title_color: '#FFFFFF', caption_style: 'plaque', caption_side: 'below' } },
        {
          ...hung,
          position_x: 190,
          config: { ...words, text, title_alignment: 'right', caption_side: 'below', caption_width: 110 },
        },
      ];
    },
  },
  light: {
    room: { ...plainRoom, config: { ...plainRoom.config, ambient_light: 0.15 } },
    elements: async () => [
      {
        element: 'light',
        position_x: -150,
        position_y: 150,
        position_z: 200,
        config: { light_type: 'spot_light', color: '#FFD9A0', cast_shadow: true, intensity: 1.5, angle: 0.5 },
      },
      {
        element: 'light',
        position_x: 250,
        position_y: 100,
        position_z: 100,
        config: { light_type: 'point_light', color: '#80A0FF', cast_shadow: true, intensity: 0.5 },
      },
      { element: 'model', file_id: await picture('fixtures/media/orrery.glb'), width: 200, height: 200, depth: 200 },
      { element: 'image', file_id: await picture(), width: 500, height: 300, position_z: -120 },
    ],
  },
  live_stream: {
    platforms: true,
    elements: () => [
      { element: 'live_stream', width: 360, rotation_y: 0.3, config: { type: 'youtube_live', id: '42' } },
    ],
  },
  model: {
    elements: async () => [
      {
        element: 'model',
        file_id: await picture('fixtures/media/orrery.glb'),
        width: 320,
        height: 260,
        depth: 320,
        rotation_x: 0.4,
        config: { animate: true },
      },
    ],
  },
  motion: {
    open: true,
    elements: async () => [{ element: 'motion', file_id: await picture(asset('bvh/fair-dab.bvh')), height: 280 }],
  },
  native_video: {
    open: true,
    film: true,
    elements: async () => [
      {
        element: 'native_video',
        name: 'Film',
        file_id: await picture(asset('video/rabbit320.webm')),
        width: 360,
        rotation_y: 0.3,
        ignore_light: true,
        config: { muted: true },
      },
    ],
  },
  rich_text: {
    elements: () => [{ element: 'rich_text', width: 360, rotation_y: -0.3, config: { body: words, padding: 20 } }],
  },
  text: {
    elements: () => [{ element: 'text', rotation_y: 0.4, config: { text: 'Enfilade\n3D text', color: '#86601F' } }],
  },
  video: {
    platforms: true,
    elements: () => [{ element: 'video', width: 360, rotation_y: -0.3, config: { type: 'vimeo', id: '42' } }],
  },
  view_point: {
    elements: () => [{ element: 'view_point', position_y: -60, rotation_x: 0.5, config: { pulse_radius: 100 } }],
  },
};

const platform = {
  body: standIn('repeating-linear-gradient(90deg, #14171c 0 40px, #86601f 40px 80px)'),
  type: 'text/html',
};

/** The first element of a type's own room, with a picture where it takes one. */
async function fixtureOf(type: ElementType): Promise<Written[]> {
  const fixture = readFileSync(`fixtures/rooms/type-${type.replaceAll('_', '-')}.json`, 'utf8');
  const { id: _, ...element } = JSON.parse(fixture).elements[0];
  return [{ ...element, ...(descriptors[type].files?.includes('image') && { file_id: await picture() }) }];
}

describe('what each element type looks like', () => {
  test.each([...ELEMENT_TYPES, 'captions'] as const)('%s', async (type) => {
    const scene: Scene = scenes[type] ?? { elements: () => fixtureOf(type as ElementType) };
    const { elements, room = plainRoom, platforms, open, film } = scene;
    if (open && !hasOpenAssets) return;
    // Where answers stand ready, nothing comes from what the browser keeps.
    const answers = {
      'https://www.youtube-nocookie.com/': platform,
      'https://player.vimeo.com/': platform,
    };
    const guest = await newGuest(suite.app, suite.browser, platforms ? answers : {});
    const { page } = guest;
    await visitTree(suite.app, guest, await elements(), room);
    if (film) {
      const id = await idOf(page, 'Film');
      await send(page, { type: 'play', element_id: id });
      await mediaBecomes(page, id, { past: 0.2 });
      await send(page, { type: 'pause', element_id: id });
      // Its picture of that moment is there when the browser says so.
      await page.evaluate(async (key) => {
        const video = document.querySelector<HTMLVideoElement>(`video[data-media="${key}"]`)!;
        const shown = new Promise<void>((done) => {
          const look: VideoFrameRequestCallback = (_, { mediaTime }) => {
            if (mediaTime > 1.8) done();
            else video.requestVideoFrameCallback(look);
          };
          video.requestVideoFrameCallback(look);
        });
        window.enfilade!.send({ type: 'seek', element_id: key, at: 2 });
        await shown;
      }, id);
      await mediaBecomes(page, id, { paused: true, past: 1.9, before: 2.1 });
    }
    await holdTime(page, 103.4);
    await nextFrames(page, 20);
    expect(await compareWithBaseline(page, type)).toBe(null);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });
});
