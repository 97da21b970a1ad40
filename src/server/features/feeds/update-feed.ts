import type { z } from 'zod';
import { isSame } from '../../../../engine/document/field-paths.ts';
import type { calls } from '../../../contract/calls.ts';
import type { Feed } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { lockFeed, moderationOf, updateFeed as storeFeed } from './queries.ts';
import { forgetReading, keepItems } from './refresh-feed.ts';
import {
  beginConnection,
  configOf,
  feedRowOf,
  isConnected,
  loggedFeed,
  readAddress,
  readFeed,
  refuseAddress,
  refuseModeration,
} from './service.ts';

/**
 * Changes a feed.
 * @throws ApiError not_found, stale, or invalid when its address cannot be read
 */
export async function updateFeed(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.feeds.update.body>,
): Promise<Feed> {
  const { organizationId, clock } = context;
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
  const row = await context.db.transaction().execute(async (db) => {
    const current = await lockFeed(db, organizationId, id);
    if (!current) throw new ApiError('not_found');
    refuseStale(current.updated_at, updated_at);
    const moderated = { ...moderationOf(current), ...moderation };
    const values = {
      name: name ?? current.name,
      config: isNew ? JSON.stringify({ ...configOf(current), feed_url: url }) : current.config,
      moderation: isSame(moderationOf(current), moderated) ? current.moderation : JSON.stringify(moderated),
      ...connection?.columns,
    };
    await storeFeed(db, current.id, { ...values, updated_at: nextTimestamp(clock, current.updated_at) });
    const after = { ...current, ...values };
    const change = { action: 'update', entity: 'feed', entity_id: current.id, name: after.name } as const;
    await recordChange(db, context, { ...change, row: current, before: loggedFeed(current), after: loggedFeed(after) });
    return after;
  });
  if (items) {
    forgetReading(context, row.id);
    await keepItems(context, row, items);
  }
  return readFeed(context, row.id, connection?.redirect);
}
