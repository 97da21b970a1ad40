import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { listEndpoints } from '../../store/endpoints/endpoints-repository.ts';
import type { FeedUses } from '../../store/feeds/feed-uses.ts';
import { type FeedRow, findFeed } from '../../store/feeds/feeds-repository.ts';
import { feedUsesOfStates, type ShownState } from '../../store/publications/shown-state.ts';
import { enterableRooms } from '../../store/visits/enterable-rooms.ts';
import { openPreview, previewCookie } from '../../store/visits/preview-links.ts';

/** Rooms as they are edited of which the visitor's browser has opened a preview. */
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
 * A feed for a visitor. One that is used only where the visitor may not enter is no other than one that does not exist.
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
