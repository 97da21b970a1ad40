import type { Room } from '../../document/room.ts';

/** Polar angle in degrees, wheel speed, damping per frame, step in units, and maximum zoom. */
export const CAMERA_LIMITS = { polar: [60, 120], dollySpeed: 5, damping: 0.05, step: 100, zoom: 4 } as const;

/** Vertical field of view on portrait screens in degrees; overrides the room's setting. */
export const PORTRAIT_FOV = 75;

/**
 * Vertical field of view for a screen.
 * @param fov the room's setting in degrees
 * @param aspect width divided by height
 */
export const fovFor = (fov: number, aspect: number): number => (aspect < 1 ? PORTRAIT_FOV : fov);

/**
 * Whether visitors walk through a room. In a panorama that looks around they only turn, because walking would move them
 * inside a flat photo; a range set for movement allows it.
 */
export const canWalk = ({ template, config: { camera } }: Pick<Room, 'template' | 'config'>): boolean =>
  template?.model_type !== 'pano' || !camera.rotate || camera.manual_panning;
