import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRoom } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { SceneEvent, TickInput } from '../../../engine/scene/scene.ts';
import { MAX_HELD, MAX_MODELS } from '../../../engine/scene/streaming/streaming-state.ts';
import { poseOf } from '../../harness/scene-player.ts';
import { strides } from './random-rooms.ts';

/** Units between two films: of several, only one is near. */
const APART = 2500;
const COUNT = 40;

const alley = () =>
  createEditableScene(
    parseRoom({
      id: 1,
      title: 'Alley',
      elements: Array.from({ length: COUNT }, (_, index) => ({
        id: index + 1,
        element: 'native_video',
        position_z: -500 - index * APART,
        width: 320,
        height: 180,
        config: { loop: true },
      })),
    }),
  );

it('of many films only so many are held: the farthest go, but for what plays, and come again', () => {
  const scene = alley();
  const held = new Set<number>();
  let time = 0;
  const walkTo = (film: number, input?: Parameters<typeof scene.tick>[0]['input']) => {
    scene.tick({ time: time++, camera: poseOf({ position: [0, 0, -film * APART] }), input });
    for (const event of scene.events) {
      if (event.type === 'element.near') held.add(event.element_id);
      if (event.type === 'element.far') held.delete(event.element_id);
    }
  };
  walkTo(0, [{ type: 'entered' }]);
  walkTo(1, [{ type: 'play', element_id: 2 }]);
  for (let film = 0; film < COUNT; film++) {
    walkTo(film);
    expect(held.size).toBeLessThanOrEqual(MAX_HELD);
    expect(held.has(film + 1)).toBe(true);
  }
  // The second film plays on, however far; the others are those that were passed last.
  const last = Array.from({ length: MAX_HELD - 1 }, (_, index) => COUNT - MAX_HELD + 2 + index);
  expect([...held].sort((a, b) => a - b)).toEqual([2, ...last]);
  expect(scene.isNear(scene.entityOf(1)!)).toBe(false);
  walkTo(0);
  expect(held.has(1)).toBe(true);
  // A film that is taken out of the room is held no more: another one fits in, and none has to go for it.
  expect(held.has(30)).toBe(true);
  const before = held.size;
  scene.patch({ type: 'element.remove', id: 30 });
  walkTo(5);
  expect(held.size).toBe(before + 1);
  expect(held.has(6)).toBe(true);
});

it('a weaker device holds fewer, also from one moment to the next', () => {
  const scene = alley();
  const held = new Set<number>();
  const walkTo = (film: number) => {
    scene.tick({ time: film, camera: poseOf({ position: [0, 0, -film * APART] }) });
    for (const event of scene.events) {
      if (event.type === 'element.near') held.add(event.element_id);
      if (event.type === 'element.far') held.delete(event.element_id);
    }
  };
  for (let film = 0; film < COUNT / 2; film++) walkTo(film);
  expect(held.size).toBe(COUNT / 2);
  scene.hold({ players: 6, models: 12 });
  for (let film = COUNT / 2; film < COUNT; film++) walkTo(film);
  expect(held.size).toBe(6);
});

/** Walks past many of a kind, one after another; gives the ids of those that are held at the end. */
function walkPast(count: number, fields: Record<string, unknown>): Set<number> {
  const elements = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    position_z: -500 - index * APART,
    ...fields,
  }));
  const scene = createEditableScene(parseRoom({ id: 1, title: 'Alley', elements }));
  const held = new Set<number>();
  for (let step = 0; step < count; step++) {
    scene.tick({ time: step, camera: poseOf({ position: [0, 0, -step * APART] }) });
    for (const event of scene.events) {
      if (event.type === 'element.near') held.add(event.element_id);
      if (event.type === 'element.far') held.delete(event.element_id);
    }
    expect(held.has(step + 1)).toBe(true);
  }
  return held;
}

it('framed pages are let go like films, and models that are too small to be missed', () => {
  const page = { element: 'iframe', width: 320, height: 180, config: { src: 'https://example.com' } };
  expect(walkPast(COUNT, page).size).toBe(MAX_HELD);
  const model = (size: number) => ({
    element: 'model',
    width: size,
    height: size,
    depth: size,
    config: { file_url: '/media/a.glb' },
  });
  expect(walkPast(MAX_MODELS + 10, model(20)).size).toBe(MAX_MODELS);
  // Large ones are seen from everywhere: who turns around finds them where they were.
  expect(walkPast(MAX_MODELS + 10, model(2000)).size).toBe(MAX_MODELS + 10);
});

it('a crowd is gone through over several ticks, and at once where the camera jumps', () => {
  const crowd = 1000;
  const scene = createEditableScene(
    parseRoom({
      id: 1,
      title: 'Crowd',
      elements: Array.from({ length: crowd }, (_, index) => ({
        id: index + 1,
        element: 'audio',
        position_z: -1300 - (index % 10),
        config: { autoplay: false },
      })),
    }),
  );
  let time = 0;
  const near = (z: number) => {
    time += 1 / 60;
    scene.tick({ time, camera: poseOf({ position: [0, 0, z] }) });
    return scene.events.filter(({ type }) => type === 'element.near').length;
  };
  expect(near(0)).toBe(0);
  time += 1;
  const ticks = [near(-240), near(-240), near(-240), near(-240), near(-240)];
  expect(ticks).toEqual([256, 256, 256, 232, 0]);

  const back = createEditableScene(scene.room);
  back.tick({ time: 0, camera: poseOf({ position: [0, 0, 0] }) });
  back.tick({ time: 0.05, camera: poseOf({ position: [0, 0, -400] }) });
  expect(back.events.filter(({ type }) => type === 'element.near')).toHaveLength(crowd);
});

/** Heavy things of all kinds anywhere in a wide room; more than are held when nobody needs them. */
const scattered = fc
  .array(
    fc.record({
      element: fc.constantFrom('audio', 'iframe', 'native_video', 'model'),
      position_x: fc.integer({ min: -6000, max: 6000 }),
      position_z: fc.integer({ min: -6000, max: 6000 }),
      width: fc.integer({ min: 1, max: 900 }),
      sensor: fc.option(fc.integer({ min: 0, max: 2000 })),
    }),
    { minLength: 60, maxLength: 60 },
  )
  .map((list) =>
    parseRoom({
      id: 1,
      title: 'Scattered',
      elements: list.map(({ sensor, ...fields }, index) => ({
        ...fields,
        id: index + 1,
        height: 1,
        depth: 1,
        config:
          sensor === null
            ? { autoplay: false }
            : { proximity_sensor: true, proximity_sensor_audio_only: true, proximity_sensor_distance: sensor },
      })),
    }),
  );

const idOf = (event: SceneEvent) => ('element_id' in event ? (event.element_id ?? 0) : 0);

it('who walks about has all that who has just come there needs, and of the rest no more than may be held', () => {
  fc.assert(
    fc.property(scattered, fc.array(strides, { minLength: 60, maxLength: 120 }), (room, walk) => {
      const scene = createEditableScene(room);
      const isModel = (id: number) => room.elements[id - 1]?.element === 'model';
      const held = new Set<number>();
      const moved = new Map<number, [number, number, number]>();
      const at: [number, number, number] = [0, 0, 0];
      let heading = 0;
      for (const [step, { x, z, turn, leap, movers, hide }] of walk.entries()) {
        heading = turn ?? heading;
        at[0] += leap ? x * 100 : x * 4;
        at[2] += z * 4;
        for (const id of movers) {
          moved.set(id, [x * 60, 0, id * 100]);
          scene.setPosition(scene.entityOf(id)!, ...moved.get(id)!);
        }
        if (hide) scene.patch({ type: 'element.update', id: hide, fields: { hidden: step % 3 === 0 } });
        const input = { time: step, camera: poseOf({ position: at, turn: heading }) };
        scene.tick(input);
        const came = scene.events.some(({ type }) => type === 'element.near');
        for (const event of scene.events) {
          if (event.type === 'element.near') held.add(event.element_id);
          if (event.type === 'element.far') held.delete(event.element_id);
        }
        const fresh = createEditableScene(scene.room);
        for (const [id, to] of moved) fresh.setPosition(fresh.entityOf(id)!, ...to);
        fresh.tick(input);
        const needed = fresh.events.filter(({ type }) => type === 'element.near').map(idOf);
        expect(needed.filter((id) => !held.has(id))).toEqual([]);
        if (!came) continue;
        const count = (ids: Iterable<number>) => [...ids].filter((id) => !isModel(id)).length;
        expect(count(held)).toBeLessThanOrEqual(Math.max(MAX_HELD, count(needed)));
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

it('what its group shows at last, and what somebody plays from afar, is fetched in the same tick', () => {
  const film = (id: number, position_z: number) => ({
    id,
    element: 'native_video',
    position_z,
    width: 320,
    height: 180,
  });
  const scene = createEditableScene(
    parseRoom({
      id: 1,
      title: 'Hall',
      elements: [{ id: 1, element: 'group', hidden: true, children: [film(2, -500)] }, film(3, -20_000)],
    }),
  );
  const nearAt = (time: number, input?: TickInput['input']) => {
    scene.tick({ time, camera: poseOf({ position: [0, 0, time / 100] }), input });
    return scene.events.filter(({ type }) => type === 'element.near').map(idOf);
  };
  expect([...nearAt(0, [{ type: 'entered' }]), ...nearAt(1), ...nearAt(2)]).toEqual([]);
  scene.patch({ type: 'element.update', id: 1, fields: { hidden: false } });
  expect(nearAt(3)).toEqual([2]);
  expect(nearAt(4)).toEqual([]);
  expect(nearAt(5, [{ type: 'play', element_id: 3 }])).toEqual([3]);
});
