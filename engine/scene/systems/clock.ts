import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/**
 * Takes over the room time, and that the visitor has entered. A time that is no number leaves the clock where it is.
 */
export function clock(world: SceneWorld, { time, input }: TickInput): void {
  world.tick++;
  if (Number.isFinite(time)) world.time = time;
  else if (Number.isNaN(world.time)) world.time = 0;
  if (input && !world.entered) world.entered = input.some(({ type }) => type === 'entered');
}
