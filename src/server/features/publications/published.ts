import { LRUCache } from 'lru-cache';
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
import type { RoomBytes, RoomCache, Side } from '../rooms/room-cache.ts';
import { findPublished, publishedRevisions } from './queries.ts';

/** What is asked for of a revision besides its document: it never changes, so it is read once. */
interface RevisionFacts {
  feeds: FeedUses;
  /** Ids of the elements that visitors see. */
  elements: ReadonlySet<number>;
  /** Seconds that the sequence of the space lasts. */
  duration: number | null;
}

/** Revisions of which facts are cached. */
const MAX_FACTS = 500;

/** What is known of the revisions of each database, by id. */
const memories = new WeakMap<object, LRUCache<number, RevisionFacts>>();

/** The document of a revision as it was stored; undefined where there is none. */
export async function readRevisionRoom(db: Database, organizationId: number, id: number): Promise<Room | undefined> {
  const packed = await readContent(db, organizationId, id);
  return packed === undefined ? undefined : (await unpackRoom(packed)).room;
}

/** Facts of a revision of an organization; undefined where it has none of this id. */
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

/** Names what a published revision is at the moment: the same as long as what it is filled with stays as it is. */
export async function publishedVersion(
  db: Database,
  organizationId: number,
  roomId: number,
  revisionId: number,
): Promise<string | undefined> {
  const [row] = await versionQuery(db, organizationId, roomId, revisionId);
  return row && `${row.touches} ${row.updated_at}`;
}

/** A published revision as a document: with its template, files and live streams as they are today. */
export async function readPublished(
  db: Database,
  organizationId: number,
  revisionId: number,
): Promise<Room | undefined> {
  const room = await readRevisionRoom(db, organizationId, revisionId);
  return room && fillRoom(db, organizationId, room);
}

/**
 * What visitors see of a room, as bytes. A revision never changes, so what is cached of a published one outlives every
 * edit of the room: only what it is filled with can make it read again.
 */
export async function findShownRoom(
  { db, roomCache }: { db: Database; roomCache: RoomCache },
  organizationId: number,
  { roomId, revisionId }: ShownState,
  side: Exclude<Side, 'admin'>,
): Promise<RoomBytes | undefined> {
  if (revisionId === null) return roomCache.find(db, organizationId, roomId, side);
  // The version is read before the document: what is cached under it can be newer than it, never older.
  const version = await publishedVersion(db, organizationId, roomId, revisionId);
  if (version === undefined) return undefined;
  return roomCache.findOther(`revision ${revisionId}`, version, side, () =>
    readPublished(db, organizationId, revisionId),
  );
}

/** Which state of a room visitors see. */
export interface ShownState {
  roomId: number;
  /** The revision that is published; null for the room as it is edited. */
  revisionId: number | null;
}

type Showing = Pick<StoredEndpoint, 'organization_id' | 'room_id' | 'shows'>;

/** What a structure shows of its room now; null where it shows none: without a room, or where none is published. */
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
 * Says of structures what each shows of its room now, like `shownStateOf`. Only what is shown as published is asked for.
 * @param endpoints all that will be asked about
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

/** Names a state: the same for the same room and revision. */
export const stateKey = ({ roomId, revisionId }: ShownState): string => `${roomId} ${revisionId ?? ''}`;

/** The feeds that rooms use, by the name of the state that visitors see of them. */
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
