import { PORTRAIT_FOV } from '../../document/constants.ts';
import type { Room } from '../../document/room.ts';

type Camera = Room['config']['camera'];

/** Polar angle in degrees, wheel speed, damping per frame, step in units, and maximum zoom. */
export const CAMERA_LIMITS = { polar: [60, 120], dollySpeed: 5, damping: 0.05, step: 100, zoom: 4 } as const;

/**
 * Vertical field of view for a screen in degrees: portrait screens have their own.
 * @param aspect width divided by height
 */
export const fovFor = ({ fov, portrait }: Pick<Camera, 'fov' | 'portrait'>, aspect: number): number =>
  aspect < 1 ? (portrait?.fov ?? PORTRAIT_FOV) : fov;

/**
 * Whether visitors walk through a room. In a panorama that looks around they only turn, because walking would move them
 * inside a flat photo; a range set for movement allows it.
 */
export const canWalk = ({ template, config: { camera } }: Pick<Room, 'template' | 'config'>): boolean =>
  template?.model_type !== 'pano' || !camera.rotate || camera.manual_panning;
