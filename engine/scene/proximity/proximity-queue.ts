/** Units of the camera's way in one bucket. */
export const BUCKET_WIDTH = 4;
/** Buckets of the ring, a power of two, and how many buckets ahead a sensor may sleep. */
export const BUCKETS = 2048;
export const HORIZON = 1024;
/** In place of a bucket: looked at whenever anything changed, and looked at only when it is woken. */
export const AWAKE = 0;
export const UNTIL_WOKEN = -1;

/**
 * Which sensors to look at. A still sensor whose answer cannot change before the camera has traveled its slack sleeps
 * in the bucket of that point of the camera's way; the others are awake.
 */
export interface ProximityQueue {
  /** Every sensor, in the order of the document. */
  all: Uint32Array;
  /** Whether sensors came, went or changed place in the document: `all` must be made anew. */
  stale: boolean;
  /** Whether the buckets say nothing: every sensor must be looked at. */
  unsorted: boolean;
  /** First sleeper of each bucket, a ring; 0 for none. */
  readonly heads: Uint32Array;
  /** First bucket whose sleepers have not been woken, counted from the start of the way. */
  bucket: number;
  /** Sensors that are looked at whenever anything changed. */
  awake: Uint32Array;
  awakeCount: number;
  /** Sensors that moved or appeared since sensors were last looked at. */
  woken: Uint32Array;
  wokenCount: number;
  /** Whether one of them must not wait for the next 150 ms. */
  urgent: boolean;
  /** For how many more looks all sensors are looked at in a row, because many moved; 0 when they are chosen. */
  sweeping: number;
  /** Room time of the last look; NaN before the first. */
  lookedAt: number;
  /** Whether the last tick left changes for a later look. */
  waiting: boolean;
}

/** A queue without sensors. */
export function createProximityQueue(capacity: number): ProximityQueue {
  return {
    all: new Uint32Array(0),
    stale: true,
    unsorted: true,
    heads: new Uint32Array(BUCKETS),
    bucket: 0,
    awake: new Uint32Array(capacity),
    awakeCount: 0,
    woken: new Uint32Array(capacity),
    wokenCount: 0,
    urgent: false,
    sweeping: 0,
    lookedAt: Number.NaN,
    waiting: false,
  };
}
