import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { Feed } from '../../../contract/entities.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { keepItems } from '../../jobs/feeds/freshen-feed.ts';
import type { CallContext } from '../../store/call-context.ts';
import { insertFeed } from '../../store/feeds/feeds-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { beginConnection, instagramOf } from './connect-feed.ts';
import { readAddress, refuseAddress, refuseModeration } from './read-address.ts';
import { loggedFeed, readFeed } from './read-feed.ts';

/**
 * Adds a feed.
 * @throws ApiError not_set_up, or invalid when its address cannot be read
 */
export async function createFeed(context: CallContext, body: z.output<typeof calls.feeds.create.body>): Promise<Feed> {
  const { organizationId, clock } = context;
  const { name, type, config, moderation = {} } = body;
  refuseAddress(type, config);
  refuseModeration(type, moderation);
  const connection = type === 'instagram' ? beginConnection(context, await instagramOf(context)) : null;
  const items = config.feed_url === undefined ? null : await readAddress(context, config.feed_url);
  const at = nextTimestamp(clock);
  const row = await context.db.transaction().execute(async (db) => {
    const made = await insertFeed(db, {
      name,
      type,
      config: JSON.stringify(config),
      moderation: JSON.stringify(moderation),
      secret: null,
      secret_expires_at: null,
      connect_hash: null,
      connect_expires_at: null,
      ...connection?.columns,
      fetched_at: null,
      problem: '',
      organization_id: organizationId,
      created_at: at,
      updated_at: at,
    });
    const change = { action: 'create', entity: 'feed', entity_id: made.id, name } as const;
    await recordChange(db, context, { ...change, after: loggedFeed(made) });
    return made;
  });
  if (items) await keepItems(context, row, items);
  return readFeed(context, row.id, connection?.redirect);
}
