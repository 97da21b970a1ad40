import { Euler, Quaternion, Vector3 } from 'three';
import type { CameraRig } from './rig.ts';

/** Milliseconds in which a device that tells how it is held has told it first. */
const ORIENTATION_TIMEOUT = 2000;

/** Browsers that ask the visitor first have this; it must be called from a press. */
type Asks = { requestPermission?: () => Promise<string> };

/** A device lies flat in its own terms; whoever looks through it holds it upright. */
const UPRIGHT = new Quaternion(-Math.SQRT1_2, 0, 0, Math.SQRT1_2);
const TO_VIEWER = new Vector3(0, 0, 1);
const RADIANS = Math.PI / 180;

/**
 * Direction in which a held device looks.
 * @param angles alpha, beta and gamma in degrees, as the W3C's Device Orientation specification defines them
 * @param screen turn of the screen in degrees
 * @returns radians around the vertical axis, and from straight down
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
 * Looks around as the device is moved, beginning with the direction in which the camera looks now.
 * @param moved told that the camera has moved
 * @returns a function that stops
 * @throws Error when the visitor refused, or the device tells nothing
 */
export async function followOrientation(rig: CameraRig, moved: () => void): Promise<() => void> {
  const answer = await (DeviceOrientationEvent as typeof DeviceOrientationEvent & Asks).requestPermission?.();
  if (answer !== undefined && answer !== 'granted') throw new Error('The visitor refused it.');
  let ahead: number | undefined;
  return new Promise((resolve, reject) => {
    const stop = () => removeEventListener('deviceorientation', follow);
    const timer = setTimeout(() => {
      stop();
      reject(new Error('The device does not tell how it is held.'));
    }, ORIENTATION_TIMEOUT);
    const follow = ({ alpha, beta, gamma }: DeviceOrientationEvent) => {
      if (alpha === null || beta === null || gamma === null) return;
      const { azimuth, polar } = directionOf({ alpha, beta, gamma }, screen.orientation?.angle ?? 0);
      if (ahead === undefined) {
        ahead = rig.azimuth - azimuth;
        clearTimeout(timer);
        resolve(stop);
      }
      rig.look(ahead + azimuth, polar);
      moved();
    };
    addEventListener('deviceorientation', follow);
  });
}
