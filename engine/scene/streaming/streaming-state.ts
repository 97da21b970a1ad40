/**
 * Maximum number of idle players (audio, video, live streams, pages) kept loaded: browsers support only a few dozen.
 */
export const MAX_HELD = 24;
/** Maximum number of models kept loaded. */
export const MAX_MODELS = 48;
/** Value of `next` when no round is in progress. */
export const OVER = -1;

/** Loaded elements of one kind. */
export interface Pool {
  readonly held: number[];
  /** Size above which idle elements are evicted. */
  most: number;
  /** Index in `held` that was checked last. */
  next: number;
}

/**
 * Heavy elements, loaded and not. Each has the Load component; separate lists let a round iterate over many ticks
 * while elements move from one to the other.
 */
export interface StreamingState {
  readonly waiting: number[];
  /** Players and pages, and models. */
  readonly players: Pool;
  readonly models: Pool;
  /**
   * Whether anything changed since the last round started, the room time of that round, and the world version it saw.
   */
  due: boolean;
  lookedAt: number;
  version: number;
  /** Index in `waiting` that the current round checks next, and whether it has loaded anything. */
  next: number;
  found: boolean;
  /** Distance the camera had traveled at the last tick, in units. */
  traveled: number;
  /** Distance by which cached answers expire: the camera's, plus `CROWD_WAY` for each tick in which a crowd moved. */
  way: number;
}

export const createStreaming = (): StreamingState => ({
  waiting: [],
  players: { held: [], most: MAX_HELD, next: 0 },
  models: { held: [], most: MAX_MODELS, next: 0 },
  due: true,
  lookedAt: Number.NaN,
  version: -1,
  next: OVER,
  found: false,
  traveled: Number.NEGATIVE_INFINITY,
  way: 0,
});
