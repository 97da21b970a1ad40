import { addComponent, hasComponent, query, removeComponent } from 'bitecs';
import { DAY } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import type { SceneWorld } from '../world.ts';
import { dequeue, enqueue, passNext, seekQueue, sortQueue } from './time-queue.ts';
import { refreshVisibility } from './visibility.ts';

/** Seconds since the room's day began; it begins at room time 0 and lasts a day. */
const secondOfDay = (time: number) => time - Math.floor(time / DAY) * DAY;

/** Opens and closes windows: those whose edges have passed, or after a jump all of them. */
export function windows(world: SceneWorld): void {
  const { edges, time } = world;
  const step = time - world.edgesAt;
  if (step === 0) return;
  // Worked out and asked here, because a number that is handed on may be put on the heap, and mostly no edge is due.
  const day = Math.floor(time / DAY);
  const now = time - day * DAY;
  if (step > 0 && step < DAY) {
    if (day !== Math.floor(world.edgesAt / DAY)) {
      pass(world, DAY, now);
      edges.cursor = 0;
    }
    if (edges.cursor < edges.count && edges.times[edges.cursor]! <= now) pass(world, now, now);
  } else {
    if (!edges.sorted) sortQueue(edges);
    seekQueue(edges, now);
    for (const entity of query(world.ecs, [world.Window])) turn(world, entity, now);
  }
  world.edgesAt = time;
}

function pass(world: SceneWorld, until: number, now: number): void {
  for (let entity = passNext(world.edges, until); entity; entity = passNext(world.edges, until))
    turn(world, entity, now);
}

function turn(world: SceneWorld, entity: number, now: number): void {
  const open = isOpen(world, entity, now) ? 1 : 0;
  if (open === world.Visibility.open[entity]) return;
  world.Visibility.open[entity] = open;
  refreshVisibility(world, entity);
}

/** From inclusive, till exclusive; across the end of the day when till comes before from. */
function isOpen({ Window }: SceneWorld, entity: number, now: number): boolean {
  const from = Window.from[entity]!;
  const till = Window.till[entity]!;
  return from <= till ? now >= from && now < till : now >= from || now < till;
}

/**
 * Takes an entity's window from its element and turns it from the element's local day into the room's. A window counts
 * as closed until the first tick tells the time.
 */
export function readWindow(world: SceneWorld, entity: number, element: Element): void {
  const { ecs, Window, Visibility, edges } = world;
  const had = hasComponent(ecs, entity, Window);
  const between = world.windowless ? null : element.visible_between;
  const span = between ? between.till - between.from : DAY;
  // A window from a moment to the same moment never opens, one that spans the day never closes: neither has edges.
  if (!between || span === 0 || Math.abs(span) === DAY) {
    if (had) forgetWindow(world, entity);
    Visibility.open[entity] = span === DAY ? 1 : 0;
    return;
  }
  const shift = (element.utc_offset ?? 0) * 60 - world.dayStart;
  const from = secondOfDay(between.from + shift);
  const till = secondOfDay(between.till + shift);
  if (had && from === Window.from[entity] && till === Window.till[entity]) return;
  if (had) forgetWindow(world, entity);
  addComponent(ecs, entity, Window);
  Window.from[entity] = from;
  Window.till[entity] = till;
  enqueue(edges, from, entity);
  enqueue(edges, till, entity);
  world.edgesAt = Number.NaN;
  Visibility.open[entity] = isOpen(world, entity, secondOfDay(world.time)) ? 1 : 0;
}

/** Turns all windows into another day. @param dayStart UTC second of the day at room time 0 */
export function moveDay(world: SceneWorld, dayStart: number): void {
  if (dayStart === world.dayStart) return;
  world.dayStart = dayStart;
  for (const entity of [...query(world.ecs, [world.Window])]) readWindow(world, entity, world.elements[entity]!);
}

/** Takes an entity's window away. */
export function forgetWindow(world: SceneWorld, entity: number): void {
  removeComponent(world.ecs, entity, world.Window);
  dequeue(world.edges, entity);
  world.edgesAt = Number.NaN;
}
