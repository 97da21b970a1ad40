import { Euler, Quaternion, Vector3 } from 'three';
import type { CameraRig } from './rig.ts';

/** Milliseconds to wait for the first orientation event. */
const ORIENTATION_TIMEOUT = 2000;

/** Some browsers require permission; the call must come from a user gesture. */
type PermissionRequest = { requestPermission?: () => Promise<string> };

/** Device orientation is relative to a device lying flat; visitors hold it upright. */
const UPRIGHT = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2);
const TO_VIEWER = new Vector3(0, 0, 1);
const RADIANS = Math.PI / 180;

/**
 * Viewing direction of a handheld device.
 * @param angles alpha, beta and gamma in degrees, as defined by the W3C Device Orientation specification
 * @param screen rotation of the screen in degrees
 * @returns radians around the vertical axis, and polar angle from straight down
 */
export function directionOf(
  { alpha, beta, gamma }: { alpha: number; beta: number; gamma: number },
  screen: number,
): { azimuth: number; polar: number } {
  const turn = new Quaternion()
    .setFromEuler(new Euler(beta * RADIANS, alpha * RADIANS, -gamma * RADIANS, 'YXZ'))
    .multiply(UPRIGHT)
    .multiply(new Quaternion().setFromAxisAngle(TO_VIEWER, -screen * RADIANS));
  const back = TO_VIEWER.clone().applyQuaternion(turn);
  return { azimuth: Math.atan2(back.x, back.z), polar: Math.acos(Math.max(-1, Math.min(1, back.y))) };
}

/**
 * Looks around as the device moves: up and down like the device, and sideways by as much as it turns, so that drags and
 * views on arrival stay.
 * @param stage whose rig may change: each room has its own
 * @returns a function that stops following
 * @throws Error if the visitor denies permission or the device sends no orientation
 */
export async function followOrientation(stage: { readonly rig: CameraRig; refresh(): void }): Promise<() => void> {
  const answer = await (
    DeviceOrientationEvent as typeof DeviceOrientationEvent & PermissionRequest
  ).requestPermission?.();
  if (answer !== undefined && answer !== 'granted') throw new Error('The visitor refused it.');
  let before: number | undefined;
  return new Promise((resolve, reject) => {
    const stop = () => removeEventListener('deviceorientation', follow);
    const timer = setTimeout(() => {
      stop();
      reject(new Error('The device does not tell how it is held.'));
    }, ORIENTATION_TIMEOUT);
    const follow = ({ alpha, beta, gamma }: DeviceOrientationEvent) => {
      if (alpha === null || beta === null || gamma === null) return;
      const { azimuth, polar } = directionOf({ alpha, beta, gamma }, screen.orientation?.angle ?? 0);
      if (before === undefined) {
        clearTimeout(timer);
        resolve(stop);
      }
      const { controls } = stage.rig;
      void controls.rotate(azimuth - (before ?? azimuth), 0, false);
      void controls.rotatePolarTo(polar, false);
      before = azimuth;
      stage.refresh();
    };
    addEventListener('deviceorientation', follow);
  });
}
