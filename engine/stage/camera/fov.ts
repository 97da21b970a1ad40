/** Field of view that portrait screens get whatever the room says, in degrees. */
export const PORTRAIT_FOV = 75;

/**
 * Vertical field of view for a screen.
 * @param fov the room's own, in degrees
 * @param aspect width divided by height
 */
export const fovFor = (fov: number, aspect: number): number => (aspect < 1 ? PORTRAIT_FOV : fov);
