import type { Clock } from '../clock.ts';
import { type Database, publishedChangesOf } from '../db/database.ts';
import { readRoom } from '../rooms/read-room.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import { MEDIA_PREFIX } from './media-url.ts';

/** Milliseconds for which the list is believed without asking: what another process changes counts after that. */
const LIFETIME = 2000;

/** Who may have a protected file: visitors of these structures, users of these organizations. */
export interface Protection {
  endpoints: ReadonlySet<number>;
  organizations: ReadonlySet<number>;
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

/**
 * Knows which files only rooms of protected structures use. What a room uses is read off its document, so that files
 * count however a room names them; that is done once for each version of a room, and not at all where no structure is
 * protected.
 */
export class ProtectedMedia {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #used = new Map<number, { version: string; hashes: ReadonlySet<string> }>();
  #list: Promise<ReadonlyMap<string, Protection>> | undefined;
  #till = 0;
  #changes = -1;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Who may have a file; undefined when anybody may. */
  async find(hash: string): Promise<Protection | undefined> {
    const now = this.#clock.now();
    const { count } = publishedChangesOf(this.#db);
    if (!this.#list || this.#changes !== count || now >= this.#till) {
      this.#changes = count;
      this.#till = now + LIFETIME;
      const list = this.#read();
      this.#list = list;
      list.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    return (await this.#list).get(hash);
  }

  async #read(): Promise<ReadonlyMap<string, Protection>> {
    const shown = await shownRooms(this.#db);
    const list = new Map<string, { endpoints: Set<number>; organizations: Set<number> }>();
    if (!shown.some(({ isProtected }) => isProtected)) return list;
    for (const room of shown.filter(({ isProtected }) => isProtected))
      for (const hash of await this.#hashesOf(room)) {
        const known = list.get(hash) ?? { endpoints: new Set(), organizations: new Set() };
        known.endpoints.add(room.endpointId);
        known.organizations.add(room.organizationId);
        list.set(hash, known);
      }
    for (const room of shown.filter(({ isProtected }) => !isProtected))
      for (const hash of await this.#hashesOf(room)) list.delete(hash);
    for (const hash of await this.#fontsOfOrganizations()) list.delete(hash);
    const rooms = new Set(shown.map(({ roomId }) => roomId));
    for (const id of this.#used.keys()) if (!rooms.has(id)) this.#used.delete(id);
    return list;
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

  async #fontsOfOrganizations(): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('organizations')
      .innerJoin('media', 'media.id', 'organizations.font_file_id')
      .select('media.hash')
      .execute();
    return rows.map(({ hash }) => hash);
  }
}
