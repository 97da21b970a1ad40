/**
 * The components of a scene: structs of typed arrays indexed by entity. Entity 0 is unused; its world matrix is the
 * identity, so entities without a parent need no special case.
 */
export function createComponents(capacity: number) {
  const components = {
    /** Local transform, three numbers each: position in units, rotation in radians (Euler XYZ), scale factors. */
    Transform: {
      position: new Float64Array(capacity * 3),
      rotation: new Float32Array(capacity * 3),
      scale: new Float32Array(capacity * 3),
      /** Rotation × scale, as the columns of a 3 × 3 matrix. */
      linear: new Float32Array(capacity * 9),
    },
    /**
     * World transform after the last tick, split so that a pure translation doesn't rewrite the nine numbers of
     * `linear`.
     */
    WorldMatrix: {
      position: new Float64Array(capacity * 3),
      linear: new Float32Array(capacity * 9),
      /** Largest scale factor along any axis of `linear`. */
      scale: new Float64Array(capacity),
      /** Tick in which `linear` last changed. */
      turnedAt: new Uint32Array(capacity),
    },
    /**
     * Parent group, and rank in the document's pre-order. Plain numbers instead of a bitecs relation, which creates a
     * component per group and a bit for each in every entity's mask.
     */
    ChildOf: {
      parent: new Uint32Array(capacity),
      rank: new Uint32Array(capacity),
    },
    /**
     * Whether more than the position changed since the last tick: rotation, scale or parent. Every entity has it.
     * Entities that need an update are marked as bits by rank (`PreOrder.dirty`): a query has no order, and adding
     * and removing a component cost 1,300 ns per entity and tick, against 18 ns for the whole tick (10,000 entities,
     * all moving).
     */
    Dirty: { turned: new Uint8Array(capacity) },
    /** Half the diagonal, in local units. */
    Size: { radius: new Float32Array(capacity) },
    /**
     * `hidden`: set by the document; `open`: the visibility window is open; `here`: visible at the current view point;
     * `visible`: all of these, and all ancestor groups are visible.
     */
    Visibility: {
      hidden: new Uint8Array(capacity),
      open: new Uint8Array(capacity),
      here: new Uint8Array(capacity),
      visible: new Uint8Array(capacity),
    },
    /** Visibility window in seconds of the room's day, which starts at room time 0. */
    Window: { from: new Float64Array(capacity), till: new Float64Array(capacity) },
    Proximity: {
      /** Distance from which the sensor is silent, in units, as set in the document; 0 without a sensor. */
      distance: new Float32Array(capacity),
      /** `distance`, or 0 while invisible: invisible elements are silent. */
      limit: new Float32Array(capacity),
      /** Distance within which the volume is full, in units. */
      inner: new Float32Array(capacity),
      /** Whether media plays only while in view. */
      viewed: new Uint8Array(capacity),
      /** State of the chart, and the last command that affected media (indices; 0 before the first). */
      zone: new Uint8Array(capacity),
      told: new Uint8Array(capacity),
      volume: new Float32Array(capacity),
      /** Squared distance from the camera when last measured. */
      square: new Float64Array(capacity),
    },
    /** Heavy resources, fetched on demand. */
    Load: {
      /** Whether the resources have been requested and not evicted since. */
      near: new Uint8Array(capacity),
      /** Distance in units within which they are needed in any viewing direction. */
      reach: new Float32Array(capacity),
      /** Ratio of radius to distance from which they are needed while in view. */
      share: new Float32Array(capacity),
      /** Index in the `waiting` or `held` list that contains the entity. */
      place: new Uint32Array(capacity),
      /** Sort key among entities reported together. */
      size: new Float64Array(capacity),
      /** Value of `StreamingState.way` up to which the cached answer stays valid. */
      calmTill: new Float64Array(capacity),
    },
    /** Audio or video. Enum values are in `media-state.ts`; times are in seconds of room time. */
    Media: {
      /** The document's settings as bit flags; 0 without media. */
      settings: new Uint16Array(capacity),
      /** Allowed drift of timed media, in seconds. */
      tolerance: new Float32Array(capacity),
      status: new Uint8Array(capacity),
      wish: new Uint8Array(capacity),
      muteWish: new Uint8Array(capacity),
      /** Whether the browser blocked playback with sound. */
      refused: new Uint8Array(capacity),
      /** The visitor's volume, 0 to 100. */
      volume: new Float32Array(capacity),
      /** Factor of the volume that evens out the loudness of its file; 1 for none. */
      gain: new Float64Array(capacity),
      /** Last muted state and volume sent to the player. */
      muted: new Uint8Array(capacity),
      told: new Float32Array(capacity),
      /** Room time at which the media was at its start, while playing or ended. */
      anchor: new Float64Array(capacity),
      /** Position while paused or stopped, in seconds of the file. */
      position: new Float64Array(capacity),
      /** Length of the file and end of this playback, in seconds; Infinity while unknown. */
      length: new Float64Array(capacity),
      end: new Float64Array(capacity),
      /** Time of its next deadline; Infinity if none. */
      until: new Float64Array(capacity),
      /** Time at which other media paused it. */
      heldAt: new Float64Array(capacity),
      /** Whether it is queued for an update. */
      woken: new Uint8Array(capacity),
    },
    /** Media synchronized with room time. Duplicates a bit in `Media.settings` so that it can be queried. */
    Timed: {},
    /** An element with its own subject for visitor positions. */
    Realtime: {},
    /** Repeating motion: pulse period in seconds (0 without one), and whether the element's model plays its clip. */
    Pulse: { period: new Float64Array(capacity), animated: new Uint8Array(capacity) },
    /** Another visitor's marker, moving between two positions; `begun` is the room time at which the move started. */
    Marker: {
      from: new Float32Array(capacity * 3),
      to: new Float32Array(capacity * 3),
      /** Radians about y; `turnTo` is within half a turn of `turnFrom`. `faces`: whether the heading is known. */
      turnFrom: new Float32Array(capacity),
      turnTo: new Float32Array(capacity),
      faces: new Uint8Array(capacity),
      /** Rotation in radians for which the matrix was last computed. */
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

/** Grows every array of every component in place, keeping its contents; the component objects stay the same. */
export function growComponents(components: Components, from: number, to: number): void {
  for (const component of Object.values(components) as Record<string, Numbers>[]) {
    for (const [field, old] of Object.entries(component)) {
      const bigger = new (old.constructor as new (length: number) => Numbers)((old.length / from) * to);
      bigger.set(old);
      component[field] = bigger;
    }
  }
}
