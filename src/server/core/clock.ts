/** The machine's clock, here and nowhere else: everything that needs the time is given one of these. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A time as it is stored and sent: ISO 8601, UTC, milliseconds. */
export const timestampOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Whether a text is a stamp as `timestampOf` writes it. */
export const isStamp = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && timestampOf(Date.parse(text)) === text;

/** A stamp for a change: now, but always later than the stamp before, so that no two versions share one. */
export function nextTimestamp(clock: Clock, before?: string): string {
  const now = clock.now();
  return timestampOf(before === undefined ? now : Math.max(now, Date.parse(before) + 1));
}

/** The earlier of two stamps. */
export function earlier(one: string, other: string): string {
  if (one < other) return one;
  return other;
}
