import { describe, expect, test } from 'vitest';
import type { Media } from '../../src/contract/entities.ts';
import { type Pixels, pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import {
  asset,
  hasOpenAssets,
  newGuest,
  nextFrames,
  plainRoom,
  sayIfAbsent,
  visitTree,
  type Written,
} from './elements/play.ts';

sayIfAbsent();

const suite = webSuite();

/** What a visitor sees of a room. */
async function look(elements: readonly Written[], room = plainRoom): Promise<Pixels> {
  const guest = await newGuest(suite.app, suite.browser);
  await visitTree(suite.app, guest, elements, room);
  await nextFrames(guest.page, 10);
  const pixels = await pixelsOf(guest.page);
  expect([guest.faults, guest.strays]).toEqual([[], []]);
  await guest.close();
  return pixels;
}

/** Pixels that clearly differ between two pictures. */
const difference = (a: Pixels, b: Pixels): number => {
  let count = 0;
  for (let at = 0; at < a.data.length; at += 3) if (Math.abs(a.data[at]! - b.data[at]!) > 20) count++;
  return count;
};

let poster: Promise<Media> | undefined;
/** The picture on the walls, uploaded once. */
async function posterId(): Promise<number> {
  poster ??= suite.app.upload('fixtures/media/panorama-poster.jpg');
  return (await poster).id;
}

/** A room with little light of its own, letters, and a wall behind them that is lit. */
async function litRoom(light: object): Promise<Pixels> {
  const file_id = await posterId();
  const dim = { ...plainRoom, config: { ...plainRoom.config, ambient_light: 0.1 } };
  return look(
    [
      { element: 'image', file_id, width: 600, height: 400, position_z: -100 },
      { element: 'text', config: { text: 'III', color: '#808080' } },
      {
        element: 'light',
        position_x: 120,
        position_y: 80,
        position_z: 250,
        config: { intensity: 1, ...light },
      } as Written,
    ],
    dim,
  );
}

describe('light', () => {
  test.each(['point_light', 'spot_light', 'directional_light'])(
    'a %s lights, and casts shadows only where it is to',
    async (light_type) => {
      const [dark, lit, shadowed] = [
        await litRoom({ light_type, intensity: 0 }),
        await litRoom({ light_type }),
        await litRoom({ light_type, cast_shadow: true }),
      ];
      expect(difference(dark, lit)).toBeGreaterThan(2000);
      expect(difference(lit, shadowed)).toBeGreaterThan(200);
    },
  );

  test.each(['hemisphere_light', 'ambient_light'])('a %s lights everything', async (light_type) => {
    expect(difference(await litRoom({ light_type, intensity: 0 }), await litRoom({ light_type }))).toBeGreaterThan(
      2000,
    );
  });

  test('fog takes everything in its distance, but not a panorama', async () => {
    const file_id = await posterId();
    const fog = { enabled: true, color: '#FF0000', near: 1, far: 200 };
    const foggy = { ...plainRoom, config: { ...plainRoom.config, fog } };
    const elements: Written[] = [
      { element: 'image', file_id, width: 300, ignore_light: true },
      { element: 'text', position_y: 100, config: { text: 'III' } },
    ];
    const shown = await look(elements, foggy);
    for (const [x, y] of [
      [240, 150],
      [240, 70],
      [60, 60],
    ] as const) {
      const [red, green, blue] = pixelAt(shown, x, y);
      expect(red).toBeGreaterThan(200);
      expect(Math.max(green, blue)).toBeLessThan(60);
    }
    const template = await suite.app.client.templates.create({ body: { name: 'Pano', model_type: 'pano', file_id } });
    const around = await look([], { ...foggy, template_id: template.id });
    const [red, green, blue] = pixelAt(around, 240, 40);
    expect(Math.max(green, blue)).toBeGreaterThan(60);
    expect(red).toBeLessThan(250);
  });
});

describe.skipIf(!hasOpenAssets)('an environment', () => {
  test.each(['artist_workshop_1k.hdr', 'blender-interior.exr'])('of %s lights models', async (name) => {
    const { id: hdr_file_id } = await suite.app.upload(asset(`env/${name}`));
    const { id: file_id } = await suite.app.upload('fixtures/media/orrery.glb');
    const model: Written = { element: 'model', file_id, width: 300, height: 300, depth: 300, rotation_x: 0.4 };
    const room = { ...plainRoom, config: { ...plainRoom.config, ambient_light: 0 } };
    const template = await suite.app.client.templates.create({ body: { name, hdr_file_id } });
    const [plain, lit] = [await look([model], room), await look([model], { ...room, template_id: template.id })];
    expect(difference(plain, lit)).toBeGreaterThan(1000);
  });
});
