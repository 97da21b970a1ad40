/** Camera limits: polar angle in degrees, speed of the wheel, smoothing per frame, units of one step, closest zoom. */
export const CAMERA_LIMITS = { polar: [60, 120], dollySpeed: 5, damping: 0.05, step: 100, zoom: 4 } as const;

/** Field of view that portrait screens get whatever the room says, in degrees. */
export const PORTRAIT_FOV = 75;

/**
 * Vertical field of view for a screen.
 * @param fov the room's own, in degrees
 * @param aspect width divided by height
 */
export const fovFor = (fov: number, aspect: number): number => (aspect < 1 ? PORTRAIT_FOV : fov);
