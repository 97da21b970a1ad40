import { Option } from 'commander';
import { type AddCommand, connected, examples } from '../../command.ts';
import { type ListOptions, listOptions, printList } from '../../report/list.ts';
import { eachEntry } from '../../report/pages.ts';
import { SHARE_STATES, type ShareState } from '../../words.ts';
import { findFeed } from '../find-feed.ts';

const ITEM_COLUMNS = ['id', 'feed', 'state', 'held_because', 'held_word', 'name', 'message', 'file_url', 'created_at'];

type Options = ListOptions & { feed?: string; search?: string; state?: ShareState };

export const listItems: AddCommand = (items) => {
  const command = items
    .command('list')
    .description(
      'list what visitors shared into local feeds, newest first; without what was removed, unless it is asked for',
    )
    .option('--feed <feed>', 'only of this feed: its name or id')
    .option('--search <words>', 'only those that contain these words')
    .addOption(new Option('--state <state>', 'only those in this state').choices(SHARE_STATES))
    .addHelpText(
      'after',
      examples('enfilade feeds items list --state waiting', 'enfilade feeds items list --feed "Guest book" --json'),
    )
    .action(
      connected(async ({ client }, { feed, search, state, ...options }: Options) => {
        const feed_id = feed === undefined ? undefined : String((await findFeed(client, feed)).id);
        const rows = eachEntry((page) => client.feeds.listItems({ query: { ...page, feed_id, search, state } }));
        await printList(options, ITEM_COLUMNS, rows, (row) => ({ ...row, feed: row.feed.name }));
      }),
    );
  for (const option of listOptions()) command.addOption(option);
};
