/** Speed per pixel between a joystick's knob and its middle, and the speed below which it stands still. */
const SPEED = { perPixel: 2 / 100, least: 0.1 } as const;
/** Farthest that the knob goes from the middle, in pixels: full speed. */
export const JOYSTICK_REACH = 50;

/**
 * Speed of a joystick.
 * @param distance pixels between knob and middle
 * @returns part of a whole step, 0 to 1
 */
export function joystickSpeed(distance: number): number {
  const speed = Math.min(distance, JOYSTICK_REACH) * SPEED.perPixel;
  return speed < SPEED.least ? 0 : speed;
}
