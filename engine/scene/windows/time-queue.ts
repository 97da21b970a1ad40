/**
 * Times at which entities change, sorted, with a cursor after the last one that has passed. A tick that moves forward
 * visits only the times it passes.
 */
export interface TimeQueue {
  times: Float64Array;
  entities: Uint32Array;
  count: number;
  cursor: number;
  /** False after a change, until `sortQueue`. */
  sorted: boolean;
}

export function createTimeQueue(): TimeQueue {
  return { times: new Float64Array(16), entities: new Uint32Array(16), count: 0, cursor: 0, sorted: true };
}

/** Adds a time in seconds; call `sortQueue` and `seekQueue` before the next read. */
export function enqueue(queue: TimeQueue, time: number, entity: number): void {
  if (queue.count === queue.times.length) {
    const times = new Float64Array(queue.count * 2);
    const entities = new Uint32Array(queue.count * 2);
    times.set(queue.times);
    entities.set(queue.entities);
    queue.times = times;
    queue.entities = entities;
  }
  queue.times[queue.count] = time;
  queue.entities[queue.count++] = entity;
  queue.sorted = false;
}

/** Removes all times of an entity. */
export const dequeue = (queue: TimeQueue, entity: number): void => dequeueAll(queue, new Set([entity]));

/** Removes all times of several entities. */
export function dequeueAll(queue: TimeQueue, dropped: ReadonlySet<number>): void {
  let kept = 0;
  for (let index = 0; index < queue.count; index++) {
    if (dropped.has(queue.entities[index]!)) continue;
    queue.times[kept] = queue.times[index]!;
    queue.entities[kept++] = queue.entities[index]!;
  }
  if (kept < queue.count) queue.sorted = false;
  queue.count = kept;
}

/** Sorts the queue; equal times keep their insertion order. */
export function sortQueue(queue: TimeQueue): void {
  const { count, times, entities } = queue;
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => times[a]! - times[b]! || a - b);
  queue.times = Float64Array.from({ length: times.length }, (_, index) => (index < count ? times[order[index]!]! : 0));
  queue.entities = Uint32Array.from({ length: times.length }, (_, index) =>
    index < count ? entities[order[index]!]! : 0,
  );
  queue.sorted = true;
}

/** Moves the cursor after the last time that is ≤ `time`. */
export function seekQueue(queue: TimeQueue, time: number): void {
  let low = 0;
  let high = queue.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (queue.times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  queue.cursor = low;
}

/**
 * Advances past the next time that is ≤ `time`.
 * @returns its entity, or 0 if there is none
 */
export function passNext(queue: TimeQueue, time: number): number {
  if (queue.cursor < queue.count && queue.times[queue.cursor]! <= time) return queue.entities[queue.cursor++]!;
  return 0;
}
