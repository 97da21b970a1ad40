import type { Clock } from '../../core/clock.ts';
import { type Database, publishedChangesOf } from '../../core/db/database.ts';
import { LastAnswers } from '../../core/db/last-answers.ts';
import { MEDIA_PREFIX } from '../../core/files/media-url.ts';
import { findHeldPictures, findSharedPictures } from '../../features/feeds/queries.ts';
import { findEarlierHashes, findHolders } from '../../features/media/queries.ts';
import { listOrganizationFiles } from '../../features/organizations/queries.ts';
import { feedUsesOfStates, readPublished, stateKey } from '../../features/publications/published.ts';
import { findRoom } from '../../features/rooms/queries.ts';
import { readRoom } from '../../features/rooms/read-room.ts';
import { type ShownRoom, shownRooms } from '../../features/visits/shown-rooms.ts';

/** Cache lifetime in milliseconds: changes by other processes take effect after that. */
const ANSWER_LIFETIME = 2000;

/** Access rules of a file that protected rooms use. Each organization has its own. */
export interface Protection {
  /** Organizations that have the file in their library. */
  holders: ReadonlySet<number>;
  /** By organization: the structures that show the file, if all of them are protected. */
  protectedBy: ReadonlyMap<number, ReadonlySet<number>>;
}

const HASHES = new RegExp(`${MEDIA_PREFIX}/([0-9a-f]{64})/`, 'g');

/** Files that the rooms of one organization use. */
interface Uses {
  /** Structures by the file that they show behind an access token. */
  closed: Map<string, Set<number>>;
  /** Files visible without one. */
  open: Set<string>;
}

/**
 * Finds the files that only rooms of protected structures use, separately for each organization. Uses are read from
 * documents, so every reference counts; they are cached per version of a room, and not computed at all if no structure
 * is protected. Visitors' images count with the rooms that show them; images that are pending or hidden are visible
 * only to users.
 */
export class ProtectedMedia {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #used = new Map<string, { version: string; hashes: ReadonlySet<string> }>();
  #list: Promise<ReadonlyMap<string, Protection>> | undefined;
  readonly #last: LastAnswers<ReadonlyMap<string, Protection>>;
  #till = 0;
  #changes = -1;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#last = new LastAnswers(clock);
  }

  /** Access rules of a file; undefined if no organization protects it. */
  async find(hash: string): Promise<Protection | undefined> {
    const now = this.#clock.now();
    const { count } = publishedChangesOf(this.#db);
    if (!this.#list || this.#changes !== count || now >= this.#till) {
      this.#changes = count;
      this.#till = now + ANSWER_LIFETIME;
      const list = this.#last.ask('list', () => this.#read()).then(({ value }) => value);
      this.#list = list;
      list.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    return (await this.#list).get(hash);
  }

  async #read(): Promise<ReadonlyMap<string, Protection>> {
    const all = await shownRooms({ db: this.#db, clock: this.#clock });
    const held = await findHeldPictures(this.#db);
    const protecting = all.filter(({ isProtected }) => isProtected).map(({ organizationId }) => organizationId);
    const concerned = new Set([...protecting, ...held.keys()]);
    const shown = all.filter(({ organizationId }) => concerned.has(organizationId));
    const states = new Set(shown.map(stateKey));
    for (const key of this.#used.keys()) if (!states.has(key)) this.#used.delete(key);
    if (concerned.size === 0) return new Map();
    const uses = await this.#usesOf(shown, held);
    const hashes = new Set([...uses.values()].flatMap(({ closed }) => [...closed.keys()]));
    const list = new Map<string, Protection>();
    for (const [hash, holders] of await findHolders(this.#db, [...hashes])) {
      const protectedBy = new Map<number, ReadonlySet<number>>();
      for (const [organizationId, { closed, open }] of uses) {
        const endpoints = closed.get(hash);
        if (endpoints && !open.has(hash) && holders.has(organizationId)) protectedBy.set(organizationId, endpoints);
      }
      if (protectedBy.size > 0) list.set(hash, { holders, protectedBy });
    }
    return list;
  }

  /** @param held images that only users may see, by organization */
  async #usesOf(
    shown: readonly ShownRoom[],
    held: ReadonlyMap<number, readonly string[]>,
  ): Promise<ReadonlyMap<number, Uses>> {
    const uses = new Map<number, Uses>();
    for (const { organizationId } of shown) uses.set(organizationId, { closed: new Map(), open: new Set() });
    for (const [organizationId, hashes] of held)
      uses.set(organizationId, { closed: new Map(hashes.map((hash) => [hash, new Set()])), open: new Set() });
    const feeds = await feedUsesOfStates(this.#db, shown);
    const pictures = await findSharedPictures(this.#db, [
      ...new Set([...feeds.values()].flatMap(({ shared }) => [...shared])),
    ]);
    for (const room of shown) {
      const { closed, open } = uses.get(room.organizationId)!;
      const used = feeds.get(stateKey(room));
      // An open room with upload but without display of a feed shows none of its images.
      const seen = [...((room.isProtected ? used?.shared : used?.shown) ?? [])];
      for (const hash of [...(await this.#hashesOf(room)), ...seen.flatMap((feed) => pictures.get(feed) ?? [])]) {
        if (!room.isProtected) open.add(hash);
        else closed.set(hash, (closed.get(hash) ?? new Set()).add(room.endpointId));
      }
    }
    for (const { id, hash } of await listOrganizationFiles(this.#db)) uses.get(id)?.open.add(hash);
    // Earlier versions of a protected file are as protected as the file.
    for (const [organizationId, { closed }] of uses)
      for (const { hash, earlier } of await findEarlierHashes(this.#db, organizationId, [...closed.keys()]))
        closed.set(earlier, new Set([...(closed.get(earlier) ?? []), ...closed.get(hash)!]));
    return uses;
  }

  async #readState({ roomId, revisionId, organizationId }: ShownRoom) {
    if (revisionId !== null) return readPublished(this.#db, organizationId, revisionId);
    const row = await findRoom(this.#db, organizationId, roomId);
    return row && readRoom(this.#db, row);
  }

  async #hashesOf(shown: ShownRoom): Promise<ReadonlySet<string>> {
    const { version } = shown;
    const key = stateKey(shown);
    const known = this.#used.get(key);
    if (known?.version === version) return known.hashes;
    const room = await this.#readState(shown);
    const text = room ? JSON.stringify(room) : '';
    const hashes = new Set([...text.matchAll(HASHES)].flatMap(([, hash]) => hash ?? []));
    this.#used.set(key, { version, hashes });
    return hashes;
  }
}
