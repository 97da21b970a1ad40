import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { moveDay } from './windows.ts';

/**
 * Takes over the room time, and that the visitor has entered. A time that is no number leaves the clock where it is.
 */
export function clock(world: SceneWorld, { time, input }: TickInput): void {
  world.tick++;
  if (Number.isFinite(time)) world.time = time;
  else if (Number.isNaN(world.time)) world.time = 0;
  if (!input || world.entered) return;
  const entered = input.find((each) => each.type === 'entered');
  world.entered = entered !== undefined;
  if (entered?.day_start !== undefined) moveDay(world, entered.day_start);
}
