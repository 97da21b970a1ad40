import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { listFeeds } from './queries.ts';
import { asFeeds, connectFeed, createFeed, readFeed, removeFeed, updateItems } from './service.ts';
import { listShares } from './shares.ts';
import { updateFeed } from './update-feed.ts';

export const feeds: Handlers<'feeds'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listFeeds(context.db, context.organizationId, query);
    return { data: await asFeeds(context, rows), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => readFeed(context, params.id),

  create: async (context, { body }) => createFeed(context, body),

  connect: async (context, { body }) => readFeed(context, await connectFeed(context, body)),

  update: async (context, { params, body }) => updateFeed(context, params.id, body),

  remove: async (context, { params }) => {
    await removeFeed(context, params.id);
    return null;
  },

  listItems: async ({ db, organizationId }, { query }) => {
    const { shares, total } = await listShares(db, organizationId, query);
    return { data: shares, meta: pageMeta(total, query) };
  },

  updateItems: async (context, { body }) => ({ changed: await updateItems(context, body.ids, body.state) }),

  removeItems: async (context, { body }) => ({ changed: await updateItems(context, body.ids, 'removed') }),

  restoreItems: async (context, { body }) => ({ changed: await updateItems(context, body.ids, 'restored') }),
};
