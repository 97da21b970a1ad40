import { z } from 'zod';
import { call } from '../call.ts';
import { FEED_TYPES, feedSchema, feedUrl, stamp } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name } = feedSchema.shape;
const config = z
  .strictObject({ feed_url: feedUrl.optional().describe('Address of the feed (Picdrop).') })
  .describe('What the feed is read with.');

/** Feeds that fill groups with pictures and messages. */
export const feeds = {
  list: call({
    method: 'GET',
    path: '/backend/feeds',
    summary: 'Feeds of the organization, by name.',
    access: 'settings.view_any',
    query: listQuery,
    output: z.array(feedSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/feeds/:id',
    summary: 'One feed.',
    access: 'settings.view_any',
    params: idParams,
    output: feedSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/feeds',
    summary: 'Adds a feed; for Instagram, the browser goes to `redirect_url` to allow it.',
    access: 'settings.create',
    body: z
      .strictObject({
        name,
        type: z.enum(FEED_TYPES).describe('Where its items come from.'),
        config: config.default({}),
      })
      .refine(({ type, config }) => type !== 'picdrop' || config.feed_url !== undefined, {
        path: ['config.feed_url'],
        error: 'Enter the address of the feed.',
      }),
    output: feedSchema,
    errors: ['not_set_up', 'provider_failed'],
    status: 201,
    done: 'The feed has been added.',
  }),
  connect: call({
    method: 'POST',
    path: '/backend/feeds/connect',
    summary: 'Ends the connecting of Instagram with what its redirect carries.',
    access: 'settings.update',
    body: z.strictObject({
      code: z.string().min(1).max(2000).describe('`code` of the redirect.'),
      state: z.string().min(1).max(200).describe('`state` of the redirect.'),
    }),
    output: feedSchema,
    errors: ['not_found', 'not_set_up', 'provider_failed', 'provider_busy'],
    done: 'The feed is connected.',
  }),
  update: call({
    method: 'PUT',
    edits: {
      read: 'feeds.read',
      moving: ['is_connected', 'redirect_url', 'fetched_at', 'problem', 'items_count'],
    },
    path: '/backend/feeds/:id',
    summary: 'Changes the fields that are given; the type stays.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({ name: name.optional(), config: config.optional(), updated_at: stamp.optional() }),
    output: feedSchema,
    done: 'The feed has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/feeds/:id',
    summary: 'Removes a feed with its items.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The feed has been removed.',
  }),
};
