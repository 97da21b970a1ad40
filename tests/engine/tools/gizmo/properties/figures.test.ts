import { Matrix4, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { mergeFields, type RoomFields } from '../../../../../engine/document/commands.ts';
import { type ElementOf, flatElementSchema } from '../../../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../../../engine/document/room.ts';
import { startFigure, viewPointFigure } from '../../../../../engine/tools/gizmo/properties/camera-figure.ts';
import type { Dragging, Figure } from '../../../../../engine/tools/gizmo/properties/figure.ts';
import { proximityFigure } from '../../../../../engine/tools/gizmo/properties/figure-of.ts';
import { lightFigure } from '../../../../../engine/tools/gizmo/properties/light-figure.ts';
import { localMatrix, sizeFigure } from '../../../../../engine/tools/gizmo/properties/size-figure.ts';

const FREE: Dragging = { step: 1, shift: false, alt: false };
const HERE = new Vector3(10, 20, 30);
const nowhere = () => undefined;

const element = <T extends Parameters<typeof flatElementSchema.parse>[0]>(fields: T) => {
  const { element: type } = fields as { element: ElementOf<'light'>['element'] };
  return { ...flatElementSchema.parse({ id: 1, ...(fields as object) }), element: type, children: [] } as never;
};
const light = (config: object) => element({ element: 'light', config }) as ElementOf<'light'>;

const handle = ({ handles }: Figure, name: string) => {
  const found = handles.find((each) => each.name === name);
  if (!found) throw new Error(`No handle ${name} among ${handles.map((each) => each.name).join(', ')}.`);
  return found;
};

/** Drags a handle to a point of the room, as the pointer would. */
function drag(figure: Figure, name: string, to: Vector3, dragging: Partial<Dragging> = {}) {
  const { way, set } = handle(figure, name);
  const distance = way.type === 'line' ? to.clone().sub(way.from).dot(way.along) : 0;
  return set(to, distance, { ...FREE, ...dragging });
}

describe('handles of a light', () => {
  test('the distance of a point light is dragged at its ball; close to the middle there is no limit', () => {
    const figure = lightFigure(light({ light_type: 'point_light', distance: 200 }), HERE, nowhere);
    expect(handle(figure, 'distance +x').at.toArray()).toEqual([210, 20, 30]);
    expect(drag(figure, 'distance -x', new Vector3(-290.4, 99, 30))).toEqual({
      fields: { config: { distance: 300 } },
      text: 'Distance: 300 units',
    });
    expect(drag(figure, 'distance +y', new Vector3(10, 280, 30), { step: 100 }).fields.config).toEqual({
      distance: 300,
    });
    expect(drag(figure, 'distance +z', new Vector3(10, 20, 35)).text).toBe('Distance: no limit');
    expect(drag(figure, 'distance +z', new Vector3(10, 20, -500)).fields.config, 'never less').toEqual({ distance: 0 });
  });

  test('a spot light has its angle, softness, distance and target; what is dragged is where the handle is then', () => {
    const spot = light({ light_type: 'spot_light', distance: 100, angle: 0.5, penumbra: 0.5 });
    const place = new Vector3(0, 100, 0);
    const figure = lightFigure(spot, place, nowhere);
    const rim = handle(figure, 'angle 0');
    const out = rim.at.clone().setY(0).length();
    expect(rim.at.y).toBeCloseTo(0);
    expect(out).toBeCloseTo(100 * Math.tan(0.5));
    const wider = drag(figure, 'angle 0', rim.at.clone().setLength(100));
    expect(wider.text).toBe('Angle: 45°');
    const after = mergeFields(spot, wider.fields) as ElementOf<'light'>;
    expect(handle(lightFigure(after, place, nowhere), 'angle 0').at.length()).toBeCloseTo(100);
    const { penumbra } = drag(figure, 'penumbra', new Vector3(0, 0, 0)).fields.config as { penumbra: number };
    expect(penumbra).toBe(1);
    expect(drag(figure, 'distance', new Vector3(0, -150, 0)).fields.config).toEqual({ distance: 250 });
    expect(drag(figure, 'target', new Vector3(7.6, 0, -3.2))).toMatchObject({
      fields: { config: { target: { type: 'Position', position: { x: 8, y: 0, z: -3 } } } },
      text: 'Target: 8, 0, -3',
    });
  });

  test('a light that is aimed at an element has no handle for its target, and one from everywhere has none', () => {
    const aimed = light({ light_type: 'directional_light', target: { type: 'Element', element_id: 7 } });
    const figure = lightFigure(aimed, HERE, (id) => (id === 7 ? new Vector3(1, 2, 3) : undefined));
    expect(figure.handles).toEqual([]);
    expect(figure.strokes[0]![1].toArray()).toEqual([1, 2, 3]);
    for (const light_type of ['ambient_light', 'hemisphere_light'])
      expect(lightFigure(light({ light_type }), HERE, nowhere).handles).toEqual([]);
  });
});

describe('handles of what is heard nearby', () => {
  const sound = (config: object) => element({ element: 'audio', config });

  test('its distance is dragged at a ring; a second one shows where it begins to fade', () => {
    const figure = proximityFigure(sound({ proximity_sensor: true, proximity_sensor_distance: 500 }), HERE, -300);
    expect(handle(figure, 'proximity 0').at.toArray()).toEqual([510, 20, 30]);
    expect(figure.faint.length).toBeGreaterThan(0);
    expect(drag(figure, 'proximity 0', new Vector3(660, 0, 0))).toEqual({
      fields: { config: { proximity_sensor_distance: 650 } },
      text: 'Distance: 650 units, full within 450',
    });
  });

  test('what is heard everywhere has none', () => {
    expect(proximityFigure(sound({ proximity_sensor: false }), HERE, -300).handles).toEqual([]);
  });
});

describe('handles of sides', () => {
  const page = (fields: object = {}) => element({ element: 'html', width: 100, height: 60, ...fields });
  const sides = { width: 100, height: 60 };
  const figureOf = (of: never, at = localMatrix(of)) => sizeFigure(of, at, sides, 0);

  test('a corner sets both sides, an edge one; what lies opposite stays', () => {
    const { fields, text } = drag(figureOf(page()), 'size 1 1', new Vector3(90, 50, 0));
    expect(fields).toEqual({ width: 140, height: 80, position_x: 20, position_y: 10, position_z: 0 });
    expect(text).toBe('140 × 80 units');
    expect(drag(figureOf(page()), 'size -1 0', new Vector3(-70, 11, 0)).fields).toEqual({
      width: 120,
      position_x: -10,
      position_y: 0,
      position_z: 0,
    });
  });

  test('with Alt the middle stays; no side turns over', () => {
    expect(drag(figureOf(page()), 'size 1 0', new Vector3(70, 0, 0), { alt: true }).fields).toMatchObject({
      width: 140,
      position_x: 0,
    });
    expect(drag(figureOf(page()), 'size 1 0', new Vector3(-500, 0, 0)).fields).toMatchObject({ width: 1 });
  });

  test('an image keeps its ratio unless Shift is held, and is shown larger meanwhile without being loaded anew', () => {
    const image = element({ element: 'image', width: 100, height: 60 });
    const kept = drag(figureOf(image), 'size 1 1', new Vector3(150, 31, 0));
    expect(kept.fields).toMatchObject({ width: 200, height: 120 });
    expect(kept.meanwhile).toMatchObject({ scale_x: 2, scale_y: 2, position_x: 50, position_y: 30 });
    const freed = drag(figureOf(image), 'size 1 1', new Vector3(150, 30, 0), { shift: true });
    expect(freed.fields).toMatchObject({ width: 200, height: 60 });
    // A side that follows the file goes on following it.
    const following = drag(figureOf(element({ element: 'image', height: 60 })), 'size 1 1', new Vector3(150, 90, 0));
    expect(following.fields).toMatchObject({ height: 120 });
    expect(following.fields).not.toHaveProperty('width');
  });

  test('turned and sized, inside of something that is turned, too: the opposite corner stays', () => {
    const turned = page({ rotation_z: Math.PI / 2, scale_x: 2, position_x: 300 });
    const above = new Matrix4().makeRotationY(Math.PI / 2);
    const matrix = above.clone().multiply(localMatrix(turned));
    const before = sizeFigure(turned, matrix, sides, 0);
    const change = drag(
      before,
      'size 1 1',
      handle(before, 'size 1 1')
        .at.clone()
        .add(new Vector3(0, 40, 0)),
    );
    expect(change.fields).toMatchObject({ width: 120, height: 60 });
    const after = mergeFields<{ config: object }>(turned, change.fields) as never;
    const next = sizeFigure(after, above.clone().multiply(localMatrix(after)), { width: 120, height: 60 }, 0);
    expect(handle(next, 'size -1 -1').at.distanceTo(handle(before, 'size -1 -1').at)).toBeLessThan(1);
  });
});

describe('handles of cameras', () => {
  const room = (config: object, angle: Room['angle'] = null): Room =>
    parseRoom({ id: 1, title: 'Room', angle, config: { camera: config }, elements: [] });

  test('the target of a view point is dragged to what is looked at', () => {
    const point = element({ element: 'view_point', config: { target_position: { x: 0, y: 0, z: -100 } } });
    const figure = viewPointFigure(point, HERE, 50);
    expect(handle(figure, 'target').at.toArray()).toEqual([0, 0, -100]);
    expect(drag(figure, 'target', new Vector3(5, 6, 7)).fields).toEqual({
      config: { target_position: { x: 5, y: 6, z: 7 } },
    });
  });

  test('the start camera turns where it has no target, and keeps its target where it has one', () => {
    const turned = room({ position: { x: 0, y: 0, z: 0 } });
    const { fields } = drag(startFigure(turned), 'target', new Vector3(-100, 0, 0));
    expect(fields.config!.camera).toMatchObject({ rotation: { x: 0, y: 1.570796 }, angle: null });
    const after = mergeFields(turned, fields as RoomFields);
    expect(handle(startFigure(after), 'target').at.x).toBeCloseTo(-300, 1);
    const aimed = room({ angle: { x: 1, y: 2, z: 3 } });
    expect(drag(startFigure(aimed), 'target', new Vector3(9, 9, 9)).fields.config!.camera).toMatchObject({
      angle: { x: 9, y: 9, z: 9 },
    });
    expect(drag(startFigure(aimed), 'position', new Vector3(40.4, 0, 9.6)).fields.config!.camera).toMatchObject({
      position: { x: 40, y: 0, z: 10 },
      angle: { x: 1, y: 2, z: 3 },
    });
  });
});
