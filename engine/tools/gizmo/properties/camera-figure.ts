import { Vector3 } from 'three';
import type { ElementOf } from '../../../document/element.ts';
import type { Vector } from '../../../document/fields.ts';
import type { Room } from '../../../document/room.ts';
import { openingDirection } from '../../../stage/camera/opening-view.ts';
import { turnAlong, wholePoint } from '../../camera/camera-views.ts';
import { across, type Change, clean, type Figure, pointText, type Stroke, vectorOf } from './figure.ts';
import { targetHandle } from './light-figure.ts';

/** Aspect ratio of the drawn frustum. */
const ASPECT = 16 / 9;
/** Depth of the drawn frustum: a fraction of the distance to the target, clamped, in units. */
const AHEAD = { part: 0.4, least: 60, most: 300 } as const;
/** Distance in units of the drawn target of a camera without one. */
const FREE_TARGET = 300;

/** Frustum of a camera, and a line to its target. */
function frustum(place: Vector3, target: Vector3, fov: number): Pick<Figure, 'strokes' | 'faint'> {
  const axis = target.clone().sub(place);
  const away = axis.length();
  if (away === 0) axis.set(0, 0, -1);
  axis.normalize();
  const [right, up] = across(axis);
  const depth = Math.min(Math.max(away * AHEAD.part, AHEAD.least), AHEAD.most);
  const high = depth * Math.tan((Math.min(fov, 150) * Math.PI) / 360);
  const corner = (x: number, y: number) =>
    place
      .clone()
      .addScaledVector(axis, depth)
      .addScaledVector(right, x * high * ASPECT)
      .addScaledVector(up, y * high);
  const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  const frame = corners.map((from, index): Stroke => [from, corners[(index + 1) % 4]!]);
  const tip = corner(0, 1.35);
  return {
    strokes: [
      ...frame,
      ...corners.map((to): Stroke => [place, to]),
      // Marks the up direction.
      [corner(-0.3, 1.05), tip],
      [corner(0.3, 1.05), tip],
    ],
    faint: [[place, target]],
  };
}

/** Frustum of a view point, with a handle for its target. @param place of the view point in the room */
export function viewPointFigure({ config }: ElementOf<'view_point'>, place: Vector3, fov: number): Figure {
  const target = vectorOf(config.target_position);
  return {
    ...frustum(place, target, fov),
    handles: [targetHandle(target, (target_position) => ({ config: { target_position } }))],
  };
}

type Camera = Room['config']['camera'];

/** Frustum of the visitors' initial view, with handles for position and target. */
export function startFigure(room: Pick<Room, 'config' | 'angle'>): Figure {
  const { camera } = room.config;
  const place = vectorOf(camera.position);
  const look = camera.angle ?? room.angle;
  const direction = vectorOf(openingDirection(room)).normalize();
  const target = look ? vectorOf(look) : place.clone().addScaledVector(direction, FREE_TARGET);
  const aimed = (position: Vector): Partial<Camera> =>
    look ? { angle: position } : { rotation: turnAlong(vectorOf(position).sub(place)) };
  const fieldsOf = (changes: Partial<Camera>): Change['fields'] => ({ config: { camera: { ...camera, ...changes } } });
  return {
    ...frustum(place, target, camera.fov),
    handles: [
      {
        name: 'position',
        property: 'position',
        at: place,
        shape: 'dot',
        way: { type: 'plane', normal: new Vector3(0, 1, 0) },
        set: (to, _, { step }) => {
          const grid = step ?? 1;
          const on = (value: number) => clean(Math.round(value / grid) * grid);
          const position = { x: on(to.x), y: clean(to.y), z: on(to.z) };
          return { fields: fieldsOf({ position }), text: `Position: ${pointText(wholePoint(position))}` };
        },
      },
      targetHandle(target, (position) => fieldsOf(aimed(position))),
    ],
  };
}
