import { isTyping } from '../interaction/typing.ts';
import { CAMERA_LIMITS } from './limits.ts';
import type { CameraRig } from './rig.ts';

/** Milliseconds between steps while a key or arrow is held. */
export const HOLD_REPEAT = 100;

type Step = readonly [forward: number, right: number];
const { step } = CAMERA_LIMITS;
const STEPS: Record<string, Step> = {
  ArrowUp: [step, 0],
  ArrowDown: [-step, 0],
  ArrowLeft: [0, -step],
  ArrowRight: [0, step],
  KeyW: [step, 0],
  KeyS: [-step, 0],
  KeyA: [0, -step],
  KeyD: [0, step],
};
/** Radians per step of a key or arrow that turns. */
export const KEY_TURN_STEP = Math.PI / 24;
const TURNS: Record<string, number> = { KeyQ: KEY_TURN_STEP, KeyE: -KEY_TURN_STEP };
/** Keys for looking up and down. */
const TILTS: Record<string, number> = { PageUp: KEY_TURN_STEP, PageDown: -KEY_TURN_STEP };

/**
 * Moves with the arrow keys or W A S D, turns with Q and E, and looks up and down with Page Up and Page Down; repeats
 * while a key is held. Where visitors don't walk, the keys that move turn instead.
 * @returns a function that stops listening
 */
export function listenToKeyboard(rig: CameraRig): () => void {
  const held = new Set<string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const walk = () => {
    let forward = 0;
    let right = 0;
    for (const code of held) {
      forward += STEPS[code]?.[0] ?? 0;
      right += STEPS[code]?.[1] ?? 0;
      if (rig.rotates) rig.turn(TURNS[code] ?? 0, TILTS[code] ?? 0);
    }
    if (!rig.walks) rig.turn(-Math.sign(right) * KEY_TURN_STEP, Math.sign(forward) * KEY_TURN_STEP);
    else if (forward !== 0 || right !== 0) rig.move(forward, right);
  };
  const stop = () => {
    held.clear();
    clearInterval(timer);
    timer = undefined;
  };
  const down = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      // macOS reports no keyup while ⌘ is held.
      stop();
      return;
    }
    if (isTyping(event.target)) return;
    if (!(event.code in STEPS) && !(event.code in TURNS) && !(event.code in TILTS)) return;
    event.preventDefault();
    if (event.repeat || held.has(event.code)) return;
    held.add(event.code);
    walk();
    timer ??= setInterval(walk, HOLD_REPEAT);
  };
  const up = (event: KeyboardEvent) => {
    held.delete(event.code);
    if (held.size === 0) stop();
  };
  addEventListener('keydown', down);
  addEventListener('keyup', up);
  addEventListener('blur', stop);
  return () => {
    stop();
    removeEventListener('keydown', down);
    removeEventListener('keyup', up);
    removeEventListener('blur', stop);
  };
}
