import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import { tintOf } from '../../../engine/scene/markers/tint-of.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { lineOf, PLAIN_POSE } from '../../harness/scene-player.ts';

/** A room with a feed's group (1), with a picture (2) in it, and with an element that has a subject (3). */
const elements = [
  {
    id: 1,
    element: 'group',
    config: { feed_enabled: true, feed_layout: 'cloud', slider_enabled: true },
    children: [{ id: 2, element: 'image' }],
  },
  { id: 3, element: 'model', config: { realtime: true } },
];
const sceneOf = (seed = 0) =>
  createEditableScene(parseRoom({ id: 1, title: 'Guests', config: { realtime: true }, elements }), {
    seed,
    visitor: 'me',
  });
const feedOf = (count: number): VisitorInput => ({
  type: 'feed',
  element_id: 1,
  items: Array.from({ length: count }, (_, index) => ({ file_url: `/media/${index}/a.jpg`, title: `No. ${index}` })),
});
const seen = (ref: string, x: number, element_id?: number): VisitorInput => ({
  type: 'presence',
  ref,
  x,
  y: 1,
  z: 2,
  element_id,
});

describe('the room’s own subject', () => {
  it('may carry the number of the room, unless an element has it', () => {
    const markersIn = (id: number) => {
      const scene = createEditableScene(parseRoom({ id, title: 'Guests', config: { realtime: true }, elements }));
      scene.tick({ time: 0, camera: PLAIN_POSE, input: [seen('her', 10, id)] });
      return scene.state().markers?.map(({ subject }) => subject);
    };
    expect(markersIn(77)).toEqual(['position']);
    expect(markersIn(3)).toEqual(['position_3']);
    expect(markersIn(1)).toBeUndefined();
  });
});

describe('a feed in a room', () => {
  it('shows as many pictures as it may, each a picture of its group, and each a slide', () => {
    const scene = sceneOf();
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [feedOf(500), { type: 'slider.open', element_id: 1 }] });
    const pictures = Object.keys(scene.state().elements)
      .map(Number)
      .filter((id) => id < 0);
    expect(pictures).toHaveLength(200);
    expect(scene.elementOf(scene.entityOf(-7)!)).toMatchObject({
      element: 'image',
      parent_element_id: 1,
      config: { file_url: '/media/6/a.jpg', title: 'No. 6' },
    });
    expect(scene.events.map(lineOf).at(-1)).toBe('slider 1 slide 2, index 0, count 201');
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [{ type: 'slider.previous' }] });
    expect(scene.events.map(lineOf)).toEqual(['slider 1 slide -200, index 200, count 201']);
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [feedOf(0)] });
    expect(scene.events.map(lineOf).at(-1)).toBe('slider.closed 1');
    expect(Object.keys(scene.state().elements)).toEqual(['1', '2', '3']);
  });

  it('keeps the ratio of pictures whose sides are known, and shows words where there is no picture', () => {
    const scene = sceneOf();
    const items = [
      { file_url: '/a.jpg', width: 1600, height: 800 },
      { file_url: '/b.jpg', width: 300, height: 600 },
      { file_url: '/c.jpg' },
      { file_url: '', text: 'Was <b>here</b> & there', author: 'Anna', date: '1 May' },
    ];
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [{ type: 'feed', element_id: 1, items }] });
    const elementOf = (id: number) => scene.elementOf(scene.entityOf(id)!)!;
    expect([-1, -2, -3].map((id) => [elementOf(id).width, elementOf(id).height])).toEqual([
      [200, 100],
      [100, 200],
      [200, 200],
    ]);
    expect(elementOf(-4)).toMatchObject({
      element: 'html',
      config: {
        body: '<p style="font-size: 24px">Was &lt;b&gt;here&lt;/b&gt; &amp; there</p><p style="font-size: 24px">Anna, 1 May</p>',
      },
    });
  });

  it('moves pictures up for a newer one without drawing them anew, and draws anew what changed', () => {
    const scene = sceneOf();
    const item = (name: string, title = name) => ({ file_url: `/${name}.jpg`, title });
    const fill = (...items: ReturnType<typeof item>[]) => {
      scene.tick({ time: 0, camera: PLAIN_POSE, input: [{ type: 'feed', element_id: 1, items }] });
      return scene.events.map(lineOf);
    };
    fill(item('a'), item('b'));
    const [a, b] = [scene.entityOf(-1)!, scene.entityOf(-2)!];
    const placeOf = (entity: number) => scene.state().elements[scene.elementOf(entity)!.id]!.matrix.slice(12, 15);
    const places = [placeOf(a), placeOf(b)];
    expect(fill(item('new'), item('a'), item('b'))).toEqual(['element.added -3']);
    expect([placeOf(a), placeOf(b)]).not.toEqual(places);
    expect(Array.from(scene.moved.list.subarray(0, scene.moved.count))).toEqual(expect.arrayContaining([a, b]));
    expect(fill(item('new'), item('a', 'Other title'), item('b'))).toEqual(['element.changed -1']);
    expect(fill(item('b'))).toEqual(['element.removed -1', 'element.removed -3']);
  });

  it('looks the same in every visit of a room, and otherwise with another seed', () => {
    const [a, b, c] = [sceneOf(4), sceneOf(4), sceneOf(5)].map((scene) => {
      scene.tick({ time: 0, camera: PLAIN_POSE, input: [feedOf(30)] });
      return scene.state().elements;
    });
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  it('opens as a slider at the picture that was pressed', () => {
    const scene = sceneOf();
    const input: VisitorInput[] = [feedOf(3), { type: 'slider.open', element_id: -2 }];
    scene.tick({ time: 0, camera: PLAIN_POSE, input });
    expect(scene.state().slider).toEqual({ element_id: 1, slide: -2 });
  });

  it('stays through edits of other elements, and goes with its group', () => {
    const scene = sceneOf();
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [feedOf(2)] });
    const entity = scene.entityOf(-1);
    scene.patch({ type: 'element.update', id: 2, fields: { position_x: 5 } });
    scene.patch({ type: 'element.remove', id: 2 });
    scene.tick({ time: 1, camera: PLAIN_POSE });
    expect(scene.entityOf(-1)).toBe(entity);
    scene.patch({ type: 'element.remove', id: 1 });
    scene.tick({ time: 2, camera: PLAIN_POSE });
    expect(scene.events.map(lineOf).sort()).toEqual(['element.removed -1', 'element.removed -2', 'element.removed 1']);
  });
});

describe('markers of other visitors', () => {
  it('are where the time has them, however often it was looked', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 100 }), (looks, at) => {
        const [often, once] = [sceneOf(), sceneOf()];
        for (const scene of [often, once]) {
          scene.tick({ time: 0, camera: PLAIN_POSE, input: [seen('anna', 0)] });
          scene.tick({ time: 1, camera: PLAIN_POSE, input: [seen('anna', 500)] });
        }
        for (const look of looks) often.tick({ time: 1 + look / 64, camera: PLAIN_POSE });
        const last = { time: 1 + at / 64, camera: PLAIN_POSE };
        often.tick(last);
        once.tick(last);
        expect(often.state()).toEqual(once.state());
        const x = Math.min(at / 64 / 0.95, 1) * 500;
        expect(once.state().markers?.[0]?.x).toBeCloseTo(x, 2);
      }),
      { numRuns: 50 },
    );
  });

  it('have entities that a stage can draw, and are no elements of the room', () => {
    const scene = sceneOf();
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [seen('anna', 7), seen('me', 8), seen('ben', 9, 3)] });
    const came = scene.events.map(lineOf).filter((line) => line.startsWith('marker'));
    expect(came).toEqual(['marker.added -1 position, anna', 'marker.added -2 position_3, ben']);
    const matrix: number[] = [];
    scene.worldMatrix(scene.entityOf(-1)!, matrix);
    expect(matrix.slice(12)).toEqual([7, 1, 2, 1]);
    expect(scene.elementOf(scene.entityOf(-2)!)?.name).toBe('ben');
    expect(Object.keys(scene.state().elements)).toEqual(['1', '2', '3']);
  });

  it('may be many, up to a thousand, and all go when nobody is seen any more', () => {
    const scene = sceneOf();
    const crowd = Array.from({ length: 1100 }, (_, index) => seen(`visitor ${index}`, index));
    scene.tick({ time: 0, camera: PLAIN_POSE, input: crowd });
    expect(scene.state().markers).toHaveLength(1000);
    scene.tick({ time: 4, camera: PLAIN_POSE, input: crowd.slice(0, 10) });
    scene.tick({ time: 5, camera: PLAIN_POSE });
    expect(scene.state().markers).toHaveLength(10);
    scene.tick({ time: 9, camera: PLAIN_POSE });
    expect(scene.state().markers).toBeUndefined();
    expect(scene.entityOf(-3)).toBeUndefined();
    scene.tick({ time: 9, camera: PLAIN_POSE, input: [seen('anna', 1)] });
    expect(scene.state().markers).toHaveLength(1);
  });

  it('go when the time jumps on, but not when it goes back', () => {
    const scene = sceneOf();
    scene.tick({ time: 1000, camera: PLAIN_POSE, input: [seen('anna', 1)] });
    scene.tick({ time: 10, camera: PLAIN_POSE });
    scene.tick({ time: 14.9, camera: PLAIN_POSE });
    expect(scene.state().markers).toHaveLength(1);
    scene.tick({ time: 15, camera: PLAIN_POSE });
    expect(scene.state().markers).toBeUndefined();
  });

  it('go at once when the room is not shared any more', () => {
    const scene = sceneOf();
    scene.tick({ time: 0, camera: PLAIN_POSE, input: [seen('anna', 1), seen('ben', 2, 3)] });
    scene.patch({ type: 'room.update', fields: { config: { realtime: false } } });
    scene.tick({ time: 1, camera: PLAIN_POSE, input: [seen('carl', 3)] });
    expect(scene.state().markers?.map(({ ref }) => ref)).toEqual(['ben']);
    scene.patch({ type: 'element.remove', id: 3 });
    scene.tick({ time: 2, camera: PLAIN_POSE });
    expect(scene.state().markers).toBeUndefined();
  });
});

describe('where other visitors look', () => {
  const at = (time: number, input: VisitorInput[] = []) => ({ time, camera: PLAIN_POSE, input });
  const looks = (heading: number, ref = 'anna'): VisitorInput => ({
    type: 'presence',
    ref,
    x: 0,
    y: 0,
    z: 0,
    heading,
  });
  const headingIn = (scene: ReturnType<typeof sceneOf>) => scene.state().markers?.[0]?.heading;

  it('is turned to the shortest way round, as fast as markers glide, and their entities turn with them', () => {
    const turn = 2 * Math.PI;
    const angles = fc.integer({ min: 0, max: 239 }).map((step) => (step / 240) * turn);
    fc.assert(
      fc.property(angles, angles, fc.integer({ min: 0, max: 19 }), (from, to, part) => {
        const scene = sceneOf();
        scene.tick(at(0, [looks(from)]));
        scene.tick(at(1, [looks(to)]));
        scene.tick(at(1 + (part / 20) * 0.95));
        const way = to - from - turn * Math.round((to - from) / turn);
        const matrix: number[] = [];
        scene.worldMatrix(scene.entityOf(-1)!, matrix);
        // Half a turn may go either way.
        const ways = Math.abs(Math.abs(way) - Math.PI) < 1e-6 ? [way, -way] : [way];
        const expected = ways.map((each) => from + (each * part) / 20);
        const isAt = (angle: number) =>
          Math.abs(matrix[0]! - Math.cos(angle)) < 1e-3 && Math.abs(matrix[8]! - Math.sin(angle)) < 1e-3;
        expect(expected.some(isAt)).toBe(true);
        expect(expected.some((angle) => Math.abs(Math.sin((headingIn(scene)! - angle) / 2)) < 1e-3)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('is not known of who does not say it, nor of who says something else than an angle', () => {
    const scene = sceneOf();
    scene.tick(at(0, [seen('anna', 1)]));
    expect(headingIn(scene)).toBeUndefined();
    expect(scene.markerLook(-1)).toMatchObject({ faces: false });
    for (const heading of [Number.NaN, Number.POSITIVE_INFINITY]) {
      scene.tick(at(1, [looks(heading)]));
      expect(headingIn(scene)).toBeUndefined();
    }
    scene.tick(at(2, [looks(1)]));
    scene.tick(at(2.1));
    // At once: there is nothing to turn from.
    expect(headingIn(scene)).toBeCloseTo(1, 3);
    scene.tick(at(3, [seen('anna', 5)]));
    scene.tick(at(4));
    expect(headingIn(scene)).toBeCloseTo(1, 3);
    expect(scene.markerLook(-1)).toMatchObject({ faces: true });
    expect(scene.markerLook(1)).toBeNull();
  });

  it('is reached at once, like the place, where the visitor asked for less motion', () => {
    const scene = sceneOf();
    scene.tick(at(0, [looks(0)]));
    scene.tick(at(1, [{ type: 'presence', ref: 'anna', x: 50, y: 0, z: 0, heading: 2, at_once: true }]));
    expect(scene.state().markers).toMatchObject([{ x: 50, heading: 2 }]);
  });

  it('does not slow down because it is told again on the way', () => {
    const scene = sceneOf();
    scene.tick(at(0, [looks(0)]));
    scene.tick(at(1, [looks(2)]));
    scene.tick(at(1.5, [looks(2)]));
    scene.tick(at(1.95));
    expect(headingIn(scene)).toBe(2);
  });

  it('is forgotten with the marker: the next one begins anew', () => {
    const scene = sceneOf();
    scene.tick(at(0, [looks(2)]));
    scene.tick(at(10));
    scene.tick(at(11, [seen('ben', 1)]));
    const matrix: number[] = [];
    scene.worldMatrix(scene.entityOf(-2)!, matrix);
    expect(matrix.slice(0, 12)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  });

  it('comes with a name of at most forty characters and a color from the reference', () => {
    const scene = sceneOf();
    const named = (name: string): VisitorInput => ({ type: 'presence', ref: 'anna.1', x: 1, y: 0, z: 0, name });
    scene.tick(at(0, [named('Guest 7')]));
    expect(scene.state().markers).toMatchObject([{ name: 'Guest 7' }]);
    expect(scene.markerLook(-1)).toEqual({ name: 'Guest 7', tint: tintOf('anna.2'), faces: false });
    expect(tintOf('anna')).not.toBe(tintOf('ben'));
    const { version } = scene;
    scene.tick(at(1, [named('x'.repeat(1000))]));
    expect(scene.markerLook(-1)?.name).toBe('x'.repeat(40));
    // So that it is drawn.
    expect(scene.version).toBeGreaterThan(version);
  });
});

describe("a visitor's own position", () => {
  it('is sent with where the visitor looks, straight down too', () => {
    const scene = sceneOf();
    const quaternionOf = (yaw: number, pitch: number) => {
      const [a, b, c, d] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(pitch / 2), Math.sin(pitch / 2)];
      return { x: a * d, y: b * c, z: -b * d, w: a * c };
    };
    const looks = [
      { yaw: 0.5, pitch: 0 },
      { yaw: -2, pitch: 0.7 },
      { yaw: 3, pitch: -Math.PI / 2 },
    ];
    const sent = looks.map(({ yaw, pitch }, second) => {
      const camera = { ...PLAIN_POSE, quaternion: quaternionOf(yaw, pitch) };
      scene.tick({ time: second, camera, input: [{ type: 'entered' }] });
      return scene.events.flatMap((event) => (event.type === 'presence.send' ? [event.heading] : []));
    });
    expect(sent.map(([heading]) => Number(heading?.toFixed(6)))).toEqual([0.5, -2, 3]);
  });

  it('is sent each second from entering on, and at once when the time goes back', () => {
    const scene = sceneOf();
    const sent = (time: number, ...input: VisitorInput[]) => {
      scene.tick({ time, camera: PLAIN_POSE, input });
      return scene.events.filter(({ type }) => type === 'presence.send').length;
    };
    // One for the room, one for the element.
    expect([sent(99), sent(100, { type: 'entered' }), sent(100), sent(100.9375), sent(101), sent(101.5)]).toEqual([
      0, 2, 0, 0, 2, 0,
    ]);
    expect([sent(50), sent(50.5), sent(51)]).toEqual([2, 0, 2]);
  });
});
