/** Speed per pixel of deflection, and the dead zone. */
const SPEED = { perPixel: 2 / 100, least: 0.1 } as const;
/** Maximum deflection of the knob in pixels: full speed. */
export const JOYSTICK_REACH = 50;

/**
 * Speed of a joystick.
 * @param distance deflection of the knob in pixels
 * @returns fraction of a full step, 0 to 1
 */
export function joystickSpeed(distance: number): number {
  const speed = Math.min(distance, JOYSTICK_REACH) * SPEED.perPixel;
  return speed < SPEED.least ? 0 : speed;
}
