import { sql } from 'kysely';
import type { Element } from '../../../../engine/document/element.ts';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { ROOM_LINKS } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { RoomConfig } from '../../../../engine/document/room-config.ts';
import { shownElements } from '../../../../engine/document/tree.ts';
import type { Database } from '../../core/db/database.ts';

/** Feeds that the visible parts of a room use. */
export interface FeedUses {
  /** Feeds that fill a group. */
  shown: ReadonlySet<number>;
  /** Feeds that elements or links of the room share to. */
  shared: ReadonlySet<number>;
}

interface Known extends FeedUses {
  revision: number;
}

/** Rooms per query. */
const FEEDS_PER_QUERY = 200;

/** Cached feed uses by room id, for each database. */
const memories = new WeakMap<object, Map<number, Known>>();

type Config = Record<string, unknown> & { navigation?: Navigation };

/** The feed that a link shares to. */
const sharedBy = (navigation: Navigation | undefined): number | null =>
  navigation?.type === 'modal_share' ? navigation.type_config.feed_id : null;

/** The feed that fills an element. */
function shownBy(element: string, config: Config): number | null {
  if (element !== 'group') return null;
  const { feed_enabled, feed_id } = config as Extract<Element, { element: 'group' }>['config'];
  return feed_enabled ? feed_id : null;
}

interface Place {
  id: number;
  room_id: number;
  parent_element_id: number | null;
  hidden: number;
}

/** Whether an element and all its ancestors are visible. */
function isVisible(place: Place | undefined, places: ReadonlyMap<number, Place>): boolean {
  for (let at = place; at; at = at.parent_element_id === null ? undefined : places.get(at.parent_element_id))
    if (at.hidden === 1) return false;
  return place !== undefined;
}

/** Elements that refer to a feed, with the tree positions of all elements in their rooms. */
async function readElements(db: Database, roomIds: readonly number[]) {
  const rows = await db
    .selectFrom('elements')
    .select(['id', 'room_id', 'element', 'body'])
    .where('room_id', 'in', roomIds)
    .where(sql<boolean>`body like '%"feed_id":%'`)
    .execute();
  const concerned = [...new Set(rows.map(({ room_id }) => room_id))];
  if (concerned.length === 0) return { rows: [], places: new Map<number, Place>() };
  const places = await db
    .selectFrom('elements')
    .select(['id', 'room_id', 'parent_element_id', 'hidden'])
    .where('room_id', 'in', concerned)
    .execute();
  return { rows, places: new Map(places.map((place) => [place.id, place])) };
}

/** Adds the feeds of an element. */
function addElementUses(uses: { shown: Set<number>; shared: Set<number> }, element: string, config: Config): void {
  const [shown, shared] = [shownBy(element, config), sharedBy(config.navigation)];
  if (shown !== null) uses.shown.add(shown);
  for (const feed of [shown, shared]) if (feed !== null) uses.shared.add(feed);
}

/** Adds the feeds that a room's links share to. */
function addLinkUses(uses: { shared: Set<number> }, links: RoomConfig): void {
  for (const name of ROOM_LINKS) {
    const feed = sharedBy(links[name]?.navigation);
    if (feed !== null) uses.shared.add(feed);
  }
}

/** The feeds that the visible parts of a document use. */
export function feedUsesIn({ config, elements }: Pick<Room, 'config' | 'elements'>): FeedUses {
  const uses = { shown: new Set<number>(), shared: new Set<number>() };
  for (const element of shownElements(elements)) addElementUses(uses, element.element, element.config as Config);
  addLinkUses(uses, config);
  return uses;
}

async function readUses(db: Database, roomIds: readonly number[]): Promise<Map<number, FeedUses>> {
  const uses = new Map(roomIds.map((id) => [id, { shown: new Set<number>(), shared: new Set<number>() }]));
  const { rows, places } = await readElements(db, roomIds);
  for (const { id, room_id, element, body } of rows) {
    if (!isVisible(places.get(id), places)) continue;
    addElementUses(uses.get(room_id)!, element, JSON.parse(body).config ?? {});
  }
  const configs = await db.selectFrom('rooms').select(['id', 'config']).where('id', 'in', roomIds).execute();
  for (const { id, config } of configs) addLinkUses(uses.get(id)!, JSON.parse(config));
  return uses;
}

/**
 * The feeds that rooms use. Finding them reads whole rooms, so results are cached by room revision, which
 * changes with the room and everything in it.
 */
export async function feedUsesOf(db: Database, roomIds: readonly number[]): Promise<ReadonlyMap<number, FeedUses>> {
  const memory = memories.get(db) ?? new Map<number, Known>();
  memories.set(db, memory);
  const found = new Map<number, FeedUses>();
  for (let start = 0; start < roomIds.length; start += FEEDS_PER_QUERY) {
    const chunk = roomIds.slice(start, start + FEEDS_PER_QUERY);
    // Read the revision first: the cached result may then be newer than its revision, but never older.
    const revisions = await db.selectFrom('rooms').select(['id', 'revision']).where('id', 'in', chunk).execute();
    const stale = revisions.filter(({ id, revision }) => memory.get(id)?.revision !== revision);
    const read =
      stale.length > 0
        ? await readUses(
            db,
            stale.map(({ id }) => id),
          )
        : new Map<number, FeedUses>();
    for (const { id, revision } of stale) memory.set(id, { ...read.get(id)!, revision });
    for (const { id } of revisions) found.set(id, memory.get(id)!);
  }
  return found;
}
