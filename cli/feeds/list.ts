import { type AddCommand, connected, examples } from '../command.ts';
import { type ListOptions, listOptions, printList, sortOption } from '../report/list.ts';
import { FEED_ORDERS, type FeedOrder } from '../words.ts';
import { eachFeed } from './find-feed.ts';

const FEED_COLUMNS = ['id', 'name', 'type', 'items_count', 'waiting_count'];

export const listFeeds: AddCommand = (feeds) => {
  const command = feeds
    .command('list')
    .description('list feeds by name, with how much of them waits for approval')
    .addOption(sortOption(FEED_ORDERS))
    .addHelpText('after', examples('enfilade feeds list', 'enfilade feeds list --json'))
    .action(
      connected(async ({ client }, { sort, ...options }: ListOptions & { sort?: FeedOrder }) => {
        await printList(options, FEED_COLUMNS, eachFeed(client, sort), (row) => row);
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
