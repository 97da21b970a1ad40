import { UNITS_PER_METER } from '../../document/constants.ts';
import type { CameraRig } from '../camera/rig.ts';

/** Walking speed in meters per second at full deflection. */
const SPEED = 1.5;
/** Radians per snap turn: smooth turning causes motion sickness. */
const SNAP_TURN = Math.PI / 6;
/** Stick deflection, 0 to 1, that starts moving, triggers a turn, and re-arms turning. */
const PUSH = { move: 0.15, turn: 0.7, rest: 0.3 } as const;

/** Axis indices of a thumbstick and a touchpad in the `xr-standard` gamepad mapping. */
const STICK = [2, 3] as const;
const PAD = [0, 1] as const;

/** Walks and turns with the sticks of a headset's controllers. */
export class Walk {
  /** Direction of the last turn of each stick that is still deflected. */
  readonly #turned = new Map<XRInputSource, number>();

  /**
   * Moves the camera: the left stick walks, any other walks forward and turns.
   * @param dt seconds since the last frame
   */
  step(sources: Iterable<XRInputSource>, rig: CameraRig, dt: number): void {
    const way = SPEED * UNITS_PER_METER * dt;
    for (const source of sources) {
      const axes = source.gamepad?.axes ?? [];
      const [across, along] = axes.length > STICK[1] ? STICK : PAD;
      const x = axes[across] ?? 0;
      const y = axes[along] ?? 0;
      const walks = source.handedness === 'left';
      const right = walks && Math.abs(x) > PUSH.move ? x * way : 0;
      const forward = Math.abs(y) > PUSH.move ? -y * way : 0;
      if (right !== 0 || forward !== 0) rig.move(forward, right);
      if (!walks) this.#turn(source, x, rig);
    }
  }

  #turn(source: XRInputSource, x: number, rig: CameraRig): void {
    if (Math.abs(x) < PUSH.rest) this.#turned.delete(source);
    const way = Math.sign(x);
    if (Math.abs(x) < PUSH.turn || this.#turned.get(source) === way) return;
    this.#turned.set(source, way);
    rig.turn(-way * SNAP_TURN);
  }
}
