import { Option } from 'commander';
import { group } from '../command.ts';
import { eachEntry } from '../report/pages.ts';
import { listCommand } from '../resource.ts';
import { FEED_ORDERS, type FeedOrder, SHARE_STATES, type ShareState } from '../words.ts';
import { eachFeed, findFeed } from './find-feed.ts';
import { approveItems, hideItems, removeItems, restoreItems } from './items/change-items.ts';

const listItems = listCommand({
  description: 'list what visitors shared into local feeds, newest first; without removed items unless asked for',
  examples: ['feeds items list --state waiting', 'feeds items list --feed "Guest book" --json'],
  columns: ['id', 'feed', 'state', 'held_because', 'held_word', 'name', 'message', 'file_url', 'created_at'],
  options: () => [
    new Option('--feed <feed>', 'only of this feed: its name or id'),
    new Option('--search <words>', 'only those that contain these words'),
    new Option('--state <state>', 'only those in this state').choices(SHARE_STATES),
  ],
  each: async function* (client, options: { feed?: string; search?: string; state?: ShareState }) {
    const { feed, search, state } = options;
    const feed_id = feed === undefined ? undefined : String((await findFeed(client, feed)).id);
    yield* eachEntry((page) => client.feeds.listItems({ query: { ...page, feed_id, search, state } }));
  },
  row: (item) => ({ ...item, feed: item.feed.name }),
});

export const feeds = group('feeds', 'feeds, and what visitors share into them', [
  listCommand({
    description: 'list feeds by name, with the number of items that await approval',
    examples: ['feeds list', 'feeds list --json'],
    columns: ['id', 'name', 'type', 'items_count', 'waiting_count'],
    orders: FEED_ORDERS,
    each: (client, { sort }: { sort?: FeedOrder }) => eachFeed(client, sort),
  }),
  group('items', 'what visitors shared into local feeds', [
    listItems,
    approveItems,
    hideItems,
    removeItems,
    restoreItems,
  ]),
]);
