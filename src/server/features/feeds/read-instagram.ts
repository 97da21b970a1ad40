import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { MOST_ITEMS, type SourceItem } from '../../core/files/inspect/feeds/source-item.ts';
import {
  addressOf,
  externalIdOf,
  itemNameOf,
  messageOf,
  momentOf,
  pictureOf,
} from '../../core/files/inspect/feeds/source-text.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import { PlatformError } from '../../providers/platform-errors.ts';
import { type FeedRow, updateFeed } from './feeds-repository.ts';

/** Milliseconds before its end at which a token is replaced: half of its two months. */
const REPLACE_BEFORE = 30 * 24 * 60 * 60 * 1000;

/** What Instagram calls a token that works no more. */
const TOKEN_ENDED = 'code 190';

/** Place that a feed's token is sealed for. */
export const sealPlaceOfFeed = ({ id }: Pick<FeedRow, 'id'>): string => `feed:${id}`;

/** A feed that Instagram has to be asked for again. */
export class Disconnected extends Error {}

/** Columns that hold a token. */
export async function columnsOfToken(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  feed: Pick<FeedRow, 'id'>,
  { token, seconds }: { token: string; seconds: number },
): Promise<Pick<FeedRow, 'secret' | 'secret_expires_at'>> {
  return {
    secret: await sealToken(settings, sealPlaceOfFeed(feed), token),
    secret_expires_at: timestampOf(clock.now() + seconds * 1000),
  };
}

/** The token of a feed, replaced in good time. One that cannot be replaced just now is used as long as it works. */
async function tokenOf(services: Services, feed: FeedRow, instagram: InstagramClient): Promise<string> {
  const { db, settings, clock } = services;
  const till = Date.parse(feed.secret_expires_at ?? '');
  const token = feed.secret === null ? null : await openToken(settings, sealPlaceOfFeed(feed), feed.secret);
  if (token === null || !(till > clock.now())) throw new Disconnected();
  if (till - clock.now() > REPLACE_BEFORE) return token;
  try {
    const next = await instagram.refresh(token);
    await updateFeed(db, feed.id, await columnsOfToken(services, feed, next));
    return next.token;
  } catch (error) {
    if (error instanceof PlatformError) return token;
    throw error;
  }
}

/**
 * Reads the newest posts of an account.
 * @throws Disconnected when it has to be allowed again; ApiError not_set_up, provider_failed or provider_busy
 */
export async function readInstagram(services: Services, feed: FeedRow): Promise<SourceItem[]> {
  const { outgoing, clock } = services;
  const { instagram } = await outgoing.of(feed.organization_id);
  if (!instagram) throw new ApiError('not_set_up');
  const token = await tokenOf(services, feed, instagram);
  const posts = await instagram.posts(token, MOST_ITEMS).catch((error: unknown) => {
    throw error instanceof PlatformError && error.platformReason === TOKEN_ENDED ? new Disconnected() : error;
  });
  return posts.slice(0, MOST_ITEMS).map((post) => ({
    external_id: externalIdOf(post.id),
    name: itemNameOf(post.username ?? ''),
    message: messageOf(post.caption ?? ''),
    file_url: pictureOf(post.media_type === 'VIDEO' ? post.thumbnail_url : post.media_url),
    width: null,
    height: null,
    link: addressOf(post.permalink, undefined),
    created_at: momentOf(post.timestamp, timestampOf(clock.now())),
  }));
}
