/**
 * Creates a seeded generator of pseudorandom numbers from 0 to 1 (exclusive): mulberry32 by Tommy Ettinger, in the
 * public domain.
 * @param seed any number; only the lowest 32 bits are used
 */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
