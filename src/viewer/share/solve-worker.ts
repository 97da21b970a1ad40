import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Challenge } from '../../contract/entities.ts';
import { hasZeroBits, proofInput } from '../../contract/proof-of-work.ts';

/** Smallest integer that solves one part of a challenge. */
function solve({ challenge, bits }: Challenge, index: number): number {
  // Hash the common prefix once.
  const begun = sha256.create().update(utf8ToBytes(proofInput(challenge, index, 0).slice(0, -1)));
  for (let solution = 0; ; solution++) {
    const hash = begun
      .clone()
      .update(utf8ToBytes(String(solution)))
      .digest();
    if (hasZeroBits(hash, bits)) return solution;
  }
}

// Runs in a worker: a second of hashing would stall rendering.
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  const solutions: number[] = [];
  for (let index = 0; index < data.count; index++) solutions.push(solve(data, index));
  postMessage(solutions);
});
