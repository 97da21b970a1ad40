import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { moveEpoch } from './windows.ts';

/** Updates the room time and whether the visitor has entered. A time that isn't finite leaves the clock unchanged. */
export function clock(world: SceneWorld, { time, input }: TickInput): void {
  world.tick++;
  if (Number.isFinite(time)) world.time = time;
  else if (Number.isNaN(world.time)) world.time = 0;
  if (!input || world.entered) return;
  const entered = input.find((each) => each.type === 'entered');
  world.entered = entered !== undefined;
  if (entered?.epoch !== undefined) moveEpoch(world, entered.epoch);
}
