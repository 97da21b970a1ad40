import { PORTRAIT_FOV } from '../../document/constants.ts';
import { placePanorama } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';

type Camera = Room['config']['camera'];

/**
 * How far visitors look up and down in degrees (at a place, nearly to the poles), wheel speed, damping per frame, step in
 * units, and maximum zoom outside panoramas.
 */
export const CAMERA_LIMITS = { tilt: 30, tiltAtPlace: 89, dollySpeed: 5, damping: 0.05, step: 100, zoom: 4 } as const;

/**
 * Vertical field of view for a screen in degrees: portrait screens have their own.
 * @param aspect width divided by height
 */
export const fovFor = ({ fov, portrait }: Pick<Camera, 'fov' | 'portrait'>, aspect: number): number =>
  aspect < 1 ? (portrait?.fov ?? PORTRAIT_FOV) : fov;

type Panoramic = Pick<Room, 'template' | 'config' | 'elements'>;

/**
 * Whether visitors walk through a room. In a panorama that looks around they only turn, because walking would move them
 * inside a flat photo; around a template's panorama, a range set for movement allows it.
 * @param place id of the current view point; 0 for none
 */
export function canWalk(room: Panoramic, place = 0): boolean {
  const panorama = placePanorama(room, place);
  const { rotate, manual_panning } = room.config.camera;
  return !panorama || (panorama.position === null && (!rotate || manual_panning));
}

/** Screen pixels per image pixel at the maximum zoom of a panorama: beyond, it only gets blurred. */
const MAX_MAGNIFICATION = 2;

/**
 * Maximum zoom: in a panorama, by its resolution, but at least twice.
 * @param pixels height of the canvas
 * @param fov vertical field of view in degrees
 */
export function maxZoomOf(room: Panoramic, place: number, pixels: number, fov: number): number {
  const file = placePanorama(room, place)?.file;
  if (!file?.width || !(pixels > 0)) return CAMERA_LIMITS.zoom;
  const perRadian = file.width / (file.part?.width ?? 1) / (2 * Math.PI);
  return Math.max(2, (MAX_MAGNIFICATION * perRadian * 2 * Math.tan((fov * Math.PI) / 360)) / pixels);
}
