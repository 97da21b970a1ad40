import { ApiError } from '../../contract/errors.ts';
import { GivenUp, workersFor } from '../ask-worker.ts';
import type { GuardedClient } from '../outgoing/guarded-client.ts';
import type { SourceItem } from './feed-items-repository.ts';
import type { FeedText } from './picdrop-items.ts';

/** Field that the address comes in. */
const FIELD = 'config.feed_url';
const ACCEPT =
  'application/feed+json, application/rss+xml, application/atom+xml, application/json, application/xml, text/xml';

/** What the worker answers: the items, or why there are none. */
export type PicdropAnswer = { items: SourceItem[] } | { refusal: string };

const askWorker = workersFor<FeedText, PicdropAnswer>({
  file: new URL('./picdrop-worker.ts', import.meta.url),
  patience: 5000,
  memory: 512,
  atOnce: 1,
});

async function ask(text: FeedText): Promise<PicdropAnswer> {
  try {
    return await askWorker(text);
  } catch (error) {
    if (error instanceof GivenUp)
      return { refusal: 'This feed takes too long to read. Use an address of a smaller one.' };
    throw error;
  }
}

/**
 * Reads a feed that others offer. What is in it is read in a worker: megabytes of tags take seconds.
 * @param now stamp for items without a date
 * @throws ApiError invalid, naming the address
 */
export async function readPicdrop(guarded: GuardedClient, address: string, now: string): Promise<SourceItem[]> {
  const { url, type, body } = await guarded.get(address, ACCEPT, FIELD);
  const answer = await ask({ url, type, body, now });
  if ('refusal' in answer) throw new ApiError('invalid', { [FIELD]: [answer.refusal] });
  return answer.items;
}
