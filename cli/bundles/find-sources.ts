import type { Client } from '../../src/contract/client.ts';
import type { Feed, LiveStream } from '../../src/contract/entities.ts';
import { asCliError } from '../as-cli-error.ts';
import { allPages } from '../report/pages.ts';
import type { Manifest } from './bundle.ts';
import type { FeedEntry, StreamEntry } from './sources.ts';

/** The local ids of a bundle's feeds and live streams, in bundle order; null if missing. */
export interface FoundSources {
  feeds: (number | null)[];
  live_streams: (number | null)[];
  /** Messages about added and missing sources. */
  notes: string[];
}

/** Error codes that do not abort the import: a missing right, or an unresponsive platform. */
const REFUSALS = new Set(['forbidden', 'not_set_up', 'invalid', 'provider_failed', 'provider_busy']);

/** Where to add a source in the back-office. */
const PLACES = { feed: 'Settings, Feed', 'live stream': 'Live streams' } as const;

/** A feed or live stream that an import added. */
export interface AddedSource {
  kind: keyof typeof PLACES;
  id: number;
  name: string;
}

/** Deletes the additions of a failed import. @returns messages about those that remain */
export async function removeSources(client: Client, added: readonly AddedSource[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { kind, id, name } of added.toReversed()) {
    const params = { id };
    try {
      await (kind === 'feed' ? client.feeds.remove({ params }) : client.liveStreams.remove({ params }));
      if (kind === 'live stream') notes.push(`The broadcast of the live stream "${name}" stays on its platform.`);
    } catch {
      notes.push(`The ${kind} "${name}" was added and couldn't be deleted. Delete it under ${PLACES[kind]}.`);
    }
  }
  return notes;
}

class SourceSearch {
  readonly notes: string[] = [];
  readonly #added: AddedSource[] | null;

  /** @param added collects the additions; null in a dry run */
  constructor(added: AddedSource[] | null) {
    this.#added = added;
  }

  /** Attempts an operation; if it is refused, records a note with the manual alternative. */
  async attempt<T>(instead: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      const known = asCliError(error);
      if (!known || !REFUSALS.has(known.code)) throw error;
      const reason = known.problems[0]?.reason ?? known.message;
      this.notes.push(`${instead}: ${reason}`);
      return null;
    }
  }

  /** Adds a missing source, except in a dry run. */
  async add<T extends { id: number }>(kind: keyof typeof PLACES, name: string, work: () => Promise<T>) {
    if (!this.#added) {
      this.notes.push(`Would add the ${kind} "${name}".`);
      return null;
    }
    const instead = `The ${kind} "${name}" is missing. Add it under ${PLACES[kind]} and choose it in the room`;
    const made = await this.attempt(instead, work);
    if (made) {
      this.#added.push({ kind, id: made.id, name });
      this.notes.push(`Added the ${kind} "${name}".`);
    }
    return made;
  }
}

async function findFeed(search: SourceSearch, client: Client, known: readonly Feed[], entry: FeedEntry) {
  const { name, type, feed_url } = entry;
  const alike = known.filter((feed) => feed.name === name && feed.type === type);
  const same = alike.find(({ config }) => config.feed_url === feed_url);
  if (same) return same.id;
  if (alike[0]) {
    search.notes.push(`The existing feed "${name}" has a different URL than in the bundle and was not changed.`);
    return alike[0].id;
  }
  const config = type === 'picdrop' ? { feed_url } : {};
  const made = await search.add('feed', name, () => client.feeds.create({ body: { name, type, config } }));
  if (made && !made.is_connected)
    search.notes.push(`The feed "${name}" is not connected. Connect it under Settings, Feed.`);
  return made?.id ?? null;
}

async function findStream(search: SourceSearch, client: Client, known: readonly LiveStream[], entry: StreamEntry) {
  const { name, type, encoder } = entry;
  const found = known.find((stream) => stream.name === name && stream.type === type);
  if (found) return found.id;
  const new_stream = { name: name.slice(0, 200).toWellFormed(), encoder: encoder ?? 'other_rtmp' };
  const made = await search.add('live stream', name, () =>
    client.liveStreams.create({ body: { name, type, new_stream } }),
  );
  return made?.id ?? null;
}

/**
 * Finds the feeds and live streams of a bundle by name, and adds missing ones: a feed that needs sign-in is added
 * unconnected, a live stream as a new broadcast on its platform.
 * @param added collects the additions; null in a dry run
 */
export async function findSources(
  client: Client,
  manifest: Pick<Manifest, 'feeds' | 'live_streams'>,
  added: AddedSource[] | null,
): Promise<FoundSources> {
  const search = new SourceSearch(added);
  const feeds: (number | null)[] = [];
  if (manifest.feeds.length > 0) {
    const known = await search.attempt('The feeds of the bundle were not imported', () =>
      allPages((query) => client.feeds.list({ query })),
    );
    for (const entry of manifest.feeds) feeds.push(known && (await findFeed(search, client, known, entry)));
  }
  const live_streams: (number | null)[] = [];
  if (manifest.live_streams.length > 0) {
    const known = await search.attempt('The live streams of the bundle were not imported', () =>
      allPages((query) => client.liveStreams.list({ query })),
    );
    for (const entry of manifest.live_streams)
      live_streams.push(known && (await findStream(search, client, known, entry)));
  }
  return { feeds, live_streams, notes: search.notes };
}
