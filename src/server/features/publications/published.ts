import { LRUCache } from 'lru-cache';
import { offeredLanguages } from '../../../../engine/document/languages.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { shownElements } from '../../../../engine/document/tree.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { Services } from '../../core/services.ts';
import type { StoredEndpoint } from '../endpoints/queries.ts';
import { type FeedUses, feedUsesIn, feedUsesOf } from '../feeds/feed-uses.ts';
import { fillRoom } from '../revisions/make-revision.ts';
import { readContent, unpackRoom } from '../revisions/queries.ts';
import type { CachedRoom, RoomCache, Side } from '../rooms/room-cache.ts';
import { findPublished, publishedRevisions } from './queries.ts';

/** Facts about a revision besides its document: revisions are immutable, so they are cached. */
interface RevisionFacts {
  feeds: FeedUses;
  /** Ids of the elements that visitors see. */
  elements: ReadonlySet<number>;
  /** Duration of the space's sequence in seconds. */
  duration: number | null;
  languages: RoomLanguages;
}

/** Languages of a space. */
export interface RoomLanguages {
  /** All that it offers. */
  offered: readonly string[];
  /** The main one, if it states one. */
  main: string | undefined;
}

export const languagesOf = (config: Pick<Room['config'], 'language' | 'languages'>): RoomLanguages => ({
  offered: offeredLanguages(config),
  main: config.language,
});

/** Maximum number of cached revisions. */
const MAX_FACTS = 500;

/** Cached facts by database and revision id. */
const memories = new WeakMap<object, LRUCache<number, RevisionFacts>>();

/** A revision's stored document; undefined if it doesn't exist. */
export async function readRevisionRoom(db: Database, organizationId: number, id: number): Promise<Room | undefined> {
  const packed = await readContent(db, organizationId, id);
  return packed === undefined ? undefined : (await unpackRoom(packed)).room;
}

/** Facts about an organization's revision; undefined if it doesn't exist. */
export async function revisionFacts(
  db: Database,
  organizationId: number,
  id: number,
): Promise<RevisionFacts | undefined> {
  const memory = memories.get(db) ?? new LRUCache<number, RevisionFacts>({ max: MAX_FACTS });
  memories.set(db, memory);
  const known = memory.get(id);
  if (known) return known;
  const room = await readRevisionRoom(db, organizationId, id);
  if (!room) return undefined;
  const facts = {
    feeds: feedUsesIn(room),
    elements: new Set(shownElements(room.elements).map((element) => element.id)),
    duration: room.config.duration,
    languages: languagesOf(room.config),
  };
  memory.set(id, facts);
  return facts;
}

const versionQuery = prepared((db, organizationId: number, roomId: number, revisionId: number) =>
  db
    .selectFrom('publications')
    .innerJoin('rooms', 'rooms.id', 'publications.room_id')
    .leftJoin('templates', 'templates.id', 'publications.template_id')
    .select(['rooms.touches', 'templates.updated_at'])
    .where('publications.organization_id', '=', organizationId)
    .where('publications.room_id', '=', roomId)
    .where('publications.revision_id', '=', revisionId)
    .limit(1),
);

/** Version of a published revision: changes with the template, files and streams it contains. */
export async function publishedVersion(
  db: Database,
  organizationId: number,
  roomId: number,
  revisionId: number,
): Promise<string | undefined> {
  const [row] = await versionQuery(db, organizationId, roomId, revisionId);
  return row && `${row.touches} ${row.updated_at}`;
}

/** A published revision as a document, with today's template, files and live streams. */
export async function readPublished(
  db: Database,
  organizationId: number,
  revisionId: number,
): Promise<Room | undefined> {
  const room = await readRevisionRoom(db, organizationId, revisionId);
  return room && fillRoom(db, organizationId, room);
}

/**
 * The visitors' version of a room. Revisions are immutable, so the cache of a published one survives
 * edits of the room: only changes of its template, files and streams invalidate it.
 * @param wanted language tags in order of preference
 */
export async function findShownRoom(
  { db, roomCache }: { db: Database; roomCache: RoomCache },
  organizationId: number,
  { roomId, revisionId }: ShownState,
  side: Exclude<Side, 'admin'>,
  wanted: readonly string[] = [],
): Promise<CachedRoom | undefined> {
  if (revisionId === null) return roomCache.find(db, organizationId, roomId, side, wanted);
  // The version is read before the document: a cached one can be newer than its version, never older.
  const version = await publishedVersion(db, organizationId, roomId, revisionId);
  if (version === undefined) return undefined;
  return roomCache.findOther(`revision ${revisionId}`, version, side, wanted, () =>
    readPublished(db, organizationId, revisionId),
  );
}

/** The state of a room that visitors see. */
export interface ShownState {
  roomId: number;
  /** The published revision; null for the edited room. */
  revisionId: number | null;
}

type Showing = Pick<StoredEndpoint, 'organization_id' | 'room_id' | 'shows'>;

/** The state that a structure shows now; null without a room, or if nothing is published. */
export async function shownStateOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organization_id, room_id, shows }: Showing,
): Promise<ShownState | null> {
  if (room_id === null) return null;
  if (shows !== 'published') return { roomId: room_id, revisionId: null };
  const revisionId = await findPublished(db, organization_id, room_id, timestampOf(clock.now()));
  return revisionId === null ? null : { roomId: room_id, revisionId };
}

/**
 * Returns a function like `shownStateOf` for many structures. Publications are queried only where needed.
 * @param endpoints all structures that it will be called with
 */
export async function shownStates(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  endpoints: readonly Pick<Showing, 'room_id' | 'shows'>[],
): Promise<(endpoint: Pick<Showing, 'room_id' | 'shows'>) => ShownState | null> {
  const pinned = endpoints.filter(({ shows }) => shows === 'published').map(({ room_id }) => room_id);
  const ids = [...new Set(pinned)].filter((id) => id !== null);
  const published = await publishedRevisions(db, ids, timestampOf(clock.now()));
  return ({ room_id, shows }) => {
    if (room_id === null) return null;
    if (shows !== 'published') return { roomId: room_id, revisionId: null };
    const revisionId = published.get(room_id);
    return revisionId === undefined ? null : { roomId: room_id, revisionId };
  };
}

/** Cache key of a state. */
export const stateKey = ({ roomId, revisionId }: ShownState): string => `${roomId} ${revisionId ?? ''}`;

/** Feeds used in rooms, by the key of the state that visitors see. */
export async function feedUsesOfStates(
  db: Database,
  states: readonly (ShownState & { organizationId: number })[],
): Promise<ReadonlyMap<string, FeedUses>> {
  const edited = [...new Set(states.filter(({ revisionId }) => revisionId === null).map(({ roomId }) => roomId))];
  const uses = new Map<string, FeedUses>();
  for (const [roomId, use] of await feedUsesOf(db, edited)) uses.set(stateKey({ roomId, revisionId: null }), use);
  for (const { organizationId, roomId, revisionId } of states) {
    const key = stateKey({ roomId, revisionId });
    if (revisionId === null || uses.has(key)) continue;
    const facts = await revisionFacts(db, organizationId, revisionId);
    if (facts) uses.set(key, facts.feeds);
  }
  return uses;
}
