/** Hash input for one solution of a challenge. */
export const proofInput = (challenge: string, index: number, solution: number): string =>
  `${challenge}:${index}:${solution}`;

/** Whether a hash starts with `bits` zero bits. @param bits at most 32 */
export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = hash;
  return Math.clz32(((a << 24) | (b << 16) | (c << 8) | d) >>> 0) >= bits;
}

/** Serializes a proof: the challenge and its solutions. */
export const proofText = (challenge: string, solutions: readonly number[]): string =>
  `${challenge}:${solutions.join(',')}`;

/** Parses a proof; null if it is malformed. */
export function readProof(text: string): { challenge: string; solutions: number[] } | null {
  const [challenge = '', numbers = '', ...more] = text.split(':');
  const solutions = numbers.split(',').map((number) => (/^\d{1,15}$/.test(number) ? Number(number) : -1));
  return challenge === '' || more.length > 0 || solutions.includes(-1) ? null : { challenge, solutions };
}
