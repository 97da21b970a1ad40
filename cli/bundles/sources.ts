import type { z } from 'zod';
import { isRecord } from '../../engine/document/field-paths.ts';
import type { Client } from '../../src/contract/client.ts';
import { asCliError } from '../as-cli-error.ts';
import { wrongError } from '../failure.ts';
import { allPages } from '../report/pages.ts';
import { type feedEntry, MAX_SOURCES, type streamEntry } from './bundle.ts';

export type FeedEntry = z.output<typeof feedEntry>;
export type StreamEntry = z.output<typeof streamEntry>;

/** Document fields that refer to external sources, and the kind of each. */
export const SOURCE_FIELDS = { feed_id: 'feeds', live_stream_id: 'live_streams' } as const;
type Kind = (typeof SOURCE_FIELDS)[keyof typeof SOURCE_FIELDS];

/** Feeds and live streams of a bundle: by name, without credentials. */
export interface Sources {
  feeds: FeedEntry[];
  live_streams: StreamEntry[];
  /** Positions in those lists, from 1, by the ids on this server. */
  places: Record<Kind, ReadonlyMap<number, number>>;
  /** Messages for the user. */
  notes: string[];
}

/** Ids in a field at any depth of a document. */
function* idsIn(value: unknown, field: string): Generator<number> {
  if (Array.isArray(value)) for (const entry of value) yield* idsIn(entry, field);
  else if (isRecord(value))
    for (const [name, entry] of Object.entries(value)) {
      if (name === field && typeof entry === 'number') yield entry;
      else yield* idsIn(entry, field);
    }
}

/** Entries of a bundle: unique, sorted by their JSON, with the positions of the used ones. */
function listed<R extends { id: number }, E>(rows: readonly R[], used: ReadonlySet<number>, entryOf: (row: R) => E) {
  const named = rows
    .filter(({ id }) => used.has(id))
    .map((row) => ({ id: row.id, text: JSON.stringify(entryOf(row)) }));
  const texts = [...new Set(named.map(({ text }) => text))].toSorted();
  const places = new Map(named.map(({ id, text }) => [id, texts.indexOf(text) + 1]));
  return { entries: texts.map((text): E => JSON.parse(text)), places };
}

/**
 * The feeds and live streams that a room refers to. Without the right to see them, the bundle omits them and a note says so.
 * @param room document of the room
 */
export async function collectSources(client: Client, room: unknown): Promise<Sources> {
  const notes: string[] = [];
  const rowsOf = async <R>(used: ReadonlySet<number>, what: string, read: () => Promise<R[]>): Promise<R[]> => {
    if (used.size === 0) return [];
    try {
      return await read();
    } catch (error) {
      if (asCliError(error)?.code !== 'forbidden') throw error;
      notes.push(`You don't have permission to list ${what}, so those of the room were omitted.`);
      return [];
    }
  };
  const feedIds = new Set(idsIn(room, 'feed_id'));
  const streamIds = new Set(idsIn(room, 'live_stream_id'));
  const feeds = listed(
    await rowsOf(feedIds, 'feeds', () => allPages((query) => client.feeds.list({ query }))),
    feedIds,
    ({ name, type, config }): FeedEntry => ({ name, type, feed_url: config.feed_url }),
  );
  const streams = listed(
    await rowsOf(streamIds, 'live streams', () => allPages((query) => client.liveStreams.list({ query }))),
    streamIds,
    ({ name, type, encoder }): StreamEntry => ({ name, type, encoder }),
  );
  if (feeds.entries.length > MAX_SOURCES || streams.entries.length > MAX_SOURCES)
    throw wrongError(
      `The room refers to more than ${MAX_SOURCES} feeds or live streams.`,
      'This exceeds the limit of a bundle. Export the room without --with-media.',
    );
  const places = { feeds: feeds.places, live_streams: streams.places };
  return { feeds: feeds.entries, live_streams: streams.entries, places, notes };
}

/** A document whose feeds and live streams are replaced: by those of a bundle, or by those of the target server. */
export function withSources(value: unknown, idOf: (kind: Kind, id: number) => number | null): unknown {
  if (Array.isArray(value)) return value.map((entry) => withSources(entry, idOf));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const kind = SOURCE_FIELDS[name as keyof typeof SOURCE_FIELDS];
      if (kind) return [name, typeof entry === 'number' ? idOf(kind, entry) : null];
      return [name, withSources(entry, idOf)];
    }),
  );
}
