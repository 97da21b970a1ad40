import { hash } from 'node:crypto';
import { ApiError } from '../../../contract/errors.ts';
import { hasZeroBits, proofInput, readProof } from '../../../contract/proof-of-work.ts';
import { openToken } from '../../base/secrets/seal-token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { TooManyAttempts } from '../../store/sessions/attempts.ts';
import { countProof } from '../../store/visits/visitor-attempts.ts';
import { CHALLENGE_TIME, challengePlace, type SealedChallenge } from './create-challenge.ts';

const refused = () =>
  new ApiError('invalid', { proof: ['This proof of work does not count. Ask for a new challenge, and send again.'] });

/** Whether every solution of a challenge is one. */
const isSolved = (challenge: string, { bits, count }: SealedChallenge, solutions: readonly number[]): boolean =>
  solutions.length === count &&
  solutions.every((solution, index) =>
    hasZeroBits(hash('sha256', proofInput(challenge, index, solution), 'buffer'), bits),
  );

/**
 * Checks a proof of work, which counts once, for its feed, as long as its challenge does.
 * @throws ApiError invalid
 */
export async function checkProof(context: CallContext, feedId: number, text: string): Promise<void> {
  const proof = readProof(text);
  const opened = proof && (await openToken(context.settings, challengePlace(context), proof.challenge));
  if (!proof || opened === null) throw refused();
  const challenge = JSON.parse(opened) as SealedChallenge;
  const isDue = challenge.feed === feedId && challenge.till > context.clock.now();
  if (!isDue || !isSolved(proof.challenge, challenge, proof.solutions)) throw refused();
  await countProof(context, challenge.salt, CHALLENGE_TIME).catch((error: unknown) => {
    throw error instanceof TooManyAttempts ? refused() : error;
  });
}
