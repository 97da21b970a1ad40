import { Option } from 'commander';
import { group } from '../command.ts';
import { eachEntry } from '../report/pages.ts';
import { listCommand } from '../resource.ts';
import { FEED_ORDERS, type FeedOrder, SHARE_STATES, type ShareState } from '../words.ts';
import { eachFeed, findFeed } from './find-feed.ts';
import { approveItems, hideItems, removeItems, restoreItems } from './items/change-items.ts';

const listItems = listCommand({
  description: 'list items that visitors shared to local feeds, newest first; excludes removed items by default',
  examples: ['feeds items list --state waiting', 'feeds items list --feed "Guest book" --json'],
  columns: ['id', 'feed', 'state', 'held_because', 'held_word', 'name', 'message', 'file_url', 'created_at'],
  options: () => [
    new Option('--feed <feed>', 'filter by feed: name or ID'),
    new Option('--search <words>', 'filter by text in the name or message'),
    new Option('--state <state>', 'filter by state').choices(SHARE_STATES),
  ],
  each: async function* (client, options: { feed?: string; search?: string; state?: ShareState }) {
    const { feed, search, state } = options;
    const feed_id = feed === undefined ? undefined : String((await findFeed(client, feed)).id);
    yield* eachEntry((page) => client.feeds.listItems({ query: { ...page, feed_id, search, state } }));
  },
  row: (item) => ({ ...item, feed: item.feed.name }),
});

export const feeds = group('feeds', 'feeds, and the items that visitors share to them', [
  listCommand({
    description: 'list feeds by name, with the number of items waiting for approval',
    examples: ['feeds list', 'feeds list --json'],
    columns: ['id', 'name', 'type', 'items_count', 'waiting_count'],
    orders: FEED_ORDERS,
    each: (client, { sort }: { sort?: FeedOrder }) => eachFeed(client, sort),
  }),
  group('items', 'items that visitors shared to local feeds', [
    listItems,
    approveItems,
    hideItems,
    removeItems,
    restoreItems,
  ]),
]);
