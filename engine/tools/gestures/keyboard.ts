import type { ArrowKey, TransformEvent } from '../../machines/transform.ts';
import { CAMERA_LIMITS } from '../../stage/camera/limits.ts';
import { isTyping, latinKey } from '../../stage/interaction/typing.ts';
import type { FreeCamera } from '../camera/free-camera.ts';

/** Actions of the canvas's keys. */
export type KeyAction =
  | { type: 'transform'; event: TransformEvent }
  | { type: 'arrow'; key: ArrowKey; isDown: boolean }
  | { type: 'box' }
  | { type: 'escape' };

const transform = (event: TransformEvent): KeyAction => ({ type: 'transform', event });

/** By character, so that shortcuts are the same letters on every keyboard layout. */
const EDIT_KEYS: Readonly<Record<string, KeyAction>> = {
  w: transform({ type: 'mode.set', mode: 'translate' }),
  e: transform({ type: 'mode.set', mode: 'scale' }),
  r: transform({ type: 'mode.set', mode: 'rotate' }),
  q: transform({ type: 'space.toggle' }),
  x: transform({ type: 'axis.toggle', axis: 'x' }),
  y: transform({ type: 'axis.toggle', axis: 'y' }),
  z: transform({ type: 'axis.toggle', axis: 'z' }),
  s: transform({ type: 'snap.toggle' }),
  '+': transform({ type: 'handles.grow' }),
  '=': transform({ type: 'handles.grow' }),
  '-': transform({ type: 'handles.shrink' }),
  _: transform({ type: 'handles.shrink' }),
  ' ': transform({ type: 'handles.toggle' }),
  b: { type: 'box' },
  escape: { type: 'escape' },
};

const isArrow = (key: string): key is ArrowKey => /^Arrow(?:Up|Down|Left|Right)$/.test(key);

/** Elements that handle arrow keys and the space bar themselves. */
const OPERATED = 'button, a, [role="tree"], [role="treeitem"], [role="slider"], [role="tab"], [role="listbox"]';

const isOperated = (target: EventTarget | null) => target instanceof Element && target.closest(OPERATED) !== null;

/**
 * Listens to the canvas's keys regardless of focus, except in inputs and dialogs.
 * @param act returns whether it handled the key, which prevents the default action
 * @param interrupt called when the window loses focus
 * @returns a function that stops listening
 */
export function listenToKeys(act: (action: KeyAction) => boolean, interrupt: () => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const onKey = (event: KeyboardEvent) => {
    const isDown = event.type === 'keydown';
    if (event.key === 'Shift') {
      act(transform({ type: isDown ? 'shift.down' : 'shift.up' }));
      return;
    }
    // A key pressed over the canvas may be released anywhere.
    if (!isDown) {
      if (isArrow(event.key)) act({ type: 'arrow', key: event.key, isDown });
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isOperating = isArrow(event.key) || event.key === ' ';
    if (isOperating && isOperated(event.target)) return;
    const action: KeyAction | undefined = isArrow(event.key)
      ? { type: 'arrow', key: event.key, isDown }
      : EDIT_KEYS[latinKey(event).toLowerCase()];
    if (!action) return;
    // Only the handle size repeats while a key is held.
    const isRepeated = event.repeat && event.key !== '+' && event.key !== '=' && event.key !== '-';
    if (isRepeated ? isOperating : act(action)) event.preventDefault();
  };
  addEventListener('keydown', onKey, { signal });
  addEventListener('keyup', onKey, { signal });
  addEventListener('blur', interrupt, { signal });
  return () => abort.abort();
}

/** Milliseconds between steps while an arrow key is held. */
const REPEAT = 100;

const DIRECTIONS: Readonly<Record<ArrowKey, readonly [forward: number, right: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Walks while arrow keys are held. */
export class Walking {
  readonly #camera: FreeCamera;
  readonly #held = new Set<ArrowKey>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(camera: FreeCamera) {
    this.#camera = camera;
  }

  press(key: ArrowKey): void {
    this.#held.add(key);
    this.#step();
    this.#timer ??= setInterval(() => this.#step(), REPEAT);
  }

  release(key: ArrowKey): void {
    this.#held.delete(key);
    if (this.#held.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#held.clear();
  }

  #step(): void {
    let [forward, right] = [0, 0];
    for (const key of this.#held) {
      forward += DIRECTIONS[key][0];
      right += DIRECTIONS[key][1];
    }
    this.#camera.walk(forward * CAMERA_LIMITS.step, right * CAMERA_LIMITS.step);
  }
}
