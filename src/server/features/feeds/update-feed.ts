import type { z } from 'zod';
import { isSame } from '../../../../engine/document/field-paths.ts';
import type { calls } from '../../../contract/calls.ts';
import type { Feed } from '../../../contract/entities.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { type FeedRow, moderationOf } from './queries.ts';
import { forgetReading, keepItems } from './refresh-feed.ts';
import {
  beginConnection,
  configOf,
  feedRowOf,
  feedRows,
  isConnected,
  readAddress,
  readFeed,
  refuseAddress,
  refuseModeration,
} from './service.ts';

/**
 * Changes a feed.
 * @throws ApiError not_found, stale, or invalid if its URL cannot be read
 */
export async function updateFeed(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.feeds.update.body>,
): Promise<Feed> {
  const { organizationId } = context;
  const { updated_at, name, config = {}, moderation = {} } = body;
  const before = await feedRowOf(context, id);
  refuseStale(before.updated_at, updated_at);
  refuseAddress(before.type, config);
  refuseModeration(before.type, moderation);
  const url = config.feed_url;
  const isNew = url !== undefined && url !== configOf(before).feed_url;
  const items = isNew ? await readAddress(context, url) : null;
  const { instagram } = await context.outgoing.of(organizationId);
  const connection = instagram && !isConnected(context, before) ? beginConnection(context, instagram) : null;
  const values = (current: FeedRow) => {
    const moderated = { ...moderationOf(current), ...moderation };
    return {
      name: name ?? current.name,
      config: isNew ? JSON.stringify({ ...configOf(current), feed_url: url }) : current.config,
      moderation: isSame(moderationOf(current), moderated) ? current.moderation : JSON.stringify(moderated),
      ...connection?.columns,
    };
  };
  const row = await context.db
    .transaction()
    .execute((db) => feedRows.update(db, context, id, { seen: updated_at, values }));
  if (items) {
    forgetReading(context, row.id);
    await keepItems(context, row, items);
  }
  return readFeed(context, row.id, connection?.redirect);
}
