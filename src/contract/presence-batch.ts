/**
 * The batched form of presence: one binary frame for many positions, the same for every receiver.
 *
 * A frame is a row of unsigned LEB128 numbers: kind, channel, how many visitors are gone, their slots, then for each
 * visitor that moved its slot and how far it went along x, y and z. Slots rise, and each stands as the distance from the
 * one before it. Steps are whole units, zigzag-coded (0, −1, 1, −2 … become 0, 1, 2, 3 …); who appears comes from 0 0 0.
 * Of both forms see https://protobuf.dev/programming-guides/encoding/.
 */

/** What was known of the channel is forgotten; whoever is there follows. */
export const SNAPSHOT = 0;
/** Only what changed since the frame before. */
export const CHANGES = 1;

/** Bytes that a visitor takes at most: four numbers of five bytes. */
const LARGEST_STEP = 20;

/** A visitor in a frame: slot and step in whole units. */
export type Step = readonly [slot: number, x: number, y: number, z: number];

/**
 * Writes a frame.
 * @param gone slots of visitors who left, rising
 * @param steps visitors who moved, by rising slots
 */
export function writeBatch(
  kind: typeof SNAPSHOT | typeof CHANGES,
  channel: number,
  gone: readonly number[],
  steps: readonly Step[],
): Uint8Array {
  const bytes = new Uint8Array(LARGEST_STEP * (1 + gone.length + steps.length));
  let at = 0;
  const put = (value: number) => {
    let rest = value >>> 0;
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
  };
  const putSigned = (value: number) => put((value << 1) ^ (value >> 31));
  put(kind);
  put(channel);
  put(gone.length);
  let last = 0;
  for (const slot of gone) {
    put(slot - last);
    last = slot;
  }
  last = 0;
  for (const [slot, x, y, z] of steps) {
    put(slot - last);
    last = slot;
    putSigned(x);
    putSigned(y);
    putSigned(z);
  }
  return bytes.subarray(0, at);
}

/** What a frame says. */
export interface Batch {
  kind: number;
  channel: number;
  gone: number[];
  steps: Step[];
}

/**
 * Reads a frame.
 * @throws RangeError when it ends in the middle of a number
 */
export function readBatch(bytes: Uint8Array): Batch {
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 28) throw new RangeError('This frame is cut off.');
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const takeSigned = () => {
    const value = take();
    return (value >>> 1) ^ -(value & 1);
  };
  const kind = take();
  const channel = take();
  const gone: number[] = [];
  let slot = 0;
  for (let count = take(); count > 0; count--) {
    slot += take();
    gone.push(slot);
  }
  const steps: Step[] = [];
  slot = 0;
  while (at < bytes.length) {
    slot += take();
    steps.push([slot, takeSigned(), takeSigned(), takeSigned()]);
  }
  return { kind, channel, gone, steps };
}
