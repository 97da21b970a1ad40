import { pageMeta } from '../../base/db/paging.ts';
import { listFeeds } from '../../store/feeds/feeds-repository.ts';
import type { Handlers } from '../handler.ts';
import { connectFeed } from './connect-feed.ts';
import { createFeed } from './create-feed.ts';
import { asFeeds, readFeed } from './read-feed.ts';
import { removeFeed } from './remove-feed.ts';
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
};
