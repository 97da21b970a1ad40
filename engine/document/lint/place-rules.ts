import { descriptorOf, type Element } from '../element.ts';
import type { Vector } from '../fields.ts';
import { type LintedRoom, type Rule, titleOf } from './finding.ts';

/** Distance in units that an element can be outside unreported: dragging rounds positions. */
const TOLERANCE = 1;
const AXES = ['x', 'y', 'z'] as const;

/** Rotates a vector by Euler angles in order XYZ (first around z, last around x), as in three.js. */
function rotate({ x, y, z }: Vector, { rotation_x, rotation_y, rotation_z }: Element): Vector {
  const [sx, cx] = [Math.sin(rotation_x), Math.cos(rotation_x)];
  const [sy, cy] = [Math.sin(rotation_y), Math.cos(rotation_y)];
  const [sz, cz] = [Math.sin(rotation_z), Math.cos(rotation_z)];
  const x1 = x * cz - y * sz;
  const y1 = x * sz + y * cz;
  const x2 = x1 * cy + z * sy;
  const z2 = z * cy - x1 * sy;
  return { x: x2, y: y1 * cx - z2 * sx, z: y1 * sx + z2 * cx };
}

/** World position of an element, through the transforms of its ancestors (nearest first). */
function positionOf(element: Element, ancestors: readonly Element[]): Vector {
  let point = { x: element.position_x, y: element.position_y, z: element.position_z };
  for (const parent of ancestors) {
    const scaled = { x: point.x * parent.scale_x, y: point.y * parent.scale_y, z: point.z * parent.scale_z };
    const turned = rotate(scaled, parent);
    point = { x: turned.x + parent.position_x, y: turned.y + parent.position_y, z: turned.z + parent.position_z };
  }
  return point;
}

/** The first axis on which a point is outside the room's box, which is centered on the origin. */
function axisOutside({ room }: LintedRoom, point: Vector): { axis: string; at: number; limit: number } | undefined {
  const half = { x: room.width / 2, y: room.height / 2, z: room.depth / 2 };
  const axis = AXES.find((name) => Math.abs(point[name]) > half[name] + TOLERANCE);
  return axis && { axis, at: Math.round(point[axis]), limit: half[axis] };
}

export const outsideRoom: Rule = (room, report) => {
  for (const at of room.placed) {
    if (!at.ancestors || descriptorOf(at.element).isPlaceless?.(at.element)) continue;
    const outside = axisOutside(room, positionOf(at.element, at.ancestors));
    if (outside)
      report(
        'outside-room',
        at,
        `position_${outside.axis}`,
        `${titleOf(at.element)} is at ${outside.axis} = ${outside.at}, outside the room's bounds of ±${outside.limit}.`,
        'Move it inside, or enlarge the room.',
      );
  }
};

export const cameraOutsideRoom: Rule = (room, report) => {
  const { position, portrait } = room.room.config.camera;
  for (const [field, name, place] of [
    ['position', 'start position', position],
    ['portrait.position', 'start position on portrait screens', portrait?.position],
  ] as const) {
    const outside = place && axisOutside(room, place);
    if (!outside) continue;
    report(
      'camera-outside-room',
      null,
      `config.camera.${field}.${outside.axis}`,
      `The camera's ${name} is at ${outside.axis} = ${outside.at}, outside the room's bounds of ±${outside.limit}.`,
      'Move the camera inside, or enlarge the room.',
    );
  }
};

/** A pan range whose minimum is above its maximum. */
export const emptyPanRange: Rule = ({ room }, report) => {
  const { manual_panning, min_pan, max_pan } = room.config.camera;
  const axis = AXES.find((name) => min_pan[name] > max_pan[name]);
  if (manual_panning && axis)
    report(
      'empty-pan-range',
      null,
      `config.camera.min_pan.${axis}`,
      `The lower limit of ${axis}, ${min_pan[axis]}, is above the upper limit, ${max_pan[axis]}.`,
      'Swap the two values.',
    );
};

/** Fog whose far distance is before its near distance. */
export const fogRange: Rule = ({ room }, report) => {
  const { enabled, near, far } = room.config.fog;
  if (enabled && near >= far)
    report(
      'fog-range',
      null,
      'config.fog.near',
      `Fog starts at ${near} units but ends at ${far}.`,
      'Make near less than far.',
    );
};

/** An element with a scale of zero. */
export const zeroScale: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const axis = AXES.find((name) => at.element[`scale_${name}`] === 0);
    if (axis)
      report(
        'zero-scale',
        at,
        `scale_${axis}`,
        `${titleOf(at.element)} has a scale of 0 along ${axis} and is invisible.`,
        'Use a scale other than 0, or hide the element.',
      );
  }
};
