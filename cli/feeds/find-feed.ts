import type { Client } from '../../src/contract/client.ts';
import type { Feed } from '../../src/contract/entities.ts';
import { eachEntry } from '../report/pages.ts';
import { findByName } from '../resource.ts';
import type { FeedOrder } from '../words.ts';

export const eachFeed = (client: Client, sort?: FeedOrder): AsyncGenerator<Feed> =>
  eachEntry((page) => client.feeds.list({ query: { ...page, sort } }));

export const findFeed = (client: Client, wanted: string): Promise<Feed> => findByName(eachFeed(client), wanted, 'feed');
