import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { FEED_FIELD, MAX_ITEMS, type SourceItem } from '../../core/files/inspect/feeds/source-item.ts';
import {
  addressOf,
  externalIdOf,
  itemNameOf,
  messageOf,
  momentOf,
  pictureOf,
} from '../../core/files/inspect/feeds/source-text.ts';
import { lastKnown, type Measure, OutcomeCounter } from '../../core/metrics.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import { PlatformError } from '../../providers/platform-errors.ts';
import { countFeeds, type FeedRow, lockFeed, replaceItems, updateFeed } from './queries.ts';

/** Cache lifetime of an external feed, which is also the minimum interval between requests, in milliseconds. */
const MAX_AGE = 5 * 60 * 1000;
/** Maximum time in milliseconds that visitors wait for a source while there are cached items. */
const FEED_TIMEOUT = 2000;

/** An attempt to read a source. */
interface Reading {
  /** Milliseconds since 1970. */
  since: number;
  /** Null after it has ended. */
  promise: Promise<void> | null;
}

/** The last attempt for each feed, by database: a process sends one request per source at a time. */
const readings = new WeakMap<object, Map<number, Reading>>();

function readingsOf({ db }: Services): Map<number, Reading> {
  const known = readings.get(db) ?? new Map<number, Reading>();
  readings.set(db, known);
  return known;
}

const urlOf = ({ config }: FeedRow): string => (JSON.parse(config) as { feed_url?: string }).feed_url ?? '';

/** Stores the items of a source. A feed that was edited in the meantime stays unchanged. */
export async function keepItems(services: Services, feed: FeedRow, items: readonly SourceItem[]): Promise<void> {
  const { db: database, clock } = services;
  await database.transaction().execute(async (db) => {
    const row = await lockFeed(db, feed.organization_id, feed.id);
    if (!row || row.config !== feed.config) return;
    await replaceItems(db, feed.id, items);
    await updateFeed(db, feed.id, { fetched_at: timestampOf(clock.now()), problem: '' });
  });
}

/** Stores why a source could not be read; the items stay unchanged. */
async function keepProblem({ db }: Services, feed: FeedRow, error: unknown): Promise<void> {
  if (error instanceof Disconnected) {
    const problem = 'Instagram has revoked access for this feed. Save the feed to grant access again.';
    await updateFeed(db, feed.id, { problem, secret: null, secret_expires_at: null });
    return;
  }
  const problem = error instanceof ApiError ? error.message : "The items couldn't be stored. Try again later.";
  await updateFeed(db, feed.id, { problem });
}

const readCounts = new OutcomeCounter({ name: 'feed_reads_total', help: 'Reads of external feeds: done or failed.' }, [
  'done',
  'failed',
]);

/** Metrics: reads by this server, and the state of all feeds. */
export function feedMeasures({ db }: Pick<Services, 'db'>): Measure[] {
  const gauge = (name: string, help: string, of: 'failing' | 'waiting'): Measure => ({
    name,
    type: 'gauge',
    help,
    read: lastKnown(async () => [[{}, (await countFeeds(db))[of]]]),
  });
  return [
    readCounts.measure(db),
    gauge('feeds_failing', 'Feeds whose source could not be read last time.', 'failing'),
    gauge('feed_items_waiting', 'Shared items that wait for approval.', 'waiting'),
  ];
}

async function read(services: Services, feed: FeedRow): Promise<void> {
  const { clock } = services;
  try {
    const items =
      feed.type === 'picdrop'
        ? await readPicdrop(services, urlOf(feed), timestampOf(clock.now()))
        : await readInstagram(services, feed);
    await keepItems(services, feed, items);
    readCounts.count(services.db, 'done');
  } catch (error) {
    readCounts.count(services.db, 'failed');
    await keepProblem(services, feed, error);
  }
}

/** Whether the feed has an external source that can be read. */
async function isReadable({ outgoing }: Services, { type, secret, organization_id }: FeedRow): Promise<boolean> {
  if (type !== 'instagram' || secret === null) return type === 'picdrop';
  return (await outgoing.of(organization_id)).instagram !== null;
}

/**
 * Refreshes a feed with stale items. Never throws: errors are stored in the feed.
 * With cached items, it does not wait long for a slow source.
 */
export async function freshenFeed(services: Services, feed: FeedRow): Promise<void> {
  const now = services.clock.now();
  if (Date.parse(feed.fetched_at ?? '') > now - MAX_AGE || !(await isReadable(services, feed))) return;
  const known = readingsOf(services);
  let reading = known.get(feed.id);
  if (!reading?.promise) {
    if (reading && reading.since > now - MAX_AGE) return;
    const started: Reading = { since: now, promise: null };
    started.promise = read(services, feed)
      // The database may have closed during a read that nothing awaits any more.
      .catch(() => {})
      .finally(() => {
        started.promise = null;
      });
    known.set(feed.id, started);
    reading = started;
  }
  const waiting = [reading.promise];
  const patience = new AbortController();
  if (feed.fetched_at !== null) waiting.push(sleep(FEED_TIMEOUT, undefined, { signal: patience.signal, ref: false }));
  await Promise.race(waiting).finally(() => patience.abort());
}

/** Resets the rate limit of a feed, such as after its URL was changed. */
export function forgetReading(services: Services, feedId: number): void {
  readingsOf(services).delete(feedId);
}

/** Milliseconds before its expiry at which a token is renewed: half of its two months. */
const REPLACE_BEFORE = 30 * 24 * 60 * 60 * 1000;

/** Instagram's error for an invalid token. */
const TOKEN_ENDED = 'code 190';

/** Seal context of a feed's token. */
const sealPlaceOfFeed = ({ id }: Pick<FeedRow, 'id'>): string => `feed:${id}`;

/** Instagram access must be granted again. */
class Disconnected extends Error {}

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

/** The token of a feed, renewed ahead of expiry. If renewal fails, the old token is used until it expires. */
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
 * @throws Disconnected if access must be granted again; ApiError not_set_up, provider_failed or provider_busy
 */
async function readInstagram(services: Services, feed: FeedRow): Promise<SourceItem[]> {
  const { outgoing, clock } = services;
  const { instagram } = await outgoing.of(feed.organization_id);
  if (!instagram) throw new ApiError('not_set_up');
  const token = await tokenOf(services, feed, instagram);
  const posts = await instagram.posts(token, MAX_ITEMS).catch((error: unknown) => {
    throw error instanceof PlatformError && error.platformReason === TOKEN_ENDED ? new Disconnected() : error;
  });
  return posts.slice(0, MAX_ITEMS).map((post) => ({
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

const ACCEPT =
  'application/feed+json, application/rss+xml, application/atom+xml, application/json, application/xml, text/xml';

/**
 * Reads an external web feed. It is parsed in a worker, because megabytes of XML take seconds.
 * @param now stamp for items without a date
 * @throws ApiError invalid with the URL field
 */
export async function readPicdrop(
  { outgoing, workers }: Pick<Services, 'outgoing' | 'workers'>,
  address: string,
  now: string,
): Promise<SourceItem[]> {
  const { url, type, body } = await outgoing.guarded.get(address, ACCEPT, FEED_FIELD);
  return workers.run('readFeed', { url, type, body, now });
}
