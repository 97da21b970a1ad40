/** A unique number per visit, for a scene's `streamSeed`. */
export const newStreamSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;
