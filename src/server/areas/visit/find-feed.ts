import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { type FeedUses, feedUsesOf } from '../../store/feeds/feed-uses.ts';
import { type FeedRow, findFeed } from '../../store/feeds/feeds-repository.ts';
import { enterableRooms } from '../../store/visits/enterable-rooms.ts';

/**
 * A feed for a visitor. One that is used only where the visitor may not enter is no other than one that does not exist.
 * @param use whether a room must show the feed, or share to it
 * @throws ApiError not_found
 */
export async function findFeedForVisitor(context: CallContext, id: number, use: keyof FeedUses): Promise<FeedRow> {
  const feed = await findFeed(context.db, context.organizationId, id);
  const uses = feed && (await feedUsesOf(context.db, await enterableRooms(context)));
  const isUsed = uses && [...uses.values()].some((room) => room[use].has(id));
  if (!feed || !isUsed) throw new ApiError('not_found');
  return feed;
}
