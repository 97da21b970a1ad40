import { describe, expect, it } from 'vitest';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { TickInput } from '../../../engine/scene/scene.ts';
import { lineOf, PLAIN_POSE } from '../../harness/scene-player.ts';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const image = (id: number, more: object = {}) => ({ id, element: 'image', ...more });
const roomWith = (...elements: object[]) => parseRoom({ id: 1, title: 'Room', elements });
const tickAt = (time: number): TickInput => ({ time, camera: PLAIN_POSE });

describe('whoever edits a room while it is played', () => {
  it('keeps entities of elements that the edit is not about, and moves made outside the document', () => {
    const scene = createEditableScene(roomWith(image(1), image(2, { position_x: 5 }), image(3)));
    const entity = scene.entityOf(3)!;
    scene.setPosition(entity, 9, 9, 9);
    scene.patch({ type: 'element.remove', id: 1 });
    scene.patch({ type: 'element.update', id: 3, fields: { name: 'Third' } });
    scene.tick(tickAt(0));
    expect(scene.entityOf(3)).toBe(entity);
    expect(scene.elementOf(entity)?.name).toBe('Third');
    expect(scene.state().elements[3]?.matrix.slice(12, 15)).toEqual([9, 9, 9]);
    expect(scene.state().elements[2]?.matrix[12]).toBe(5);
  });

  it('may hold on to the entity of a removed element: nothing happens to the others', () => {
    const scene = createEditableScene(roomWith(image(1), image(2)));
    scene.tick(tickAt(0));
    const gone = scene.entityOf(1)!;
    scene.patch({ type: 'element.remove', id: 1 });
    scene.setPosition(gone, 5, 5, 5);
    scene.setTransform(gone, { scale: { x: 2, y: 2, z: 2 } });
    scene.tick(tickAt(1));
    expect(scene.isVisible(gone)).toBe(false);
    expect(scene.elementOf(gone)).toBeUndefined();
    expect(scene.zone(gone)).toBeUndefined();
    expect(scene.moved.count).toBe(0);
    expect(scene.state().elements[2]?.matrix).toEqual(IDENTITY);
  });

  it('may add far more elements than the room began with', () => {
    const scene = createEditableScene(roomWith(image(1, { position_x: 3 })));
    const model = scene.room.elements[0]!;
    for (let id = 2; id <= 300; id++)
      scene.patch({
        type: 'element.add',
        elements: [{ ...model, id, position_x: id }],
        parent: id % 3 ? 1 : null,
        after: null,
      });
    scene.tick(tickAt(0));
    expect(scene.moved.count).toBe(300);
    const { elements } = scene.state();
    for (let id = 2; id <= 300; id++) expect(elements[id]?.matrix[12]).toBe(id % 3 ? id + 3 : id);
  });

  it('loses nothing of an edit that fails', () => {
    const scene = createEditableScene(roomWith({ id: 1, element: 'group', children: [image(2)] }));
    scene.tick(tickAt(0));
    const before = scene.state();
    expect(() => scene.patch({ type: 'element.move', id: 1, parent: 2, after: null })).toThrow(RangeError);
    expect(() => scene.patch({ type: 'element.remove', id: 9 })).toThrow(RangeError);
    scene.tick(tickAt(0));
    expect(scene.events).toEqual([]);
    expect(scene.state()).toEqual(before);
  });
});

describe('a room that nobody checked', () => {
  it('plays what can be played', () => {
    const odd = [
      null,
      7,
      { id: 'x', element: 'image', config: {} },
      { id: 3, element: 'image', config: null },
      { id: 4, element: 'image', config: { proximity_sensor: true, proximity_sensor_distance: -5 }, position_x: 'far' },
      { id: 5, element: 'image', config: {}, scale_x: Number.NaN, visible_between: { from: 5, till: 1e9 } },
    ];
    const scene = createEditableScene({ elements: odd } as unknown as Room);
    scene.tick({ time: Number.NaN, camera: PLAIN_POSE });
    expect(scene.events.map(lineOf).filter((line) => line.startsWith('error'))).toEqual([
      'error 0 Invalid element',
      'error 3 Invalid element',
    ]);
    const { time, elements } = scene.state();
    expect(time).toBe(0);
    expect(Object.keys(elements)).toEqual(['4', '5']);
    expect(elements[4]?.matrix).toEqual(IDENTITY);
    expect(elements[5]?.matrix).toEqual(IDENTITY);
  });

  it('may be empty', () => {
    const scene = createEditableScene({} as Room);
    scene.tick(tickAt(0));
    expect(scene.events).toEqual([]);
    expect(scene.state()).toEqual({ time: 0, elements: {} });
    scene.dispose();
  });
});
