import type { Clock } from '../../base/clock.ts';
import { type Database, publishedChangesOf } from '../../base/db/database.ts';
import { LastAnswers } from '../../base/db/last-answers.ts';
import { MEDIA_PREFIX } from '../../storage/media-url.ts';
import { feedUsesOf } from '../../store/feeds/feed-uses.ts';
import { readRoom } from '../../store/rooms/read-room.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';

/** Milliseconds for which the list is believed without asking: what another process changes counts after that. */
const LIFETIME = 2000;

/** Who may have a file that protected rooms use. Each organization decides for itself. */
export interface Protection {
  /** Organizations that have the file in their library. */
  holders: ReadonlySet<number>;
  /** By organization: its structures that show the file, where each of them is protected. */
  protectedBy: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A room that a structure shows. */
interface Shown {
  endpointId: number;
  organizationId: number;
  isProtected: boolean;
  roomId: number;
  /** The same as long as the room, its template and its files stay as they are. */
  version: string;
}

const HASHES = new RegExp(`${MEDIA_PREFIX}/([0-9a-f]{64})/`, 'g');

/** The rooms that visitors can reach: openly, or with a code. What stands below a hidden structure is hidden with it. */
async function shownRooms(db: Database): Promise<Shown[]> {
  const rows = await db
    .selectFrom('endpoints')
    .innerJoin('rooms', 'rooms.id', 'endpoints.room_id')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .select(['endpoints.id', 'endpoints.organization_id', 'endpoints.is_protected', 'endpoints.is_visible'])
    .select(['endpoints.room_id', 'rooms.revision', 'templates.updated_at', 'parents.is_visible as parent_is_visible'])
    .execute();
  return rows
    .filter((row) => row.is_protected === 1 || (row.is_visible === 1 && row.parent_is_visible !== 0))
    .map((row) => ({
      endpointId: row.id,
      organizationId: row.organization_id,
      isProtected: row.is_protected === 1,
      roomId: row.room_id!,
      version: `${row.revision} ${row.updated_at}`,
    }));
}

/** Values that one question to the database names. */
const CHUNK = 500;

/** Asks about many values, some at a time. */
async function inChunks<V, R>(values: readonly V[], ask: (some: V[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let start = 0; start < values.length; start += CHUNK)
    found.push(...(await ask(values.slice(start, start + CHUNK))));
  return found;
}

/** The organizations that have each of these files in their library. */
async function holdersOf(db: Database, hashes: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const rows = await inChunks(hashes, (some) =>
    db.selectFrom('media').select(['hash', 'organization_id']).distinct().where('hash', 'in', some).execute(),
  );
  const grouped = Map.groupBy(rows, ({ hash }) => hash);
  return new Map([...grouped].map(([hash, list]) => [hash, new Set(list.map((row) => row.organization_id))]));
}

/** The pictures that visitors shared, by feed. */
async function picturesOf(db: Database, feedIds: readonly number[]): Promise<ReadonlyMap<number, string[]>> {
  const rows = await inChunks(feedIds, (some) =>
    db
      .selectFrom('feed_items')
      .innerJoin('media', 'media.id', 'feed_items.media_id')
      .select(['feed_items.feed_id', 'media.hash'])
      .where('feed_items.feed_id', 'in', some)
      .execute(),
  );
  const grouped = Map.groupBy(rows, ({ feed_id }) => feed_id);
  return new Map([...grouped].map(([feed, list]) => [feed, list.map(({ hash }) => hash)]));
}

/** What the rooms of one organization use. */
interface Uses {
  /** Structures by the file that they show with a code. */
  closed: Map<string, Set<number>>;
  /** Files that somebody sees without one. */
  open: Set<string>;
}

/**
 * Knows which files only rooms of protected structures use, for each organization by itself: what another one shows opens
 * and closes nothing. What a room uses is read off its document, so that files count however a room names them; that is done
 * once for each version of a room, and not at all where no structure is protected. Pictures that visitors share count with
 * the rooms that show them.
 */
export class ProtectedMedia {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #used = new Map<number, { version: string; hashes: ReadonlySet<string> }>();
  #list: Promise<ReadonlyMap<string, Protection>> | undefined;
  readonly #last: LastAnswers<ReadonlyMap<string, Protection>>;
  #till = 0;
  #changes = -1;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#last = new LastAnswers(clock);
  }

  /** Who may have a file; undefined when no organization protects it. */
  async find(hash: string): Promise<Protection | undefined> {
    const now = this.#clock.now();
    const { count } = publishedChangesOf(this.#db);
    if (!this.#list || this.#changes !== count || now >= this.#till) {
      this.#changes = count;
      this.#till = now + LIFETIME;
      const list = this.#last.ask('list', () => this.#read()).then(({ value }) => value);
      this.#list = list;
      list.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    return (await this.#list).get(hash);
  }

  async #read(): Promise<ReadonlyMap<string, Protection>> {
    const all = await shownRooms(this.#db);
    const concerned = new Set(all.filter(({ isProtected }) => isProtected).map(({ organizationId }) => organizationId));
    const shown = all.filter(({ organizationId }) => concerned.has(organizationId));
    const rooms = new Set(shown.map(({ roomId }) => roomId));
    for (const id of this.#used.keys()) if (!rooms.has(id)) this.#used.delete(id);
    if (shown.length === 0) return new Map();
    const uses = await this.#usesOf(shown);
    const hashes = new Set([...uses.values()].flatMap(({ closed }) => [...closed.keys()]));
    const list = new Map<string, Protection>();
    for (const [hash, holders] of await holdersOf(this.#db, [...hashes])) {
      const protectedBy = new Map<number, ReadonlySet<number>>();
      for (const [organizationId, { closed, open }] of uses) {
        const endpoints = closed.get(hash);
        if (endpoints && !open.has(hash) && holders.has(organizationId)) protectedBy.set(organizationId, endpoints);
      }
      if (protectedBy.size > 0) list.set(hash, { holders, protectedBy });
    }
    return list;
  }

  async #usesOf(shown: readonly Shown[]): Promise<ReadonlyMap<number, Uses>> {
    const uses = new Map<number, Uses>();
    for (const { organizationId } of shown) uses.set(organizationId, { closed: new Map(), open: new Set() });
    const feeds = await feedUsesOf(this.#db, [...new Set(shown.map(({ roomId }) => roomId))]);
    const pictures = await picturesOf(this.#db, [...new Set([...feeds.values()].flatMap(({ shared }) => [...shared]))]);
    for (const room of shown) {
      const { closed, open } = uses.get(room.organizationId)!;
      const used = feeds.get(room.roomId);
      // Whoever shares to a feed from an open room sees nothing of it there.
      const seen = [...((room.isProtected ? used?.shared : used?.shown) ?? [])];
      for (const hash of [...(await this.#hashesOf(room)), ...seen.flatMap((feed) => pictures.get(feed) ?? [])]) {
        if (!room.isProtected) open.add(hash);
        else closed.set(hash, (closed.get(hash) ?? new Set()).add(room.endpointId));
      }
    }
    for (const { id, hash } of await this.#fontsOfOrganizations()) uses.get(id)?.open.add(hash);
    return uses;
  }

  async #hashesOf({ roomId, organizationId, version }: Shown): Promise<ReadonlySet<string>> {
    const known = this.#used.get(roomId);
    if (known?.version === version) return known.hashes;
    const row = await findRoom(this.#db, organizationId, roomId);
    const text = row ? JSON.stringify(await readRoom(this.#db, row)) : '';
    const hashes = new Set([...text.matchAll(HASHES)].map(([, hash]) => hash!));
    this.#used.set(roomId, { version, hashes });
    return hashes;
  }

  #fontsOfOrganizations(): Promise<{ id: number; hash: string }[]> {
    return this.#db
      .selectFrom('organizations')
      .innerJoin('media', 'media.id', 'organizations.font_file_id')
      .select(['organizations.id', 'media.hash'])
      .execute();
  }
}
