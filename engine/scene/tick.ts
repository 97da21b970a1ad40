import { events } from './events/watch-events.ts';
import { feeds } from './feeds/feeds.ts';
import { hierarchy } from './hierarchy/hierarchy.ts';
import { markers } from './markers/markers.ts';
import { media } from './media/media.ts';
import { motion } from './motion/motion.ts';
import { places } from './places/places.ts';
import { presence } from './presence/presence.ts';
import { proximity } from './proximity/proximity.ts';
import { updateStreaming } from './streaming/streaming.ts';
import type { TickInput } from './tick-input.ts';
import { countdown, timed } from './timed/timed.ts';
import { view } from './view/view.ts';
import { clock } from './windows/clock.ts';
import { windows } from './windows/windows.ts';
import type { SceneWorld } from './world.ts';

/**
 * The systems of a tick in order. Feed items and markers are added and moved before `hierarchy` computes world
 * matrices; systems that only emit events come last. Pulses and animations need no system: `motion/pulse.ts` computes
 * them on read.
 */
const systems: readonly ((world: SceneWorld, input: TickInput) => void)[] = [
  clock,
  windows,
  timed,
  countdown,
  feeds,
  markers,
  hierarchy,
  places,
  view,
  proximity,
  media,
  updateStreaming,
  motion,
  presence,
  events,
];

/** Runs all systems once. Afterwards `world.events` contains the events of patches and of this tick. */
export function runTick(world: SceneWorld, input: TickInput): void {
  const { events: emitted, pending } = world;
  // Popping keeps the array's memory; setting its length to 0 would release it.
  while (emitted.length > 0) emitted.pop();
  if (pending.length > 0) {
    for (const event of pending) emitted.push(event);
    pending.length = 0;
  }
  world.outbox = emitted;
  for (let index = 0; index < systems.length; index++) systems[index]!(world, input);
  world.outbox = pending;
}
