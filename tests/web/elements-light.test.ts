import { Document, NodeIO } from '@gltf-transform/core';
import { KHRLightsPunctual } from '@gltf-transform/extensions';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Media } from '../../src/contract/entities.ts';
import { type Pixels, pixelAt, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import {
  asset,
  hasOpenAssets,
  holdTime,
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

  test('shadow maps are kept while only the camera moves, and drawn again after a change', async () => {
    const file_id = await posterId();
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    await visitTree(suite.app, guest, [
      { element: 'image', file_id, width: 600, height: 400, position_z: -100 },
      { element: 'text', config: { text: 'III', color: '#808080' } },
      { element: 'light', position_z: 250, config: { light_type: 'spot_light', cast_shadow: true } },
    ]);
    await page.evaluate(() => {
      const { dataset } = document.body;
      dataset.shadows = '0';
      window.enfilade!.stage!.three.traverse((node) => {
        node.onBeforeShadow = () => {
          dataset.shadows = String(Number(dataset.shadows) + 1);
        };
      });
    });
    const counts = () =>
      page.evaluate(() => ({
        shadows: Number(document.body.dataset.shadows),
        frames: window.enfilade!.stage!.frames,
      }));
    await nextFrames(page, 10);
    const before = await counts();
    await page.keyboard.down('ArrowLeft');
    await expect.poll(async () => (await counts()).frames).toBeGreaterThan(before.frames + 10);
    await page.keyboard.up('ArrowLeft');
    expect((await counts()).shadows).toBe(before.shadows);
    await holdTime(page, 1);
    expect((await counts()).shadows).toBeGreaterThan(before.shadows);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

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

/** A small box with suns and lamps around it, as bright as Blender exports them. */
async function lamp(suns: number, lamps: number): Promise<number> {
  const document = new Document();
  const buffer = document.createBuffer();
  const corners = document.createAccessor().setType('VEC3').setBuffer(buffer);
  corners.setArray(new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0]));
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', corners));
  const scene = document.createScene().addChild(document.createNode('Lamp').setMesh(mesh));
  const lights = document.createExtension(KHRLightsPunctual);
  for (let nth = 0; nth < suns + lamps; nth++) {
    const light = lights.createLight().setType(nth < suns ? 'directional' : 'point');
    light.setIntensity(nth < suns ? 683 : 54_000);
    const node = document.createNode().setTranslation([0, 0, 1]).setExtension('KHR_lights_punctual', light);
    scene.addChild(node);
  }
  const io = new NodeIO().registerExtensions([KHRLightsPunctual]);
  const file = new File([new Uint8Array(await io.writeBinary(document))], 'lamp.glb');
  return (await suite.app.client.media.upload({ body: {}, files: { file } })).id;
}

describe('lights inside a model', () => {
  test.each([
    ['one sun', 1, 0],
    ['hundreds of suns and lamps', 100, 200],
  ])('%s: other models are lit, not white, and are dark with them switched off', async (_, suns, lamps) => {
    const file_id = await lamp(suns, lamps);
    // Red, so that light beyond what it reflects would show in green and blue.
    const text: Written = { element: 'text', position_x: -60, config: { text: 'III', color: '#803020' } };
    const lit = (on: boolean): Written => ({
      element: 'model',
      name: 'Lamp',
      file_id,
      width: 60,
      height: 60,
      depth: 60,
      position_x: 300,
      config: { lights: on },
    });
    const dim = { ...plainRoom, config: { ...plainRoom.config, ambient_light: 0.1 } };
    const seen = async (on: boolean) => {
      const guest = await newGuest(suite.app, suite.browser);
      await visitTree(suite.app, guest, [text, lit(on)], dim);
      await nextFrames(guest.page, 10);
      const own = await guest.page.evaluate(() => {
        const found: { isSun: boolean; intensity: number }[] = [];
        window.enfilade!.stage!.three.traverse((node) => {
          const light = node as import('three').DirectionalLight;
          if ('isLight' in light && !('isAmbientLight' in light))
            found.push({ isSun: light.isDirectionalLight === true, intensity: light.intensity });
        });
        return found;
      });
      const pixels = await pixelsOf(guest.page);
      expect([guest.faults, guest.strays]).toEqual([[], []]);
      await guest.close();
      return { own, pixels };
    };
    const [on, off] = [await seen(true), await seen(false)];
    expect(off.own).toEqual([]);
    expect(on.own.length).toBe(Math.min(32, suns + lamps));
    const brightness = on.own.reduce((sum, { isSun, intensity }) => sum + (isSun ? intensity : 0), 0);
    expect(brightness).toBeCloseTo(Math.PI, 5);
    /** The brightest that the red letters are, by green: white would be 255. */
    const brightest = ({ data }: Pixels) => {
      let most = 0;
      for (let at = 0; at < data.length; at += 3)
        if (data[at]! > 1.5 * data[at + 1]!) most = Math.max(most, data[at + 1]!);
      return most;
    };
    expect(brightest(on.pixels)).toBeGreaterThan(brightest(off.pixels) + 10);
    expect(brightest(on.pixels)).toBeLessThan(160);
    expect(difference(on.pixels, off.pixels)).toBeGreaterThan(500);
  });
});

test('models reflect the panorama around them', async () => {
  const { id: file_id } = await suite.app.upload('fixtures/media/orrery.glb');
  const model: Written = { element: 'model', file_id, width: 300, height: 300, depth: 300, rotation_x: 0.4 };
  /** Mean of red minus blue in the middle of the model. */
  const warmth = async (background: string): Promise<number> => {
    const picture = sharp({ create: { width: 512, height: 256, channels: 3, background } });
    const file = new File([new Uint8Array(await picture.png().toBuffer())], 'around.png');
    const { id: panorama } = await suite.app.client.media.upload({ body: {}, files: { file } });
    const body = { name: background, model_type: 'pano', file_id: panorama } as const;
    const { id: template_id } = await suite.app.client.templates.create({ body });
    const pixels = await look([model], { ...plainRoom, template_id });
    let sum = 0;
    for (let x = 200; x < 280; x++) {
      const [red, , blue] = pixelAt(pixels, x, 190);
      sum += red - blue;
    }
    return sum / 80;
  };
  expect(await warmth('#ff8080')).toBeGreaterThan((await warmth('#8080ff')) + 20);
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
