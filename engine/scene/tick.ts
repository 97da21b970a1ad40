import { clock } from './systems/clock.ts';
import { hierarchy } from './systems/hierarchy.ts';
import { proximity } from './systems/proximity.ts';
import { view } from './systems/view.ts';
import { windows } from './systems/windows.ts';
import type { TickInput } from './tick-input.ts';
import type { SceneWorld } from './world.ts';

/** What a tick does, in this order. */
const systems: readonly ((world: SceneWorld, input: TickInput) => void)[] = [
  clock,
  windows,
  hierarchy,
  view,
  proximity,
];

/** Runs the systems once. Afterwards `world.events` holds what patches and this tick brought. */
export function runTick(world: SceneWorld, input: TickInput): void {
  const { events, pending } = world;
  if (events.length > 0) events.length = 0;
  if (pending.length > 0) {
    for (const event of pending) events.push(event);
    pending.length = 0;
  }
  world.outbox = events;
  for (let index = 0; index < systems.length; index++) systems[index](world, input);
  world.outbox = pending;
}
