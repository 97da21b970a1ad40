import { z } from 'zod';
import { FEED_ORDERS } from '../../../contract/calls/feeds.ts';
import type { Client } from '../../../contract/client.ts';
import {
  type Feed,
  type FeedType,
  feedSchema,
  feedUrl,
  moderationSchema,
  NO_MODERATION,
} from '../../../contract/entities.ts';
import { AreaStore } from '../../stores/area-store.ts';
import { chosenOrder } from '../../stores/list-store.ts';

/** Editable fields of a feed. */
interface FeedDraft {
  type: FeedType;
  name: string;
  feed_url: string;
  hold: boolean;
  hold_unproven: boolean;
  blocked_words: string[];
  notify: string[];
}

/** Names of feed types. */
export const FEED_NAMES: Record<FeedType, string> = { instagram: 'Instagram', picdrop: 'Picdrop', local: 'Local' };

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('picdrop'), name: feedSchema.shape.name, feed_url: feedUrl }),
  z.object({ type: z.literal('instagram'), name: feedSchema.shape.name }),
  z.object({ type: z.literal('local'), name: feedSchema.shape.name, ...moderationSchema.shape }),
]);

const configOf = ({ type, feed_url }: FeedDraft) => (type === 'picdrop' ? { feed_url } : {});

/** Only visitors' messages are moderated. */
const moderationOf = ({ type, hold, hold_unproven, blocked_words, notify }: FeedDraft) =>
  type === 'local' ? { moderation: { hold, hold_unproven, blocked_words, notify } } : {};

/** The feeds. */
export const createFeedsStore = (client: Client) =>
  new AreaStore<Feed, Feed, FeedDraft>({
    list: ({ search, page, filters }) =>
      client.feeds.list({ query: { search, page, sort: chosenOrder(FEED_ORDERS, filters) } }),
    read: (id) => client.feeds.read({ params: { id } }),
    create: (draft) =>
      client.feeds.create({
        body: { name: draft.name, type: draft.type, config: configOf(draft), ...moderationOf(draft) },
      }),
    update: (id, draft, updated_at) =>
      client.feeds.update({
        params: { id },
        body: { name: draft.name, config: configOf(draft), ...moderationOf(draft), updated_at },
      }),
    remove: (id) => client.feeds.remove({ params: { id } }),
    bin: { client, entity: 'feed' },
    bulk: { client, action: 'feeds.remove', things: 'feeds' },
    draftOf: (feed) => ({
      type: feed?.type ?? 'local',
      name: feed?.name ?? '',
      feed_url: feed?.config.feed_url ?? '',
      ...(feed?.moderation ?? NO_MODERATION),
    }),
    schema,
  });
