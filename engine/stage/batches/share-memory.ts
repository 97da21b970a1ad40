/** A request of an image for the memory that a room's images share. */
export interface Claim {
  /** The size that looks best, as an index of `bytes`; undefined if its batch is sharp enough. */
  wanted: number | undefined;
  /** GPU bytes of each size, smallest first. */
  bytes: readonly number[];
  /** Whether no batch draws the image, so that it always has a size. */
  isAlone: boolean;
  /** Draw calls that it takes outside its batch. */
  draws: number;
  /** The size it has; undefined if its batch draws it. */
  current: number | undefined;
  /** Number of the last pass in which it was wanted. */
  wantedAt: number;
}

/** Limits of all images of a room that aren't drawn by a batch. */
export interface MemoryLimit {
  bytes: number;
  /** Draw calls of images that have a batch. */
  draws: number;
}

/**
 * Chooses the size of each image: the most important images get the size they want, the others the largest that still
 * fits. The remaining memory stays with images that have a size but don't want one, the most recently wanted first.
 * @param claims most important first
 * @returns an index of `bytes` for each claim; undefined if the batch draws it
 */
export function shareMemory(claims: readonly Claim[], limit: MemoryLimit): (number | undefined)[] {
  let { bytes: left, draws } = limit;
  for (const { isAlone, bytes } of claims) if (isAlone) left -= bytes[0]!;
  const sizes = claims.map(({ wanted, bytes, isAlone, draws: own }) => {
    if (wanted === undefined || (!isAlone && own > draws)) return isAlone ? 0 : undefined;
    const least = isAlone ? bytes[0]! : 0;
    let size = wanted;
    while (size >= 0 && bytes[size]! - least > left) size--;
    if (size < 0) return isAlone ? 0 : undefined;
    left -= bytes[size]! - least;
    if (!isAlone) draws -= own;
    return size;
  });
  const cached = claims
    .map((claim, index) => ({ ...claim, index }))
    .filter(({ index, current, wanted }) => sizes[index] === undefined && current !== undefined && wanted === undefined)
    .sort((one, other) => other.wantedAt - one.wantedAt);
  for (const { index, current, bytes, draws: own } of cached) {
    if (bytes[current!]! > left || own > draws) continue;
    left -= bytes[current!]!;
    draws -= own;
    sizes[index] = current;
  }
  return sizes;
}
