import { hash } from 'node:crypto';
import { nestedRoom } from '../../../../engine/document/room.ts';
import { type Challenge, type Moderation, type PublicEndpoint, tokenText } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { hasZeroBits, proofInput, readProof } from '../../../contract/proof-of-work.ts';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { TooManyAttempts } from '../../core/limits/attempts.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import { createToken } from '../../core/secrets/token.ts';
import type { Services } from '../../core/services.ts';
import { endAfterFirstUse, refusalOf } from '../access-tokens/create-tokens.ts';
import { findCode, lockToken, type StoredToken, updateToken } from '../access-tokens/queries.ts';
import { listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import type { FeedUses } from '../feeds/feed-uses.ts';
import { countItemsSince, type FeedRow, findFeed } from '../feeds/queries.ts';
import { embargoOf, openPreview, previewCookie } from '../publications/preview-links.ts';
import { feedUsesOfStates, type ShownState } from '../publications/published.ts';
import { timestamps } from '../rooms/read-room.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import { countEntryFailure, countProof, refuseCrowdedEntry, refuseLateEntry } from './limits.ts';
import { type Entered, findPublicEndpoint, type OpenEndpoint } from './public-endpoints.ts';
import { enterableRooms } from './shown-rooms.ts';
import { type BegunVisit, beginVisit, findVisit, sweepVisits } from './visitor-sessions.ts';

/** Combining marks such as accents, and invisible characters. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** A text normalized for comparison: without case, accents and separators. */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(UNSEEN, '').toUpperCase().toLowerCase();
  const found = [...words.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return ` ${found.join(' ')} `;
}

/** The first blocked word or phrase that a text contains as a whole; undefined for none. */
function findBlockedWord(text: string, blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined;
  const searched = folded(text);
  return blocked.find((word) => {
    const wanted = folded(word);
    return wanted.trim() !== '' && searched.includes(wanted);
  });
}

/**
 * Messages in ten minutes from which those without a proof of work are held for approval, whatever the feed's settings.
 */
const CROWDED = 30;

/** Facts about an incoming message. */
interface Arrival {
  name: string;
  message: string;
  /** Whether it includes a proof of work. */
  isProven: boolean;
  /** Number of recent messages. */
  load: number;
}

/** Columns of a message after moderation. */
interface Verdict {
  state: 'shown' | 'waiting';
  held_because: 'approval' | 'word' | 'proof' | null;
  held_word: string | null;
}

/** Whether a message is shown immediately or held for approval, and why. */
export function checkMessage(moderation: Moderation, { name, message, isProven, load }: Arrival): Verdict {
  const word = findBlockedWord(`${name}\n${message}`, moderation.blocked_words);
  if (word !== undefined) return { state: 'waiting', held_because: 'word', held_word: word };
  if (moderation.hold) return { state: 'waiting', held_because: 'approval', held_word: null };
  if (!isProven && (moderation.hold_unproven || load >= CROWDED))
    return { state: 'waiting', held_because: 'proof', held_word: null };
  return { state: 'shown', held_because: null, held_word: null };
}

/** Edited rooms of which the visitor's browser has opened a preview. */
async function previewedRooms(context: CallContext): Promise<(ShownState & { organizationId: number })[]> {
  const { db, organizationId } = context;
  const found: (ShownState & { organizationId: number })[] = [];
  for (const { id, room_id } of await listEndpoints(db, organizationId)) {
    const token = context.cookie(previewCookie(id));
    const preview = token === null ? null : await openPreview(context, organizationId, token);
    if (preview?.endpointId === id && preview.roomId === room_id)
      found.push({ organizationId, roomId: preview.roomId, revisionId: null });
  }
  return found;
}

/**
 * A feed for a visitor. A feed used only in rooms the visitor may not enter counts as missing.
 * @param use whether a room must show the feed, or share to it
 * @throws ApiError not_found
 */
export async function findFeedForVisitor(context: CallContext, id: number, use: keyof FeedUses): Promise<FeedRow> {
  const feed = await findFeed(context.db, context.organizationId, id);
  const rooms = feed && [...(await enterableRooms(context)), ...(await previewedRooms(context))];
  const uses = rooms && (await feedUsesOfStates(context.db, rooms));
  const isUsed = uses && [...uses.values()].some((room) => room[use].has(id));
  if (!feed || !isUsed) throw new ApiError('not_found');
  return feed;
}

/** Milliseconds in which a challenge must be solved and sent. */
const CHALLENGE_TIME = 10 * 60 * 1000;
/** Window in milliseconds for counting shared messages. */
const LOAD_WINDOW = 10 * 60 * 1000;
/** Solutions per proof: several small tasks vary less in duration than one large one. */
const SOLUTIONS = 4;
/** Zero bits of each: about a second on a phone for all of them. */
const BITS = 15;
/** Messages in the window at which the work doubles, and again with each doubling. */
const BUSY = 20;
const MAX_MORE_BITS = 4;

/** The encrypted content of a challenge, which clients can't change. */
interface SealedChallenge {
  feed: number;
  /** Milliseconds since 1970 at which it expires. */
  till: number;
  bits: number;
  count: number;
  /** Makes each challenge unique. */
  salt: string;
}

/** Encryption context of a challenge: valid only in its organization. */
const challengePlace = ({ organizationId }: CallContext): string => `share:${organizationId}`;

/** Number of recent messages in a feed. */
export const loadOf = ({ db, clock }: CallContext, feedId: number): Promise<number> =>
  countItemsSince(db, feedId, timestampOf(clock.now() - LOAD_WINDOW));

/**
 * A challenge for sharing to a feed; its difficulty grows with the number of shared messages.
 * @throws ApiError not_found
 */
export async function createChallenge(context: CallContext, feedId: number): Promise<Challenge> {
  const feed = await findFeedForVisitor(context, feedId, 'shared');
  const load = await loadOf(context, feed.id);
  const more = load < BUSY ? 0 : Math.min(MAX_MORE_BITS, Math.floor(Math.log2(load / BUSY)) + 1);
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

const refused = () =>
  new ApiError('invalid', { proof: ['The proof of work is invalid. Request a new challenge and try again.'] });

/** Whether all solutions of a challenge are valid. */
const isSolved = (challenge: string, { bits, count }: SealedChallenge, solutions: readonly number[]): boolean =>
  solutions.length === count &&
  solutions.every((solution, index) =>
    hasZeroBits(hash('sha256', proofInput(challenge, index, solution), 'buffer'), bits),
  );

/**
 * Checks a proof of work, which is valid once, for its feed, until its challenge expires.
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

type Shared = Pick<Services, 'db' | 'clock'>;

/** Milliseconds during which further uses of a token are not recorded. */
const SAME_USE = 60_000;

/**
 * Begins a visit with a valid token. The first use fixes its end: the row is locked, so only one of several concurrent
 * uses is the first.
 * @param endpoint the structure it opens
 * @param opensAt second at which the room opens: waiting time doesn't count as use; null if it is open
 * @returns null if the access token was changed or deleted in the meantime
 * @throws ApiError too_many if concurrent wrong tokens used up the last attempt
 */
async function admit(
  { db: database, clock }: Shared,
  { id, endpoint_id: endpointId }: StoredToken,
  endpoint: StoredEndpoint,
  address: string,
  opensAt: number | null,
): Promise<BegunVisit | null> {
  await sweepVisits(database, clock);
  return database.transaction().execute(async (db) => {
    await refuseLateEntry({ db, clock }, endpoint, address);
    const row = await lockToken(db, id);
    const now = clock.now();
    if (row?.endpoint_id !== endpointId || refusalOf(row, timestampOf(now))) return null;
    const usedFrom = Math.max(now, (opensAt ?? 0) * 1000);
    const till = row.first_used_at === null ? endAfterFirstUse(row, usedFrom) : row.valid_till;
    if (row.first_used_at === null)
      await updateToken(db, id, {
        first_used_at: timestampOf(now),
        last_used_at: timestampOf(now),
        valid_till: till,
        updated_at: nextTimestamp(clock, row.updated_at),
      });
    else if (row.last_used_at === null || Date.parse(row.last_used_at) <= now - SAME_USE)
      await updateToken(db, id, { last_used_at: timestampOf(now) });
    await emitWebhookEvent(db, { clock, organizationId: endpoint.organization_id }, 'access_token.used', {
      structure: { id: endpointId, name: endpoint.name },
      access_token: { id, is_first_use: row.first_used_at === null },
    });
    return beginVisit(db, clock, { endpointId, accessTokenId: id }, till);
  });
}

/**
 * Counts a wrong token and rejects it. All wrong tokens get the same response, whether or not they open another
 * structure. A token of this structure that has expired or isn't valid yet gets a reason, too. That doesn't help
 * guessing: it requires a complete token, every try costs one of the few attempts, and it reveals nothing that the
 * token wouldn't open by itself at its time.
 * @throws ApiError code_required or too_many
 */
async function refuse(services: Shared, endpoint: StoredEndpoint, address: string, row?: StoredToken): Promise<never> {
  await countEntryFailure(services, endpoint, address);
  const reason = row && refusalOf(row, timestampOf(services.clock.now()));
  throw new ApiError('code_required', undefined, reason ?? undefined);
}

/**
 * Begins a visit to a protected structure with an access token.
 * @throws ApiError code_required if the token opens nothing now, too_many if no attempts are left
 */
export async function redeemCode(
  services: Shared,
  endpoint: StoredEndpoint,
  code: string,
  address: string,
): Promise<BegunVisit> {
  const { id: endpointId } = endpoint;
  await refuseCrowdedEntry(services, endpoint, address);
  // An invalid token matches no row, and some characters, such as NUL, can't be queried on every database.
  const { data: text } = tokenText.safeParse(code);
  const row = text === undefined ? undefined : await findCode(services.db, endpointId, text);
  if (!row || refusalOf(row, timestampOf(services.clock.now()))) return refuse(services, endpoint, address, row);
  const visit = await admit(services, row, endpoint, address, await embargoOf(services, endpoint));
  return visit ?? refuse(services, endpoint, address);
}

/** A visitor with a token. */
type Visitor = Pick<CallContext, 'db' | 'clock' | 'token'>;

/**
 * Checks that a visit is for this structure.
 * @returns timestamp at which the visit ends
 * @throws ApiError signed_out if the visit has ended, code_required if there is none or it is for another structure
 */
async function checkVisit({ db, clock, token }: Visitor, endpointId: number): Promise<string> {
  if (token === null) throw new ApiError('code_required');
  const visit = await findVisit(db, clock, token);
  if (!visit) throw new ApiError('signed_out');
  // The visit of another structure continues, so the client must not discard its token.
  if (visit.endpointId !== endpointId) throw new ApiError('code_required');
  return visit.endsAt;
}

/**
 * The structure at a public path, for a visitor who may enter. Only protected structures use tokens.
 * @throws ApiError not_found, or why the visitor may not enter
 */
export async function enterEndpoint(
  visitor: Visitor,
  organizationId: number,
  slugs: readonly string[],
): Promise<Entered> {
  const endpoint = await findPublicEndpoint(visitor.db, organizationId, slugs);
  const visitEndsAt = endpoint.is_protected === 1 ? await checkVisit(visitor, endpoint.id) : null;
  return { endpoint, visitEndsAt };
}

/**
 * Like `enterEndpoint`, with an access token: a correct one begins a visit, whose token is returned.
 * @param code the visitor's input; without it, an existing visit is used
 */
export async function enterWithCode(
  context: CallContext,
  slugs: readonly string[],
  code: string | null,
): Promise<Entered> {
  const given = code?.trim();
  if (!given) return enterEndpoint(context, context.organizationId, slugs);
  const endpoint = await findPublicEndpoint(context.db, context.organizationId, slugs);
  if (endpoint.is_protected === 0) return { endpoint, visitEndsAt: null };
  const { token, endsAt } = await redeemCode(context, endpoint, given, context.address);
  context.issueToken(token);
  return { endpoint, visitEndsAt: endsAt };
}

/** A structure as in API responses. */
export function readEndpoint({ fields, room }: OpenEndpoint, clock: Clock): PublicEndpoint {
  return {
    ...fields,
    current_time: clock.now() / 1000,
    room: room ? { ...timestamps(clock), tag: room.tag, ...nestedRoom(room.document) } : null,
  };
}
