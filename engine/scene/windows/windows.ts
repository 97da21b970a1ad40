import { addComponent, hasComponent, query, removeComponent } from 'bitecs';
import { DAY } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { isTimeZone } from '../../document/time-zone.ts';
import { isOpenAt, spansOf } from '../../document/window.ts';
import type { SceneWorld } from '../world.ts';
import { dequeue, dequeueAll, enqueue, passNext, seekQueue, sortQueue } from './time-queue.ts';
import { refreshVisibility } from './visibility.ts';

/** Second of the room's day, which starts at room time 0. */
const secondOfDay = (time: number) => time - Math.floor(time / DAY) * DAY;

/** Rounding tolerance in seconds for the sum of epoch and room time. */
const ROUNDING = 1e-6;

/** Opens and closes windows whose edges have passed; after a jump, checks all of them. */
export function windows(world: SceneWorld): void {
  const { edges, time } = world;
  const step = time - world.edgesAt;
  if (step === 0) return;
  // Computed inline: passing a fractional number may allocate it on the heap, and usually no edge is due.
  const day = Math.floor(time / DAY);
  const now = time - day * DAY;
  const isNewDay = day !== Math.floor(world.edgesAt / DAY);
  // Windows in a time zone may have different edges the next day.
  if (step > 0 && step < DAY && !(isNewDay && world.zoned.size > 0)) {
    if (isNewDay) {
      passEdges(world, DAY, now);
      edges.cursor = 0;
    }
    if (edges.cursor < edges.count && edges.times[edges.cursor]! <= now) passEdges(world, now, now);
  } else {
    if (world.zoned.size > 0) enqueueZoned(world, day);
    if (!edges.sorted) sortQueue(edges);
    seekQueue(edges, now);
    for (const entity of query(world.ecs, [world.Window])) updateOpen(world, entity, now);
  }
  world.edgesAt = time;
}

function passEdges(world: SceneWorld, until: number, now: number): void {
  for (let entity = passNext(world.edges, until); entity; entity = passNext(world.edges, until))
    updateOpen(world, entity, now);
}

function updateOpen(world: SceneWorld, entity: number, now: number): void {
  const open = isOpen(world, entity, now) ? 1 : 0;
  if (open === world.Visibility.open[entity]) return;
  world.Visibility.open[entity] = open;
  refreshVisibility(world, entity);
}

/** Replaces the edges of windows in a time zone with those of one day of the room. */
function enqueueZoned({ zoned, elements, edges, epoch }: SceneWorld, day: number): void {
  dequeueAll(edges, zoned);
  const from = epoch + day * DAY;
  for (const entity of zoned) {
    const { visible_between, time_zone, utc_offset } = elements[entity]!;
    for (const span of spansOf(visible_between!, { time_zone, utc_offset }, from, from + DAY))
      for (const edge of span) if (edge >= from && edge < from + DAY) enqueue(edges, edge - from, entity);
  }
}

/** From inclusive, till exclusive; spans the end of the day if till is before from. */
function isOpen(world: SceneWorld, entity: number, now: number): boolean {
  const { Window, zoned, elements, epoch, time } = world;
  if (zoned.has(entity)) return !Number.isNaN(time) && isOpenAt(elements[entity]!, epoch + time + ROUNDING);
  const from = Window.from[entity]!;
  const till = Window.till[entity]!;
  return from <= till ? now >= from && now < till : now >= from || now < till;
}

/**
 * Reads an entity's window from its element, converted from the element's local day to the room's. A window counts as
 * closed until the first tick provides the time.
 */
export function readWindow(world: SceneWorld, entity: number, element: Element): void {
  const { ecs, Window, Visibility, edges } = world;
  const had = hasComponent(ecs, entity, Window);
  const between = world.windowless ? null : element.visible_between;
  world.zoned.delete(entity);
  const span = between ? between.till - between.from : DAY;
  // A window with equal ends never opens, and one that spans the day never closes: neither has edges.
  if (!between || span === 0 || Math.abs(span) === DAY) {
    if (had) forgetWindow(world, entity);
    Visibility.open[entity] = span === DAY ? 1 : 0;
    return;
  }
  if (element.time_zone != null && isTimeZone(element.time_zone)) {
    if (had) forgetWindow(world, entity);
    addComponent(ecs, entity, Window);
    world.zoned.add(entity);
    world.edgesAt = Number.NaN;
    Visibility.open[entity] = isOpen(world, entity, Number.NaN) ? 1 : 0;
    return;
  }
  const shift = (element.utc_offset ?? 0) * 60 - world.epoch;
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

/** Recomputes all windows for another start of room time. @param epoch seconds since 1970 at room time 0 */
export function moveEpoch(world: SceneWorld, epoch: number): void {
  if (epoch === world.epoch) return;
  world.epoch = epoch;
  for (const entity of [...query(world.ecs, [world.Window])]) readWindow(world, entity, world.elements[entity]!);
}

/** Removes an entity's window. */
export function forgetWindow(world: SceneWorld, entity: number): void {
  removeComponent(world.ecs, entity, world.Window);
  world.zoned.delete(entity);
  dequeue(world.edges, entity);
  world.edgesAt = Number.NaN;
}
