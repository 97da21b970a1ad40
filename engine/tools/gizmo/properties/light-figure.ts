import type { Vector3 } from 'three';
import type { ElementOf } from '../../../document/element.ts';
import { wholePoint } from '../../camera/camera-views.ts';
import {
  AXES,
  across,
  type Change,
  clean,
  type Figure,
  type PropertyHandle,
  pointText,
  ring,
  type Stroke,
  snapped,
  vectorOf,
} from './figure.ts';

type Light = ElementOf<'light'>;

/** Radius in units of the sphere for lights without a limit, and of the ring for hemisphere lights. */
const DEFAULT_RADIUS = 60;
/** Cone length of a spot light without a limit, relative to the target distance. */
const CONE = 0.8;
/** Dragged distance in units below which the light has no limit. */
const NO_LIMIT = 10;
/** Maximum half angle of a drawn cone in radians. */
const MAX_HALF_ANGLE = 1.4;
const ANGLES = { least: 0.01, most: 1.5708 } as const;
const DEGREE = Math.PI / 180;

function distanceHandle(name: string, from: Vector3, along: Vector3, length: number): PropertyHandle {
  return {
    name,
    property: 'distance',
    at: from.clone().addScaledVector(along, length),
    shape: 'dot',
    way: { type: 'line', from, along },
    set: (_, to, dragging): Change => {
      const distance = to < NO_LIMIT ? 0 : snapped(to, dragging);
      return {
        fields: { config: { distance } },
        text: distance === 0 ? 'Distance: no limit' : `Distance: ${distance} units`,
      };
    },
  };
}

/** Handle for a target point. */
export function targetHandle(at: Vector3, fieldsOf: (position: ReturnType<typeof wholePoint>) => Change['fields']) {
  return {
    name: 'target',
    property: 'target',
    at,
    shape: 'square',
    way: { type: 'surface' },
    set: (to): Change => {
      const position = wholePoint(to);
      return { fields: fieldsOf(position), text: `Target: ${pointText(position)}` };
    },
  } satisfies PropertyHandle;
}

function pointFigure({ config: { distance } }: Light, place: Vector3): Figure {
  const radius = distance || DEFAULT_RADIUS;
  const { x, y, z } = AXES;
  const rings = [...ring(place, x, y, radius), ...ring(place, y, z, radius), ...ring(place, x, z, radius)];
  const handles = Object.entries(AXES).flatMap(([axis, along]) => [
    distanceHandle(`distance +${axis}`, place, along, radius),
    distanceHandle(`distance -${axis}`, place, along.clone().negate(), radius),
  ]);
  return { strokes: distance ? rings : [], faint: distance ? [] : rings, handles };
}

const withAngle = (angle: number, snaps: boolean): number => {
  const degrees = snaps ? Math.round(angle / DEGREE) * DEGREE : angle;
  return Math.round(Math.min(Math.max(degrees, ANGLES.least), ANGLES.most) * 1e6) / 1e6;
};

function coneFigure({ config }: Light, place: Vector3, axis: Vector3, length: number): Figure {
  const { angle, penumbra } = config;
  const [u, v] = across(axis);
  const end = place.clone().addScaledVector(axis, length);
  const rim = (half: number) => length * Math.tan(Math.min(half, MAX_HALF_ANGLE));
  const inner = angle * (1 - penumbra);
  const sides = [u, v, u.clone().negate(), v.clone().negate()];
  const angleHandles = sides.map(
    (along, index): PropertyHandle => ({
      name: `angle ${index}`,
      property: 'angle',
      at: end.clone().addScaledVector(along, rim(angle)),
      shape: 'dot',
      way: { type: 'line', from: end, along },
      set: (_, to, { step }) => {
        const next = withAngle(Math.atan2(Math.max(to, 0), length), step !== null);
        return { fields: { config: { angle: next } }, text: `Angle: ${clean(Math.round((next / DEGREE) * 10) / 10)}°` };
      },
    }),
  );
  const diagonal = u.clone().add(v).normalize();
  const penumbraHandle: PropertyHandle = {
    name: 'penumbra',
    property: 'penumbra',
    at: end.clone().addScaledVector(diagonal, rim(inner)),
    shape: 'dot',
    way: { type: 'line', from: end, along: diagonal },
    set: (_, to, { step }) => {
      const share = 1 - Math.atan2(Math.max(to, 0), length) / angle;
      const next = Math.min(Math.max(step === null ? clean(share) : Math.round(share * 20) / 20, 0), 1);
      return { fields: { config: { penumbra: next } }, text: `Penumbra: ${clean(next)}` };
    },
  };
  return {
    strokes: [
      ...ring(end, u, v, rim(angle)),
      ...sides.map((along): Stroke => [place, end.clone().addScaledVector(along, rim(angle))]),
    ],
    faint: penumbra > 0 ? ring(end, u, v, rim(inner)) : [],
    handles: [...angleHandles, penumbraHandle, distanceHandle('distance', place, axis, length)],
  };
}

/**
 * Visualizes a light's position, direction and range, with handles for them.
 * @param place of the light in the room
 * @param positionOf position of another element, which may be the target
 */
export function lightFigure(
  light: Light,
  place: Vector3,
  positionOf: (elementId: number) => Vector3 | undefined,
): Figure {
  const { light_type: kind, target, distance } = light.config;
  if (kind === 'ambient_light') return { strokes: [], faint: [], handles: [] };
  if (kind === 'hemisphere_light')
    return { strokes: ring(place, AXES.x, AXES.z, DEFAULT_RADIUS), faint: [], handles: [] };
  if (kind === 'point_light') return pointFigure(light, place);
  const aimed = target.type === 'Element' && target.element_id !== null ? positionOf(target.element_id) : undefined;
  const at = aimed ?? vectorOf(target.position);
  const axis = at.clone().sub(place);
  const away = axis.length();
  if (away === 0) axis.set(0, -1, 0);
  axis.normalize();
  const isSpot = kind === 'spot_light';
  const cone = isSpot ? coneFigure(light, place, axis, distance || Math.max(away * CONE, DEFAULT_RADIUS)) : undefined;
  const handle = targetHandle(at, (position) => ({ config: { target: { ...target, position } } }));
  return {
    strokes: [...(cone?.strokes ?? []), ...(isSpot ? [] : [[place, at] as const])],
    faint: [...(cone?.faint ?? []), ...(isSpot ? [[place, at] as const] : [])],
    handles: [...(cone?.handles ?? []), ...(aimed ? [] : [handle])],
  };
}
