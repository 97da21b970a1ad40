/** Wraps the machine's clock. Code that needs the time receives one of these. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A stored or sent timestamp: ISO 8601, UTC, milliseconds. */
export const timestampOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Whether a text is a timestamp in the format of `timestampOf`. */
export const isStamp = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && timestampOf(Date.parse(text)) === text;

/** Timestamp for a change: now, but always later than the previous one, so that no two versions share a timestamp. */
export function nextTimestamp(clock: Clock, before?: string): string {
  const now = clock.now();
  return timestampOf(before === undefined ? now : Math.max(now, Date.parse(before) + 1));
}

/** The earlier of two timestamps. */
export function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}
