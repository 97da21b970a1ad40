/**
 * Room times at which entities want to be looked at, the earliest first: a binary heap. Moments come and go while the
 * room is played, which a sorted list would pay for. Dropping one is left to whoever reads it: a moment counts only as
 * long as it is the one that its entity waits for.
 */
export interface Deadlines {
  /** In seconds; the first one is the earliest, if there is any. */
  times: Float64Array;
  entities: Uint32Array;
  count: number;
}

/** No deadlines. */
export function createDeadlines(): Deadlines {
  return { times: new Float64Array(16), entities: new Uint32Array(16), count: 0 };
}

/** Adds a moment, in seconds of room time. */
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
 * Takes the earliest moment away; there must be one.
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
