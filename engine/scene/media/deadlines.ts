/**
 * Room times at which entities need an update, as a binary min-heap: entries change too often for a sorted list.
 * Entries aren't removed when they become obsolete; readers ignore those that aren't their entity's current deadline.
 */
export interface Deadlines {
  /** In seconds; the first is the earliest. */
  times: Float64Array;
  entities: Uint32Array;
  count: number;
}

export function createDeadlines(): Deadlines {
  return { times: new Float64Array(16), entities: new Uint32Array(16), count: 0 };
}

/** Adds a deadline, in seconds of room time. */
export function addDeadline(heap: Deadlines, time: number, entity: number): void {
  if (heap.count === heap.times.length) {
    const times = new Float64Array(heap.count * 2);
    const entities = new Uint32Array(heap.count * 2);
    times.set(heap.times);
    entities.set(heap.entities);
    heap.times = times;
    heap.entities = entities;
  }
  const { times, entities } = heap;
  let at = heap.count++;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (times[above]! <= time) break;
    times[at] = times[above]!;
    entities[at] = entities[above]!;
    at = above;
  }
  times[at] = time;
  entities[at] = entity;
}

/**
 * Removes the earliest deadline; the heap must not be empty.
 * @returns its entity
 */
export function takeDeadline(heap: Deadlines): number {
  const { times, entities } = heap;
  const first = entities[0]!;
  const count = --heap.count;
  const time = times[count]!;
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    if (below >= count) break;
    if (below + 1 < count && times[below + 1]! < times[below]!) below++;
    if (times[below]! >= time) break;
    times[at] = times[below]!;
    entities[at] = entities[below]!;
    at = below;
  }
  times[at] = time;
  entities[at] = entities[count]!;
  return first;
}
