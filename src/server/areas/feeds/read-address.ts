import type { Moderation } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import { readPicdrop } from '../../jobs/feeds/read-picdrop.ts';
import type { CallContext } from '../../store/call-context.ts';
import type { FeedConfig } from './read-feed.ts';

/** The items at an address. An address that cannot be read is told to whoever enters it, not to visitors. */
export const readAddress = (context: CallContext, url: string) =>
  readPicdrop(context, url, timestampOf(context.clock.now()));

/** Only what visitors share is moderated. */
export function refuseModeration(type: string, moderation: Partial<Moderation>): void {
  if (type !== 'local' && Object.keys(moderation).length > 0)
    throw new ApiError('invalid', { moderation: ['Only local feeds are moderated. Leave it out.'] });
}

/** Only Picdrop has an address. */
export function refuseAddress(type: string, { feed_url }: FeedConfig): void {
  if (feed_url !== undefined && type !== 'picdrop')
    throw new ApiError('invalid', { 'config.feed_url': ['Only feeds of Picdrop have an address. Leave it out.'] });
}
