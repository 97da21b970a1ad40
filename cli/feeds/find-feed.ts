import type { Client } from '../../src/contract/client.ts';
import type { Feed } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { eachEntry } from '../report/pages.ts';
import type { FeedOrder } from '../words.ts';

/** Every feed of the organization, by name unless another order is asked for. */
export const eachFeed = (client: Client, sort?: FeedOrder): AsyncGenerator<Feed> =>
  eachEntry((page) => client.feeds.list({ query: { ...page, sort } }));

/**
 * The feed with this name or id.
 * @throws CliError when there is none, or more than one of the name
 */
export async function findFeed(client: Client, wanted: string): Promise<Feed> {
  const named: Feed[] = [];
  for await (const feed of eachFeed(client)) {
    if (String(feed.id) === wanted) return feed;
    if (feed.name === wanted) named.push(feed);
  }
  const [feed, ...more] = named;
  if (feed && more.length === 0) return feed;
  if (feed)
    throw wrongError(`There are ${named.length} feeds "${wanted}".`, 'Use the id that enfilade feeds list shows.');
  throw wrongError(`There is no feed "${wanted}".`, 'enfilade feeds list shows their names.');
}
