import type { Challenge } from '../../../contract/entities.ts';
import { timestampOf } from '../../base/clock.ts';
import { sealToken } from '../../base/secrets/seal-token.ts';
import { createToken } from '../../base/secrets/token.ts';
import type { CallContext } from '../../store/call-context.ts';
import { countItemsSince } from '../../store/feeds/feed-items-repository.ts';
import { findFeedForVisitor } from './find-feed.ts';

/** Milliseconds in which a challenge is solved and sent. */
export const CHALLENGE_TIME = 10 * 60 * 1000;
/** Milliseconds over which it is counted how much is shared. */
const LOAD_WINDOW = 10 * 60 * 1000;
/** Solutions that a proof has: several small tasks take more nearly the same time than one large one. */
const SOLUTIONS = 4;
/** Zero bits of each: about a second on a phone for all of them. */
const BITS = 15;
/** Messages in the window from which on it is twice as much work, and again for each doubling. */
const BUSY = 20;
const MOST_MORE_BITS = 4;

/** What a challenge says, sealed: whoever solves it can change nothing of it. */
export interface SealedChallenge {
  feed: number;
  /** Milliseconds since 1970 until which it counts. */
  till: number;
  bits: number;
  count: number;
  /** So that no two are the same. */
  salt: string;
}

/** Where a challenge belongs: sealed for one organization, it opens for no other. */
export const challengePlace = ({ organizationId }: CallContext): string => `share:${organizationId}`;

/** How many messages came into a feed lately. */
export const loadOf = ({ db, clock }: CallContext, feedId: number): Promise<number> =>
  countItemsSince(db, feedId, timestampOf(clock.now() - LOAD_WINDOW));

/**
 * A challenge for whoever is about to share to a feed; the more is shared, the harder it is.
 * @throws ApiError not_found
 */
export async function createChallenge(context: CallContext, feedId: number): Promise<Challenge> {
  const feed = await findFeedForVisitor(context, feedId, 'shared');
  const load = await loadOf(context, feed.id);
  const more = load < BUSY ? 0 : Math.min(MOST_MORE_BITS, Math.floor(Math.log2(load / BUSY)) + 1);
  const sealed: SealedChallenge = {
    feed: feed.id,
    till: context.clock.now() + CHALLENGE_TIME,
    bits: BITS + more,
    count: SOLUTIONS,
    salt: createToken(),
  };
  const challenge = await sealToken(context.settings, challengePlace(context), JSON.stringify(sealed));
  return { challenge, count: sealed.count, bits: sealed.bits };
}
