import type { Stage } from '../stage.ts';

/** Milliseconds without input before the view turns. */
const IDLE_TIME = 10_000;
/** Maximum seconds that one frame turns the view, after a page was in the background. */
const MAX_STEP = 0.1;
/** Visitor input that stops turning. */
const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const;

/** Whether an event is input. Browsers also report pointers that rest while something moves below them. */
const isInput = (event: Event): boolean =>
  event.type !== 'pointermove' || (event as PointerEvent).movementX !== 0 || (event as PointerEvent).movementY !== 0;

export interface Autorotation {
  /** Degrees per second, clockwise seen from above. */
  speed: number;
  /** Whether to turn now, instead of after idle seconds. */
  begins?: boolean;
  /** Whether an input doesn't stop it. */
  ignores?(event: Event): boolean;
  /** Called when it starts or stops. */
  notify?(isTurning: boolean): void;
}

/**
 * Turns the view while visitors are idle, where they look around; never under reduced motion or in a headset.
 * @returns a function that ends it
 */
export function autorotate(
  stage: Pick<Stage, 'rig' | 'refresh'>,
  { speed, begins = false, ignores = () => false, notify }: Autorotation,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;
  let before = 0;
  const turn = (now: number) => {
    const seconds = Math.min((now - before) / 1000, MAX_STEP);
    before = now;
    const { rig } = stage;
    if (rig.rotates && rig.glides) {
      rig.turn((-speed * seconds * Math.PI) / 180);
      stage.refresh();
    }
    frame = requestAnimationFrame(turn);
  };
  const begin = () => {
    before = performance.now();
    frame = requestAnimationFrame(turn);
    notify?.(true);
  };
  const rest = () => {
    clearTimeout(timer);
    if (frame !== undefined) {
      cancelAnimationFrame(frame);
      frame = undefined;
      notify?.(false);
    }
  };
  const stop = (event: Event) => {
    if (!isInput(event) || ignores(event)) return;
    rest();
    timer = setTimeout(begin, IDLE_TIME);
  };
  if (begins) begin();
  else timer = setTimeout(begin, IDLE_TIME);
  const options = { capture: true, passive: true };
  for (const input of INPUTS) addEventListener(input, stop, options);
  return () => {
    rest();
    for (const input of INPUTS) removeEventListener(input, stop, options);
  };
}
