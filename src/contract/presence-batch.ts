/**
 * The batched form of presence: one binary frame for many visitors, the same for every receiver.
 *
 * A frame is a row of unsigned LEB128 numbers: kind, channel, how many visitors are gone, their slots, then for each
 * visitor that moved its slot and how far it went along x, y and z. Slots rise, and each stands as the distance from the
 * one before it. Steps are whole units, zigzag-coded (0, −1, 1, −2 … become 0, 1, 2, 3 …); who appears comes from 0 0 0.
 * Of both forms see https://protobuf.dev/programming-guides/encoding/.
 *
 * The kind tells the version: kinds 2 and 3 say who visitors are and where they look, to receivers that ask for it. After
 * those who are gone stand how many are introduced, and of each its slot, its number as a guest and the byte of its tint;
 * behind each step stands the byte of the heading.
 */

/** What was known of the channel is forgotten; whoever is there follows. */
export const SNAPSHOT = 0;
/** Only what changed since the frame before. */
export const CHANGES = 1;
/** Added to the kind of a frame that introduces visitors and says where they look. */
const AVATARS = 2;

/** Headings that are told apart: each is a degree and a half. */
const HEADINGS = 240;
/** In place of the heading of a visitor who does not say where it looks. */
export const NO_HEADING = 255;
const FULL_TURN = 2 * Math.PI;

/** Bytes that a number takes at most, and a visitor: four numbers and its heading. */
const MAX_NUMBER = 5;
const MAX_STEP = MAX_NUMBER * 4 + 1;

/** A visitor in a frame: slot, step in whole units, and heading as `packHeading` has it. */
export type Step = readonly [slot: number, x: number, y: number, z: number, heading?: number];

/** Who has a slot: the number as a guest, from 1 on, and the tint, a byte. */
export type Introduction = readonly [slot: number, guest: number, tint: number];

/** A heading in radians, counterclockwise from −z, as a byte. */
export const packHeading = (heading: number): number =>
  (((Math.round((heading / FULL_TURN) * HEADINGS) % HEADINGS) + HEADINGS) % HEADINGS) + 0;

/** Radians from 0 to below a whole turn; undefined where the byte is none of a heading. */
export const readHeading = (byte: number | undefined): number | undefined =>
  byte === undefined || byte >= HEADINGS ? undefined : (byte / HEADINGS) * FULL_TURN;

/**
 * Writes a frame.
 * @param gone slots of visitors who left, rising
 * @param steps visitors who moved or turned, by rising slots
 * @param introductions who is new or has another number, by rising slots; without a list the frame tells places only
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

/** What a frame says. */
export interface Batch {
  /** `SNAPSHOT` or `CHANGES`, whichever the version. */
  kind: number;
  channel: number;
  gone: number[];
  introductions: Introduction[];
  steps: Step[];
}

/**
 * Reads a frame of either version.
 * @throws RangeError when it ends in the middle of a number, or is of a version that is not known
 */
export function readBatch(bytes: Uint8Array): Batch {
  let at = 0;
  const takeByte = (): number => {
    if (at >= bytes.length) throw new RangeError('This frame is cut off.');
    return bytes[at++]!;
  };
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = takeByte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new RangeError('This frame has a number that is too large.');
  };
  const takeSigned = () => {
    const value = take();
    return (value >>> 1) ^ -(value & 1);
  };
  const version = take();
  if (version > CHANGES + AVATARS) throw new RangeError(`This frame is of an unknown kind: ${version}.`);
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
