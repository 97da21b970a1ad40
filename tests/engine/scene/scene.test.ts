import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyCommand, type RoomCommand } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { createEditableScene, type EditableScene } from '../../../engine/scene/editable-scene.ts';
import type { Scene, SceneState, TickInput } from '../../../engine/scene/scene.ts';
import { PLAIN_POSE, poseOf } from '../../harness/scene-player.ts';
import { commands, crowds, fields, rooms, strides, ticks } from './random-rooms.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Column-major 4 × 4 matrices, multiplied the long way. */
function multiply(a: number[], b: number[]): number[] {
  return IDENTITY.map((_, at) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[k * 4 + (at % 4)]! * b[Math.floor(at / 4) * 4 + k]!;
    return sum;
  });
}

/** Translation, turns around x, y and z, and scale, each a matrix of its own. */
function localMatrix(element: Element): number[] {
  const turn = (angle: number, a: number, b: number) => {
    const matrix = [...IDENTITY];
    matrix[a * 4 + a] = matrix[b * 4 + b] = Math.cos(angle);
    matrix[a * 4 + b] = Math.sin(angle);
    matrix[b * 4 + a] = -Math.sin(angle);
    return matrix;
  };
  const place = [...IDENTITY];
  place.splice(12, 3, element.position_x, element.position_y, element.position_z);
  const scale = [...IDENTITY];
  scale[0] = element.scale_x;
  scale[5] = element.scale_y;
  scale[10] = element.scale_z;
  return [turn(element.rotation_x, 1, 2), turn(element.rotation_y, 2, 0), turn(element.rotation_z, 0, 1), scale].reduce(
    multiply,
    place,
  );
}

function expectMatrices(scene: Scene, elements: readonly Element[], room: number[]): void {
  const matrices = new Map<number | null, number[]>([[null, room]]);
  for (const element of elements) {
    const expected = multiply(matrices.get(element.parent_element_id)!, localMatrix(element));
    matrices.set(element.id, expected);
    const actual: number[] = [];
    scene.worldMatrix(scene.entityOf(element.id)!, actual);
    // Deep chains of large factors lose digits of a 32-bit float; what is left must agree.
    const size = Math.max(1, ...expected.map(Math.abs));
    for (const [at, value] of expected.entries()) expect(Math.abs(actual[at]! - value) / size).toBeLessThan(1e-4);
  }
}

/** Applies what can be applied; the same commands fail for the document and for the scene. */
function patchBoth(scene: EditableScene, room: Room, edits: RoomCommand[]): Room {
  let patched = room;
  for (const edit of edits) {
    let next: Room | undefined;
    try {
      next = applyCommand(patched, edit).room;
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    if (next) scene.patch(edit);
    else expect(() => scene.patch(edit)).toThrow(RangeError);
    patched = next ?? patched;
  }
  return patched;
}

/** What a scene says about its sensors when it is asked one by one. */
const heard = (scene: Scene, state = scene.state()) =>
  Object.keys(state.elements).map((id) => {
    const entity = scene.entityOf(Number(id))!;
    const zone = scene.zone(entity);
    return [id, zone, zone && Math.round(scene.volume(entity) * 10_000) / 10_000];
  });
const stated = (state: SceneState) =>
  Object.entries(state.elements).map(([id, { zone, volume }]) => [id, zone, volume]);

describe('whoever plays a room gets', () => {
  it('after a patch what a fresh scene of the patched room shows', () => {
    fc.assert(
      fc.property(
        rooms,
        fc.array(ticks, { maxLength: 3 }),
        fc.array(commands, { maxLength: 6 }),
        ticks,
        (room, before, edits, last) => {
          const scene = createEditableScene(room);
          for (const input of before) scene.tick(input);
          const patched = patchBoth(scene, room, edits);
          expect(scene.room).toEqual(patched);
          scene.tick(last);
          const fresh = createEditableScene(patched);
          fresh.tick(last);
          expect(scene.state()).toEqual(fresh.state());
          expect(
            Object.keys(scene.state().elements).every(
              (id) => scene.elementOf(scene.entityOf(Number(id))!)?.id === Number(id),
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the same state at a time and pose, whatever was played before', () => {
    fc.assert(
      fc.property(rooms, fc.array(ticks, { maxLength: 12 }), ticks, fc.nat(86_400), (room, before, last, epoch) => {
        const played = createEditableScene(room, { epoch });
        for (const input of before) played.tick(input);
        played.tick(last);
        const fresh = createEditableScene(room, { epoch });
        fresh.tick(last);
        expect(played.state()).toEqual(fresh.state());
      }),
      { numRuns: 300 },
    );
  });

  it('world matrices as a plain recursive product gives them, also after moves', () => {
    fc.assert(
      fc.property(rooms, fc.array(fc.tuple(fc.nat(23), fields), { maxLength: 8 }), ticks, (room, moves, input) => {
        const scene = createEditableScene(room);
        scene.tick(input);
        expectMatrices(scene, room.elements, IDENTITY);
        const list = room.elements;
        for (const [turn, [index, to]] of moves.entries()) {
          const element = list[index % list.length]!;
          const entity = scene.entityOf(element.id)!;
          const position = { x: to.position_x, y: to.position_y, z: to.position_z };
          Object.assign(element, { position_x: position.x, position_y: position.y, position_z: position.z });
          if (turn % 3 === 0) {
            Object.assign(element, { rotation_x: to.rotation_x, rotation_y: to.rotation_y, rotation_z: to.rotation_z });
            scene.setTransform(entity, {
              position,
              rotation: { x: to.rotation_x, y: to.rotation_y, z: to.rotation_z },
            });
          } else scene.setPosition(entity, position.x, position.y, position.z);
          if (turn % 2 === 1) scene.tick(input);
        }
        scene.tick(input);
        expectMatrices(scene, room.elements, IDENTITY);
      }),
      { numRuns: 200 },
    );
  });

  it('right zones and volumes from sensors that sleep, on long walks, among movers, crowds and edits', () => {
    fc.assert(
      fc.property(crowds, fc.array(strides, { minLength: 60, maxLength: 120 }), (room, walk) => {
        const scene = createEditableScene(room);
        const moved = new Map<number, [number, number, number]>();
        const at: [number, number, number] = [0, 0, 0];
        let heading = 0;
        for (const [step, { x, z, turn, leap, movers, hide }] of walk.entries()) {
          heading = turn ?? heading;
          at[0] += leap ? x * 300 : x;
          at[2] += z;
          for (const id of movers) {
            moved.set(id, [x * 20, z, id * 10]);
            scene.setPosition(scene.entityOf(id)!, ...moved.get(id)!);
          }
          if (hide) scene.patch({ type: 'element.update', id: hide, fields: { hidden: step % 3 === 0 } });
          const input = { time: step * 600, camera: poseOf({ position: at, turn: heading }) };
          scene.tick(input);
          const fresh = createEditableScene(scene.room);
          for (const [id, to] of moved) fresh.setPosition(fresh.entityOf(id)!, ...to);
          fresh.tick(input);
          expect(heard(scene)).toEqual(stated(fresh.state()));
        }
      }),
      // A walk shrinks for minutes and tells no more when it is short.
      { numRuns: 25, endOnFailure: true },
    );
  });
});

const image = (id: number, more: object = {}) => ({ id, element: 'image', ...more });
const roomWith = (...elements: object[]) => parseRoom({ id: 1, title: 'Room', elements });
const tickAt = (time: number): TickInput => ({ time, camera: PLAIN_POSE });

describe('the hours of an element', () => {
  it('are those of the day on which the visitor enters, where the sequence starts by entering', () => {
    const scene = createEditableScene(roomWith(image(1, { visible_between: { from: 600, till: 1200 } })), {
      epoch: 0,
    });
    const isVisible = () => scene.state().elements[1]!.visible;
    scene.tick(tickAt(0));
    expect(isVisible()).toBe(false);
    scene.tick({ ...tickAt(0), input: [{ type: 'entered', epoch: 590 }] });
    expect(isVisible()).toBe(false);
    scene.tick(tickAt(9));
    expect(isVisible()).toBe(false);
    scene.tick(tickAt(10));
    expect(isVisible()).toBe(true);
    scene.tick(tickAt(610));
    expect(isVisible()).toBe(false);
    // Entering happens once.
    scene.tick({ ...tickAt(611), input: [{ type: 'entered', epoch: 0 }] });
    expect(isVisible()).toBe(false);
  });
});

describe('whoever draws a room', () => {
  it('is told to draw only when something changed', () => {
    const scene = createEditableScene(roomWith(image(1), image(2, { visible_between: { from: 10, till: 20 } })));
    const versions: number[] = [];
    const versionAfter = (act: () => void) => {
      act();
      versions.push(scene.version);
    };
    versionAfter(() => scene.tick(tickAt(0)));
    versionAfter(() => scene.tick(tickAt(1)));
    versionAfter(() => scene.tick({ time: 2, camera: poseOf({ position: [5, 0, 0] }) }));
    expect(new Set(versions).size).toBe(1);
    versionAfter(() => scene.tick(tickAt(10)));
    versionAfter(() => scene.patch({ type: 'element.update', id: 1, fields: { name: 'New' } }));
    scene.setPosition(scene.entityOf(1)!, 1, 2, 3);
    versionAfter(() => scene.tick(tickAt(11)));
    expect(versions.slice(2)).toEqual([...new Set(versions.slice(2))].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(4);
  });

  it('is given what moved, each once, with everything in it', () => {
    const scene = createEditableScene(roomWith({ id: 1, element: 'group', children: [image(2), image(3)] }, image(4)));
    const ids = () => Array.from(scene.moved.list.subarray(0, scene.moved.count), (e) => scene.elementOf(e)!.id);
    scene.tick(tickAt(0));
    expect(ids()).toEqual([1, 2, 3, 4]);
    scene.tick(tickAt(1));
    expect(ids()).toEqual([]);
    scene.setPosition(scene.entityOf(3)!, 1, 1, 1);
    scene.tick(tickAt(2));
    expect(ids()).toEqual([3]);
    scene.setPosition(scene.entityOf(4)!, 1, 1, 1);
    scene.setPosition(scene.entityOf(3)!, 2, 1, 1);
    scene.setTransform(scene.entityOf(1)!, { rotation: { x: 0, y: 1, z: 0 } });
    scene.tick(tickAt(3));
    expect(ids()).toEqual([1, 2, 3, 4]);
  });

  it('keeps the same arrays in hand while nothing is added', () => {
    const elements = Array.from({ length: 100 }, (_, i) =>
      image(i + 1, { position_x: i, config: { proximity_sensor: true, proximity_sensor_distance: 300 } }),
    );
    const scene = createEditableScene(roomWith(...elements));
    scene.tick(tickAt(0));
    const { events, moved } = scene;
    const { list } = moved;
    for (let time = 1; time < 200; time++) {
      scene.setPosition(scene.entityOf(7)!, time, 0, 0);
      scene.tick({ time, camera: poseOf({ position: [time, 0, 0] }) });
    }
    expect(scene.events).toBe(events);
    expect(scene.moved).toBe(moved);
    expect(scene.moved.list).toBe(list);
  });
});
