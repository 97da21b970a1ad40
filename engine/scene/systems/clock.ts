import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/** Takes over the room time. A time that is no number leaves the clock where it is. */
export function clock(world: SceneWorld, { time }: TickInput): void {
  world.tick++;
  if (Number.isFinite(time)) world.time = time;
  else if (Number.isNaN(world.time)) world.time = 0;
}
