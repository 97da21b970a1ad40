/**
 * The batched presence format: one binary frame for many visitors, identical for every receiver.
 *
 * A frame is a sequence of unsigned LEB128 numbers: kind, channel, the number of visitors who left and their slots, then
 * for each visitor who moved, the slot and the step along x, y and z. Slots ascend and are delta-coded. Steps are whole
 * units, zigzag-coded (0, −1, 1, −2 … become 0, 1, 2, 3 …); a new visitor starts from 0 0 0. For both encodings see
 * https://protobuf.dev/programming-guides/encoding/.
 *
 * The kind implies the version: kinds 2 and 3 add identities and headings, for receivers that request them. After the
 * visitors who left come the number of introductions, and for each the slot, the guest number and the tint byte; each step
 * is followed by a heading byte.
 */

/** Replaces all known state of the channel with the visitors in this frame. */
export const SNAPSHOT = 0;
/** Contains only changes since the previous frame. */
export const CHANGES = 1;
/** Added to the kind of frames with introductions and headings. */
const AVATARS = 2;

/** Number of distinct headings, 1.5° apart. */
const HEADINGS = 240;
/** Heading byte of a visitor without a heading. */
export const NO_HEADING = 255;
const FULL_TURN = 2 * Math.PI;

/** Maximum bytes of a number, and of a visitor: four numbers and a heading. */
const MAX_NUMBER = 5;
const MAX_STEP = MAX_NUMBER * 4 + 1;

/** A visitor in a frame: slot, step in whole units, and heading byte from `packHeading`. */
export type Step = readonly [slot: number, x: number, y: number, z: number, heading?: number];

/** Identity of a slot: the guest number, from 1, and the tint byte. */
export type Introduction = readonly [slot: number, guest: number, tint: number];

/** Encodes a heading in radians, counterclockwise from −z, as a byte. */
export const packHeading = (heading: number): number =>
  (((Math.round((heading / FULL_TURN) * HEADINGS) % HEADINGS) + HEADINGS) % HEADINGS) + 0;

/** Decodes a heading to radians from 0 to below 2π; undefined if the byte is not a heading. */
export const readHeading = (byte: number | undefined): number | undefined =>
  byte === undefined || byte >= HEADINGS ? undefined : (byte / HEADINGS) * FULL_TURN;

/**
 * Encodes a frame.
 * @param gone slots of visitors who left, ascending
 * @param steps visitors who moved or turned, by ascending slot
 * @param introductions visitors who are new or have a new number, by ascending slot; if omitted, the frame contains only
 * positions
 */
export function writeBatch(
  kind: typeof SNAPSHOT | typeof CHANGES,
  channel: number,
  gone: readonly number[],
  steps: readonly Step[],
  introductions?: readonly Introduction[],
): Uint8Array {
  const numbers = 4 + gone.length + 3 * (introductions?.length ?? 0);
  const bytes = new Uint8Array(MAX_NUMBER * numbers + MAX_STEP * steps.length);
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
  put(introductions ? kind + AVATARS : kind);
  put(channel);
  put(gone.length);
  let last = 0;
  for (const slot of gone) {
    put(slot - last);
    last = slot;
  }
  if (introductions) {
    put(introductions.length);
    last = 0;
    for (const [slot, guest, tint] of introductions) {
      put(slot - last);
      last = slot;
      put(guest);
      bytes[at++] = tint;
    }
  }
  last = 0;
  for (const [slot, x, y, z, heading = NO_HEADING] of steps) {
    put(slot - last);
    last = slot;
    putSigned(x);
    putSigned(y);
    putSigned(z);
    if (introductions) bytes[at++] = heading;
  }
  return bytes.subarray(0, at);
}

/** A decoded frame. */
export interface Batch {
  /** `SNAPSHOT` or `CHANGES`, in either version. */
  kind: number;
  channel: number;
  gone: number[];
  introductions: Introduction[];
  steps: Step[];
}

/**
 * Decodes a frame of either version.
 * @throws RangeError if it is truncated or its version is unknown
 */
export function readBatch(bytes: Uint8Array): Batch {
  let at = 0;
  const takeByte = (): number => {
    if (at >= bytes.length) throw new RangeError('The frame is truncated.');
    return bytes[at++]!;
  };
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = takeByte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new RangeError('The frame contains a number that is too large.');
  };
  const takeSigned = () => {
    const value = take();
    return (value >>> 1) ^ -(value & 1);
  };
  const version = take();
  if (version > CHANGES + AVATARS) throw new RangeError(`Unknown frame version: ${version}.`);
  const hasAvatars = version >= AVATARS;
  const channel = take();
  const gone: number[] = [];
  let slot = 0;
  for (let count = take(); count > 0; count--) {
    slot += take();
    gone.push(slot);
  }
  const introductions: Introduction[] = [];
  slot = 0;
  for (let count = hasAvatars ? take() : 0; count > 0; count--) {
    slot += take();
    introductions.push([slot, take(), takeByte()]);
  }
  const steps: Step[] = [];
  slot = 0;
  while (at < bytes.length) {
    slot += take();
    const [x, y, z] = [takeSigned(), takeSigned(), takeSigned()];
    steps.push(hasAvatars ? [slot, x, y, z, takeByte()] : [slot, x, y, z]);
  }
  return { kind: hasAvatars ? version - AVATARS : version, channel, gone, introductions, steps };
}
