import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { SourceItem } from '../../core/files/inspect/feeds/source-item.ts';
import type { Services } from '../../core/services.ts';
import { replaceItems } from './feed-items-repository.ts';
import { type FeedRow, lockFeed, updateFeed } from './feeds-repository.ts';
import { Disconnected, readInstagram } from './read-instagram.ts';
import { readPicdrop } from './read-picdrop.ts';

/** Milliseconds after which the items of a source elsewhere are read again, and at which it is asked at most. */
const MAX_AGE = 5 * 60 * 1000;
/** Milliseconds that visitors wait for a source while there are items to show. */
const FEED_TIMEOUT = 2000;

/** An attempt to read a source. */
interface Reading {
  /** Milliseconds since 1970. */
  since: number;
  /** Null when it has ended. */
  promise: Promise<void> | null;
}

/** The last attempt at each feed, by database: one process asks a source once at a time. */
const readings = new WeakMap<object, Map<number, Reading>>();

function readingsOf({ db }: Services): Map<number, Reading> {
  const known = readings.get(db) ?? new Map<number, Reading>();
  readings.set(db, known);
  return known;
}

const urlOf = ({ config }: FeedRow): string => (JSON.parse(config) as { feed_url?: string }).feed_url ?? '';

/** Keeps what a source has now. A feed that was changed while it was read stays as it is. */
export async function keepItems(services: Services, feed: FeedRow, items: readonly SourceItem[]): Promise<void> {
  const { db: database, clock } = services;
  await database.transaction().execute(async (db) => {
    const row = await lockFeed(db, feed.organization_id, feed.id);
    if (!row || row.config !== feed.config) return;
    await replaceItems(db, feed.id, items);
    await updateFeed(db, feed.id, { fetched_at: timestampOf(clock.now()), problem: '' });
  });
}

/** Keeps why a source could not be read; the items stay as they were. */
async function keepProblem({ db }: Services, feed: FeedRow, error: unknown): Promise<void> {
  if (error instanceof Disconnected) {
    const problem = 'Instagram does not allow this feed any more. Save the feed to allow it again.';
    await updateFeed(db, feed.id, { problem, secret: null, secret_expires_at: null });
    return;
  }
  const problem = error instanceof ApiError ? error.message : 'The items could not be stored. Try again later.';
  await updateFeed(db, feed.id, { problem });
}

async function read(services: Services, feed: FeedRow): Promise<void> {
  const { clock } = services;
  try {
    const items =
      feed.type === 'picdrop'
        ? await readPicdrop(services, urlOf(feed), timestampOf(clock.now()))
        : await readInstagram(services, feed);
    await keepItems(services, feed, items);
  } catch (error) {
    await keepProblem(services, feed, error);
  }
}

/** Whether there is a source elsewhere that can be asked. */
async function isReadable({ outgoing }: Services, { type, secret, organization_id }: FeedRow): Promise<boolean> {
  if (type !== 'instagram' || secret === null) return type === 'picdrop';
  return (await outgoing.of(organization_id)).instagram !== null;
}

/**
 * Reads the source of a feed again when its items are old. Never fails: what goes wrong stands in the feed afterwards.
 * Where there are items to show, a slow source is not waited for long.
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
      // The database may have gone away under a reading that nobody waits for any more.
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

/** Lets a feed be asked at once, such as after its address was changed. */
export function forgetReading(services: Services, feedId: number): void {
  readingsOf(services).delete(feedId);
}
