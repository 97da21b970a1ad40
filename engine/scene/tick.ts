import { events } from './events/watch-events.ts';
import { feeds } from './feeds/feeds.ts';
import { hierarchy } from './hierarchy/hierarchy.ts';
import { markers } from './markers/markers.ts';
import { media } from './media/media.ts';
import { motion } from './motion/motion.ts';
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
 * What a tick does, in this order. What comes or moves by itself (items of feeds, markers) does so before `hierarchy`
 * works out where everything is; what only speaks comes last. Pulses and animations need no turn: `systems/pulse.ts`
 * works them out when they are read.
 */
const systems: readonly ((world: SceneWorld, input: TickInput) => void)[] = [
  clock,
  windows,
  timed,
  countdown,
  feeds,
  markers,
  hierarchy,
  view,
  proximity,
  media,
  updateStreaming,
  motion,
  presence,
  events,
];

/** Runs the systems once. Afterwards `world.events` holds what patches and this tick brought. */
export function runTick(world: SceneWorld, input: TickInput): void {
  const { events: told, pending } = world;
  // Taken out one by one: an array whose length is set to 0 gives up its memory, and the next event asks for it anew.
  while (told.length > 0) told.pop();
  if (pending.length > 0) {
    for (const event of pending) told.push(event);
    pending.length = 0;
  }
  world.outbox = told;
  for (let index = 0; index < systems.length; index++) systems[index]!(world, input);
  world.outbox = pending;
}
