import type { Element, ElementOf } from './element.ts';
import type { FileReference, Vector } from './fields.ts';
import type { Room } from './room.ts';
import { ancestorsOf, findElement } from './tree.ts';
import { viewPointsOf } from './view-points.ts';

/** Orientation of a panorama in degrees, applied as heading, pitch, roll; see the fields of view points. */
export interface PanoramaOrientation {
  heading: number;
  pitch: number;
  roll: number;
}

/** A panorama and how it is placed in a room. */
export interface PlacedPanorama extends PanoramaOrientation {
  file: FileReference;
  /** Where it was taken, in room units; null for a template's panorama, which is everywhere. */
  position: Vector | null;
}

/** A view point with a panorama. */
export type PlaceElement = ElementOf<'view_point'>;

/** Whether an element is a place: a view point with a panorama. */
export const isPlace = (element: Element): element is PlaceElement =>
  element.element === 'view_point' && element.file !== null;

/** The places of a room in menu order. */
export const placesOf = (elements: readonly Element[]): PlaceElement[] => viewPointsOf(elements).filter(isPlace);

const NO_TURN: PanoramaOrientation = { heading: 0, pitch: 0, roll: 0 };

/**
 * The panorama at a view point: its own, or else the template's.
 * @param viewPoint undefined for none
 * @returns null without a panorama
 */
export function panoramaAt(
  viewPoint: Pick<PlaceElement, 'file' | 'config'> | undefined,
  template: Room['template'],
): Omit<PlacedPanorama, 'position'> | null {
  if (viewPoint?.file) {
    const { panorama_heading: heading, panorama_pitch: pitch, panorama_roll: roll } = viewPoint.config;
    return { file: viewPoint.file, heading, pitch, roll };
  }
  return template?.model_type === 'pano' && template.file ? { file: template.file, ...NO_TURN } : null;
}

/**
 * The panorama around the visitor: the place's own, or else the template's.
 * @param placeId id of the current view point; 0 for none
 * @returns null in a room without a panorama
 */
export function placePanorama(
  { elements, template }: Pick<Room, 'elements' | 'template'>,
  placeId: number,
): PlacedPanorama | null {
  const element = placeId === 0 ? undefined : findElement(elements, placeId);
  const place = element && isPlace(element) ? element : undefined;
  const panorama = panoramaAt(place, template);
  return panorama && { ...panorama, position: place ? positionInRoom(elements, place) : null };
}

type Placed = Pick<Element, `${'position' | 'rotation' | 'scale'}_${'x' | 'y' | 'z'}`>;

/** A point in an element's coordinates, in those of its parent: scaled, rotated (Euler order XYZ), moved. */
function toParent(point: Vector, of: Placed): Vector {
  const x = point.x * of.scale_x;
  const y = point.y * of.scale_y;
  const z = point.z * of.scale_z;
  // The rotation matrix is Rx · Ry · Rz: first around z, last around x.
  const [sx, cx] = [Math.sin(of.rotation_x), Math.cos(of.rotation_x)];
  const [sy, cy] = [Math.sin(of.rotation_y), Math.cos(of.rotation_y)];
  const [sz, cz] = [Math.sin(of.rotation_z), Math.cos(of.rotation_z)];
  const [x1, y1] = [cz * x - sz * y, sz * x + cz * y];
  const [x2, z2] = [cy * x1 + sy * z, cy * z - sy * x1];
  return {
    x: x2 + of.position_x,
    y: cx * y1 - sx * z2 + of.position_y,
    z: sx * y1 + cx * z2 + of.position_z,
  };
}

/** Position of an element in room units, through all its groups. */
export function positionInRoom(elements: readonly Element[], element: Element): Vector {
  const own = { x: element.position_x, y: element.position_y, z: element.position_z };
  return ancestorsOf(elements, element.id).reduce(toParent, own);
}

/** A direction as heading and pitch in degrees: heading 0 is −z, clockwise seen from above; pitch is upwards. */
export function headingOf({ x, y, z }: Vector): { heading: number; pitch: number } {
  const degrees = 180 / Math.PI;
  return {
    heading: (Math.atan2(x, -z) * degrees + 360) % 360,
    pitch: Math.atan2(y, Math.hypot(x, z)) * degrees,
  };
}

/** The unit vector of a heading and pitch in degrees. */
export function directionOf(heading: number, pitch: number): Vector {
  const [azimuth, elevation] = [(heading * Math.PI) / 180, (pitch * Math.PI) / 180];
  const level = Math.cos(elevation);
  return { x: Math.sin(azimuth) * level, y: Math.sin(elevation), z: -Math.cos(azimuth) * level };
}
