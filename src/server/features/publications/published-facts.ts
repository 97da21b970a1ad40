import { LRUCache } from 'lru-cache';
import type { Room } from '../../../../engine/document/room.ts';
import { shownElements } from '../../../../engine/document/tree.ts';
import type { Database } from '../../core/db/database.ts';
import { type FeedUses, feedUsesIn } from '../feeds/feed-uses.ts';
import { unpackRoom } from '../revisions/pack-room.ts';
import { readContent } from '../revisions/revisions-repository.ts';

/** What is asked for of a revision besides its document: it never changes, so it is read once. */
export interface RevisionFacts {
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
