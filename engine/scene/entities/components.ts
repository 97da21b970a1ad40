/**
 * The components of a scene: structs of typed arrays indexed by entity. Entity 0 is unused; its world matrix is the
 * identity, so that what has no parent reads its parent like everybody else.
 */
export function createComponents(capacity: number) {
  const components = {
    /** Place in the parent: three numbers each, position in units, rotation in radians (Euler XYZ), factors of scale. */
    Transform: {
      position: new Float64Array(capacity * 3),
      rotation: new Float32Array(capacity * 3),
      scale: new Float32Array(capacity * 3),
      /** Rotation times scale: three columns of a 3 × 3 matrix. */
      linear: new Float32Array(capacity * 9),
    },
    /** Place in the room after the last tick, split so that what only moved leaves nine numbers untouched. */
    WorldMatrix: {
      position: new Float64Array(capacity * 3),
      linear: new Float32Array(capacity * 9),
      /** Greatest factor of scale along any axis of `linear`. */
      scale: new Float64Array(capacity),
      /** Number of the tick in which `linear` last changed. */
      turnedAt: new Uint32Array(capacity),
    },
    /**
     * The group that holds an entity, and its place in the pre-order of the document. A number instead of a bitecs
     * relation: a relation makes one component for every group, and a bit in every entity's mask for each of them.
     */
    ChildOf: {
      parent: new Uint32Array(capacity),
      rank: new Uint32Array(capacity),
    },
    /**
     * Whether more than the position changed since the last tick: rotation, scale or parent. Every entity has it; which
     * ones wait for a tick stands as bits by rank (`PreOrder.dirty`): a query has no order, and adding and removing a
     * component took 1,300 ns for each entity in each tick, where the whole tick takes 18 ns (10,000, all moving).
     */
    Dirty: { turned: new Uint8Array(capacity) },
    /** Half the diagonal, in its own units. */
    Size: { radius: new Float32Array(capacity) },
    /** `hidden` by the document, `open` by its window, `visible` when these and all its groups allow it. */
    Visibility: {
      hidden: new Uint8Array(capacity),
      open: new Uint8Array(capacity),
      visible: new Uint8Array(capacity),
    },
    /** Window of visibility in seconds of the room's day, which begins at room time 0. */
    Window: { from: new Float64Array(capacity), till: new Float64Array(capacity) },
    Proximity: {
      /** Distance at which it falls silent, in units, as the document has it; 0 without a sensor. */
      distance: new Float32Array(capacity),
      /** The same, but 0 while it is not visible: what is not there is heard nowhere. */
      limit: new Float32Array(capacity),
      /** Distance within which it is heard in full, in units. */
      inner: new Float32Array(capacity),
      /** Whether it plays only in view. */
      viewed: new Uint8Array(capacity),
      /** Number of the chart's state, and which of its commands last told the media something; 0 before the first. */
      zone: new Uint8Array(capacity),
      told: new Uint8Array(capacity),
      volume: new Float32Array(capacity),
      /** Square of its distance from the camera when that was last asked. */
      square: new Float64Array(capacity),
      /** Squares of distances between which zone and volume stay as they are; the same twice where they may not. */
      stableMin: new Float64Array(capacity),
      calmTill: new Float64Array(capacity),
      /** Whether it waits to be looked at because it moved or appeared. */
      woken: new Uint8Array(capacity),
      /** Whether it is looked at whenever anything changed. */
      awake: new Uint8Array(capacity),
      /** Bucket of the camera's way in which it sleeps, or −1; and the next entity in that bucket. */
      bucket: new Int32Array(capacity).fill(-1),
      next: new Uint32Array(capacity),
    },
    /** What is heavy, and fetched only when the visitor needs it. */
    Load: {
      /** Whether it is needed, now or since some earlier moment. */
      near: new Uint8Array(capacity),
      /** Units within which it is needed whichever way the visitor looks. */
      reach: new Float32Array(capacity),
      /** Its radius as a part of its distance from which on it is needed when it is in view. */
      share: new Float32Array(capacity),
      /** Place in the list of those that wait or of those that are held, whichever it is in. */
      place: new Uint32Array(capacity),
      /** By what those that are told of together are sorted. */
      size: new Float64Array(capacity),
      /** The way (`StreamingState.way`) up to which nothing changes about what it waits for or is held for. */
      calmTill: new Float64Array(capacity),
    },
    /** Sound or video. The numbers are those of `media-state.ts`; moments are in seconds of room time. */
    Media: {
      /** What the document says, as bits; 0 without media. */
      settings: new Uint16Array(capacity),
      /** Seconds that timed media may be out of sync. */
      tolerance: new Float32Array(capacity),
      status: new Uint8Array(capacity),
      wish: new Uint8Array(capacity),
      muteWish: new Uint8Array(capacity),
      /** Whether the browser refused to play it with sound. */
      refused: new Uint8Array(capacity),
      /** The visitor's volume, 0 to 100. */
      volume: new Float32Array(capacity),
      /** What the player was last told. */
      muted: new Uint8Array(capacity),
      told: new Float32Array(capacity),
      /** Moment at which what plays or has ended was at its beginning. */
      anchor: new Float64Array(capacity),
      /** Where what stands still stands, in seconds of the file. */
      position: new Float64Array(capacity),
      /** Seconds of the file, and where this time it ends; Infinity while that is unknown. */
      length: new Float64Array(capacity),
      end: new Float64Array(capacity),
      /** Moment of its next edge; Infinity when none is waited for. */
      until: new Float64Array(capacity),
      /** Moment at which another one made it pause. */
      heldAt: new Float64Array(capacity),
      /** Whether it waits to be looked at. */
      woken: new Uint8Array(capacity),
    },
    /** Media that follows the room's time; the same as a bit in `Media.settings`, where a system looks at one of them. */
    Timed: {},
    /** An element under whose own subject visitors' positions travel. */
    Realtime: {},
    /** What repeats itself: seconds of a pulse, 0 without one; and whether the element's model plays its clip. */
    Pulse: { period: new Float64Array(capacity), animated: new Uint8Array(capacity) },
    /** Another visitor's marker, on its way from one place and heading to the next since a moment of room time. */
    Marker: {
      from: new Float32Array(capacity * 3),
      to: new Float32Array(capacity * 3),
      /** Radians about y; `turnTo` is at most half a turn from `turnFrom`. `faces`: whether its heading is known. */
      turnFrom: new Float32Array(capacity),
      turnTo: new Float32Array(capacity),
      faces: new Uint8Array(capacity),
      /** Radians for which its matrix was last worked out. */
      turned: new Float32Array(capacity),
      begun: new Float64Array(capacity),
      seen: new Float64Array(capacity),
    },
  };
  components.WorldMatrix.linear.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  components.Visibility.visible[0] = 1;
  return components;
}

export type Components = ReturnType<typeof createComponents>;

type Numbers = Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Gives every array of every component room for more entities; what they hold stays. The components stay the same objects. */
export function growComponents(components: Components, from: number, to: number): void {
  for (const component of Object.values(components) as Record<string, Numbers>[]) {
    for (const [field, old] of Object.entries(component)) {
      const bigger = new (old.constructor as new (length: number) => Numbers)((old.length / from) * to);
      bigger.set(old);
      component[field] = bigger;
    }
  }
  components.Proximity.bucket.fill(-1, from);
}
