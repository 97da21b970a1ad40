import { describe, expect, test } from 'vitest';
import { flatElementSchema } from '../../../../engine/document/element.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import { createEditableScene } from '../../../../engine/scene/editable-scene.ts';
import { fieldsOf, numbersOf, ShownFields } from '../../../../engine/tools/marks/shown-fields.ts';
import { PLAIN_POSE } from '../../../harness/scene-player.ts';

const sceneOf = () =>
  createEditableScene(
    parseRoom({
      id: 1,
      title: 'Room',
      elements: [
        { id: 1, element: 'light', config: { light_type: 'spot_light', distance: 100, angle: 0.5 } },
        { id: 2, element: 'image', width: 50, position_x: 5 },
      ],
    }),
  );

describe('what is shown otherwise than the document has it', () => {
  test('is shown until it is released, and follows what the document does meanwhile', () => {
    const scene = sceneOf();
    const shown = new ShownFields(scene);
    const config = () => scene.elementOf(scene.entityOf(1)!)!.config as { distance: number; angle: number };
    shown.show(1, { config: { distance: 300 } });
    expect(config()).toMatchObject({ distance: 300, angle: 0.5 });
    shown.show(1, { config: { angle: 1 } });
    expect(config(), 'only what was asked for last').toMatchObject({ distance: 100, angle: 1 });
    const edit = { type: 'element.update', id: 1, fields: { config: { distance: 40, angle: 0.2 } } } as const;
    scene.patch(edit);
    shown.patched([edit]);
    expect(config()).toMatchObject({ distance: 40, angle: 1 });
    shown.release(1);
    expect(config()).toMatchObject({ distance: 40, angle: 0.2 });
    scene.dispose();
  });

  test("places are shown without a change of the scene's document", () => {
    const scene = sceneOf();
    const shown = new ShownFields(scene);
    shown.show(2, { position_x: 70, scale_x: 2 });
    const matrix: number[] = [];
    scene.tick({ time: 0, camera: PLAIN_POSE });
    scene.worldMatrix(scene.entityOf(2)!, matrix);
    expect([matrix[0], matrix[12]]).toEqual([2, 70]);
    expect(scene.room.elements[1]!.position_x).toBe(5);
    scene.dispose();
  });
});

describe('numbers of fields', () => {
  const light = { ...flatElementSchema.parse({ id: 1, element: 'light', config: {} }), children: [] } as never;

  test('lead back to the fields that they are of', () => {
    const fields = {
      position_x: 3,
      config: { distance: 5, target: { type: 'Position', position: { x: 1, y: 2, z: 3 } } },
    };
    const numbers = numbersOf(fields);
    expect(numbers).toEqual({
      position_x: 3,
      'config.distance': 5,
      'config.target.position.x': 1,
      'config.target.position.y': 2,
      'config.target.position.z': 3,
    });
    expect(fieldsOf(light, numbers)).toEqual({
      position_x: 3,
      config: { distance: 5, target: { type: 'Position', position: { x: 1, y: 2, z: 3 }, element_id: null } },
    });
  });

  test('set nothing that is no number already: names, lists, what every object has', () => {
    const { name, ...others } = fieldsOf(light, {
      name: 3,
      'config.color': 1,
      '__proto__.polluted': 1,
      'config.constructor': 1,
      'config.nothing.x': 1,
      nothing: 4,
    }) as Record<string, unknown>;
    expect(name).toBe('');
    expect(others).toEqual({});
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
