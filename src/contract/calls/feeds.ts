import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { FEED_TYPES, feedSchema, feedUrl, moderationSchema, SHARE_STATES, shareSchema, stamp } from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

const { name } = feedSchema.shape;
const config = z
  .strictObject({ feed_url: feedUrl.optional().describe('URL of the feed (Picdrop).') })
  .describe('Source settings.');
const moderation = moderationSchema
  .partial()
  .strict()
  .optional()
  .describe("Moderation settings (Local). Omitted fields don't change.");

/** Maximum items per call. */
const MAX_AT_ONCE = 1000;
const ids = z.array(id).min(1).max(MAX_AT_ONCE).describe('Item IDs. Unknown IDs are ignored.');
const changed = z.object({ changed: z.int().describe('Number of changed items.') });

export const FEED_ORDERS = ['name', '-name', 'type', '-type', 'edited', '-edited'] as const;

/** Feeds that fill groups with images and messages. */
export const feeds = {
  list: call({
    method: 'GET',
    path: '/backend/feeds',
    summary: 'Lists feeds, by name by default.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(FEED_ORDERS).default('name').describe('Sort order.') }),
    output: z.array(feedSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/feeds/:id',
    summary: 'Returns a feed.',
    access: 'settings.view_any',
    params: idParams,
    output: feedSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/feeds',
    summary: 'Creates a feed. For Instagram, redirect the browser to `redirect_url` to grant access.',
    access: 'settings.create',
    body: z
      .strictObject({
        name,
        type: z.enum(FEED_TYPES).describe('Source of the items.'),
        config: config.default({}),
        moderation,
      })
      .refine(({ type, config }) => type !== 'picdrop' || config.feed_url !== undefined, {
        path: ['config.feed_url'],
        error: 'Enter the URL of the feed.',
      }),
    output: feedSchema,
    errors: ['not_set_up', 'provider_failed'],
    status: 201,
    done: 'The feed has been added.',
  }),
  connect: call({
    method: 'POST',
    path: '/backend/feeds/connect',
    summary: 'Completes the connection to Instagram with the parameters of its redirect.',
    access: 'settings.update',
    body: z.strictObject({
      code: z.string().min(1).max(2000).describe('The `code` parameter of the redirect.'),
      state: z.string().min(1).max(200).describe('The `state` parameter of the redirect.'),
    }),
    output: feedSchema,
    errors: ['not_found', 'not_set_up', 'provider_failed', 'provider_busy'],
    done: 'The feed has been connected.',
  }),
  update: call({
    method: 'PUT',
    edits: {
      read: 'feeds.read',
      moving: ['is_connected', 'redirect_url', 'fetched_at', 'problem', 'items_count', 'waiting_count', 'edited_by'],
    },
    path: '/backend/feeds/:id',
    summary: "Updates the given fields. The type can't be changed.",
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
    summary: 'Deletes a feed with its items.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The feed has been removed.',
  }),
  listItems: call({
    method: 'GET',
    path: '/backend/feed-items',
    summary: 'Lists items that visitors shared to local feeds, newest first by default.',
    access: 'settings.view_any',
    query: listQuery.extend({
      search: listQuery.shape.search.describe('Text contained in the name or message.'),
      feed_id: idText.optional().describe('Filter by feed.'),
      state: z.enum(SHARE_STATES).optional().describe('Filter by state; all except removed items if omitted.'),
      sort: z.enum(['newest', 'oldest', 'name']).default('newest').describe('Sort order.'),
    }),
    output: z.array(shareSchema),
    paged: true,
  }),
  updateItems: call({
    method: 'POST',
    path: '/backend/feed-items/state',
    summary: 'Shows items, which approves waiting ones, or hides them from visitors.',
    access: 'settings.update',
    body: z.strictObject({
      ids,
      state: z.enum(['shown', 'hidden', 'waiting']).describe('New state.'),
    }),
    output: changed,
    errors: ['not_found'],
  }),
  removeItems: call({
    method: 'POST',
    path: '/backend/feed-items/remove',
    summary: 'Removes items. They stay in the bin for 30 days.',
    access: 'settings.delete',
    body: z.strictObject({ ids }),
    output: changed,
    errors: ['not_found'],
  }),
  restoreItems: call({
    method: 'POST',
    path: '/backend/feed-items/restore',
    summary: 'Restores removed items to their previous state.',
    access: 'settings.create',
    body: z.strictObject({ ids }),
    output: changed,
    errors: ['not_found'],
  }),
};
