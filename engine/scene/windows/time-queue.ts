/**
 * Moments at which something about an entity changes, sorted by time, and a cursor that stands behind the last one that
 * has passed. A tick that moves forwards looks at the moments it passes and at no others.
 */
export interface TimeQueue {
  times: Float64Array;
  entities: Uint32Array;
  count: number;
  cursor: number;
  /** False after an addition, until `sortQueue`. */
  sorted: boolean;
}

/** An empty queue. */
export function createTimeQueue(): TimeQueue {
  return { times: new Float64Array(16), entities: new Uint32Array(16), count: 0, cursor: 0, sorted: true };
}

/** Adds a moment. Times are in seconds; the queue must be sorted and sought before it is read again. */
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

/** Drops every moment of an entity. */
export function dequeue(queue: TimeQueue, entity: number): void {
  let kept = 0;
  for (let index = 0; index < queue.count; index++) {
    if (queue.entities[index] === entity) continue;
    queue.times[kept] = queue.times[index]!;
    queue.entities[kept++] = queue.entities[index]!;
  }
  if (kept < queue.count) queue.sorted = false;
  queue.count = kept;
}

/** Brings the moments into order; moments at the same time keep the order in which they were added. */
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

/** Puts the cursor behind the last moment that is not after a time. */
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
 * Passes the next moment that is not after a time.
 * @returns its entity, or 0 when there is none
 */
export function passNext(queue: TimeQueue, time: number): number {
  if (queue.cursor < queue.count && queue.times[queue.cursor]! <= time) return queue.entities[queue.cursor++]!;
  return 0;
}
