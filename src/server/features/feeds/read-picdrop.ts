import { FEED_FIELD, type SourceItem } from '../../core/files/inspect/feeds/source-item.ts';
import type { Services } from '../../core/services.ts';

const ACCEPT =
  'application/feed+json, application/rss+xml, application/atom+xml, application/json, application/xml, text/xml';

/**
 * Reads a feed that others offer. What is in it is read in a worker: megabytes of tags take seconds.
 * @param now stamp for items without a date
 * @throws ApiError invalid, naming the address
 */
export async function readPicdrop(
  { outgoing, workers }: Pick<Services, 'outgoing' | 'workers'>,
  address: string,
  now: string,
): Promise<SourceItem[]> {
  const { url, type, body } = await outgoing.guarded.get(address, ACCEPT, FEED_FIELD);
  return workers.run('readFeed', { url, type, body, now });
}
