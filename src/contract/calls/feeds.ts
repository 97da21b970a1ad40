import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { FEED_TYPES, feedSchema, feedUrl, moderationSchema, SHARE_STATES, shareSchema, stamp } from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

const { name } = feedSchema.shape;
const config = z
  .strictObject({ feed_url: feedUrl.optional().describe('Address of the feed (Picdrop).') })
  .describe('What the feed is read with.');
const moderation = moderationSchema
  .partial()
  .strict()
  .optional()
  .describe('Which of what visitors share waits (Local); what is left out stays as it is.');

/** Maximum items per call. */
const MAX_AT_ONCE = 1000;
const ids = z.array(id).min(1).max(MAX_AT_ONCE).describe('Ids of the items; those that are gone are passed over.');
const changed = z.object({ changed: z.int().describe('How many are different now.') });

export const FEED_ORDERS = ['name', '-name', 'type', '-type', 'edited', '-edited'] as const;

/** Feeds that fill groups with images and messages. */
export const feeds = {
  list: call({
    method: 'GET',
    path: '/backend/feeds',
    summary: 'Feeds of the organization, by name unless another order is asked for.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(FEED_ORDERS).default('name').describe('Order.') }),
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
        moderation,
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
      moving: ['is_connected', 'redirect_url', 'fetched_at', 'problem', 'items_count', 'waiting_count', 'edited_by'],
    },
    path: '/backend/feeds/:id',
    summary: 'Changes the fields that are given; the type stays.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({
      name: name.optional(),
      config: config.optional(),
      moderation,
      updated_at: stamp.optional(),
    }),
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
  listItems: call({
    method: 'GET',
    path: '/backend/feed-items',
    summary: 'What visitors shared into local feeds, newest first: shown, hidden, waiting for approval, or removed.',
    access: 'settings.view_any',
    query: listQuery.extend({
      search: listQuery.shape.search.describe('Words that the name or the message contains.'),
      feed_id: idText.optional().describe('Only items of this feed.'),
      state: z
        .enum(SHARE_STATES)
        .optional()
        .describe('Only those in this state; all but the removed ones when left out.'),
      sort: z.enum(['newest', 'oldest', 'name']).default('newest').describe('Their order.'),
    }),
    output: z.array(shareSchema),
    paged: true,
  }),
  updateItems: call({
    method: 'POST',
    path: '/backend/feed-items/state',
    summary: 'Shows items, which approves those that wait, or hides them from visitors.',
    access: 'settings.update',
    body: z.strictObject({
      ids,
      state: z.enum(['shown', 'hidden', 'waiting']).describe('What becomes of them.'),
    }),
    output: changed,
    errors: ['not_found'],
  }),
  removeItems: call({
    method: 'POST',
    path: '/backend/feed-items/remove',
    summary: 'Removes items; they are in the bin for 30 days.',
    access: 'settings.delete',
    body: z.strictObject({ ids }),
    output: changed,
    errors: ['not_found'],
  }),
  restoreItems: call({
    method: 'POST',
    path: '/backend/feed-items/restore',
    summary: 'Restores removed items as they were: shown, hidden or waiting.',
    access: 'settings.create',
    body: z.strictObject({ ids }),
    output: changed,
    errors: ['not_found'],
  }),
};
