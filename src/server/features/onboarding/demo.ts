import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { remapRoomConfig } from '../../../../engine/document/remap.ts';
import { parseRoom, roomFieldsSchema } from '../../../../engine/document/room.ts';
import { calls } from '../../../contract/calls.ts';
import type { DemoKind, DemoPart, KeepReason } from '../../../contract/entities.ts';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { DEMO_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { Services } from '../../core/services.ts';
import { countTokens, listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { createEndpoint } from '../endpoints/service.ts';
import { feedUsesOf } from '../feeds/feed-uses.ts';
import { countItems, insertFeed, insertItem } from '../feeds/queries.ts';
import { storeFile, wholeUpload } from '../media/service.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import { putPoster, storedImages } from '../posters/queries.ts';
import { readElement } from '../rooms/checks.ts';
import { createRoom, storeElements } from '../rooms/create-room.ts';
import { lockRoom, updateRoom } from '../rooms/queries.ts';
import { columnsOfRoom, roomFromRow } from '../rooms/rows.ts';
import { TEMPLATE_FILES, usesOfTemplate } from '../templates/queries.ts';
import { createTemplate } from '../templates/service.ts';

/** Fields of a demo room's document besides the room itself. */
const demoSchema = z.looseObject({
  template_name: z.string().optional(),
  endpoint: z.object({ name: z.string(), slug: z.string(), parent: z.string().optional() }),
});
type DemoRoom = z.output<typeof demoSchema>;

const pick = (from: Json, names: object): Json =>
  Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));

/** Adds a document's room and its elements with new ids. */
async function createDemoRoom(services: Services, organizationId: number, document: Json): Promise<number> {
  // Defaults come from the template, so only the given fields are passed on.
  const given = calls.rooms.create.body.parse(pick(document, roomFieldsSchema.shape));
  const roomId = await createRoom({ ...services, organizationId, user: null }, given);
  const { elements } = parseRoom(document);
  await services.db.transaction().execute(async (db) => {
    const list = elements.map((element) => readElement(element, cleanNow));
    const destination = { organizationId, roomId, at: nextTimestamp(services.clock) };
    const ids = await storeElements(db, destination, list);
    const row = await lockRoom(db, organizationId, roomId);
    const { id, version, ...fields } = roomFromRow(row!, new Map());
    await updateRoom(db, roomId, columnsOfRoom({ ...fields, config: remapRoomConfig(fields.config, ids) }));
  });
  return roomId;
}

/** Sorts parents first: children need their parent, and the first structure is the home page. */
function parentsFirst(rooms: DemoRoom[]): DemoRoom[] {
  const parents = new Set(rooms.map(({ endpoint }) => endpoint.parent));
  return rooms.toSorted((a, b) => Number(parents.has(b.endpoint.slug)) - Number(parents.has(a.endpoint.slug)));
}

/** Fills an organization with the demo rooms: their files, templates, rooms and public addresses. */
export async function seedDemo(services: Services, organizationId: number): Promise<void> {
  const files = new DemoFiles(services, organizationId);
  const templates = new Map<string | undefined, number>();
  for (const [name, document] of await readDocuments('templates')) {
    const input = calls.templates.create.body.parse(await files.template(document));
    templates.set(name, await createTemplate({ ...services, organizationId, user: null }, input));
  }
  const documents = await readDocuments('rooms', 'demo-');
  const rooms = parentsFirst([...documents.values()].map((document) => demoSchema.parse(document)));
  const endpoints = new Map<string | undefined, number>();
  for (const { template_name, endpoint, ...room } of rooms) {
    const resolved = (await files.resolve(room)) as Json;
    const template_id = templates.get(template_name) ?? null;
    const roomId = await createDemoRoom(services, organizationId, { ...resolved, id: 1, template_id });
    const { parent, ...address } = endpoint;
    const parent_endpoint_id = endpoints.get(parent) ?? null;
    const id = await createEndpoint(
      { ...services, organizationId, user: null },
      { ...address, parent_endpoint_id, room_id: roomId },
    );
    endpoints.set(address.slug, id);
    const images = await services.workers.run('drawPosterImages', { source: posterFile(address.slug) });
    const kept = storedImages(await keepPosterImages(services, organizationId, images));
    await putPoster(services.db, { ...services, organizationId }, { subject: 'room_id', id: roomId }, 'drawn', kept);
  }
  await noteDemo(services.db, services.clock, organizationId);
}

export type Json = Record<string, unknown>;

const ROOT = join(import.meta.dirname, '../../../..');
/** Prefix of strings in the documents that refer to files in the repository. */
const MEDIA = '/fixtures/media/';
/** Prefix of strings that refer to feeds. */
const FEEDS = '/fixtures/feeds/';

/** The poster file of a demo room, for lists. @param slug slug of its structure */
export const posterFile = (slug: string): string => join(ROOT, 'fixtures/posters', `${slug}.jpg`);

/** The documents in a fixtures folder by file name without extension, in alphabetical order. */
export async function readDocuments(folder: string, prefix = ''): Promise<Map<string, Json>> {
  const names = await readdir(join(ROOT, 'fixtures', folder)).catch(() => []);
  const wanted = names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).sort();
  const documents = wanted.map(async (name): Promise<[string, Json]> => {
    const text = await readFile(join(ROOT, 'fixtures', folder, name), 'utf8');
    return [basename(name, '.json'), JSON.parse(text)];
  });
  return new Map(await Promise.all(documents));
}

const feedSchema = z.object({
  name: z.string(),
  messages: z.array(z.object({ name: z.string(), message: z.string() })),
});

const isMedia = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MEDIA);

/** Imports the files and feeds that documents refer to into an organization, each once. */
export class DemoFiles {
  readonly #services: Services;
  readonly #organizationId: number;
  readonly #stored = new Map<string, Promise<{ id: number; url: string }>>();
  readonly #feeds = new Map<string, Promise<number>>();

  constructor(services: Services, organizationId: number) {
    this.#services = services;
    this.#organizationId = organizationId;
  }

  #file(path: string): Promise<{ id: number; url: string }> {
    const found = this.#stored.get(path) ?? this.#store(path);
    this.#stored.set(path, found);
    return found;
  }

  async #store(path: string): Promise<{ id: number; url: string }> {
    const owner = { organizationId: this.#organizationId, userId: null, name: basename(path) };
    const row = await storeFile(this.#services, owner, wholeUpload(createReadStream(join(ROOT, path))));
    return { id: row.id, url: mediaUrl(row) };
  }

  #feed(path: string): Promise<number> {
    const found = this.#feeds.get(path) ?? this.#addFeed(path);
    this.#feeds.set(path, found);
    return found;
  }

  /** Adds a feed and its messages, with one minute between messages. */
  async #addFeed(path: string): Promise<number> {
    const { db, clock } = this.#services;
    const { name, messages } = feedSchema.parse(JSON.parse(await readFile(join(ROOT, path), 'utf8')));
    const at = nextTimestamp(clock);
    const { id } = await insertFeed(db, {
      ...{ name, type: 'local', config: '{}', problem: '', organization_id: this.#organizationId },
      ...{ secret: null, secret_expires_at: null, connect_hash: null, connect_expires_at: null, fetched_at: null },
      ...{ created_at: at, updated_at: at },
    });
    for (const [index, { name: author, message }] of messages.entries()) {
      const created_at = timestampOf(clock.now() - (messages.length - index) * 60_000);
      const picture = { media_id: null, file_url: '', width: null, height: null };
      await insertItem(db, {
        feed_id: id,
        external_id: `demo ${index}`,
        name: author,
        message,
        ...picture,
        link: '',
        created_at,
      });
    }
    return id;
  }

  /** A template document with paths replaced by file ids. */
  async template(document: Json): Promise<Json> {
    const fields = { ...document };
    for (const [name, idField] of Object.entries(TEMPLATE_FILES)) {
      const path = fields[name];
      delete fields[name];
      if (isMedia(path)) fields[idField] = (await this.#file(path)).id;
    }
    return fields;
  }

  /**
   * A value with paths replaced by the stored file's URL or the feed's id, and an element's `file_url`
   * by its `file_id`.
   */
  async resolve(value: unknown): Promise<unknown> {
    if (typeof value === 'string' && value.startsWith(FEEDS)) return this.#feed(value);
    if (isMedia(value)) return (await this.#file(value)).url;
    if (Array.isArray(value)) return Promise.all(value.map((entry) => this.resolve(entry)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, entry]) => [key, await this.resolve(entry)]);
    const resolved: Json = Object.fromEntries(await Promise.all(entries));
    const path = (value as { config?: { file_url?: unknown } }).config?.file_url;
    return isMedia(path) ? { ...resolved, file_id: (await this.#file(path)).id } : resolved;
  }
}

/** A current entity that may belong to the demo. */
interface Thing {
  id: number;
  name: string;
  /** Changes with every edit. */
  stamp: string;
}

/** The editable content of a structure, without its position. */
const stampOf = ({
  name,
  slug,
  room_id,
  parent_endpoint_id,
  is_visible,
  is_timed,
  is_protected,
  shows,
}: StoredEndpoint) =>
  JSON.stringify([name, slug, room_id, parent_endpoint_id, is_visible, is_timed, is_protected, shows]);

/** Every entity of an organization that may belong to its demo. */
async function readThings(db: Database, organizationId: number): Promise<Record<DemoKind, Thing[]>> {
  const own = { column: 'organization_id', is: organizationId } as const;
  const rooms = await db
    .selectFrom('rooms')
    .select(['id', 'title', 'seq'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const templates = await db
    .selectFrom('templates')
    .select(['id', 'name', 'updated_at'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const feeds = await db
    .selectFrom('feeds')
    .select(['id', 'name', 'updated_at'])
    .where(own.column, '=', own.is)
    .orderBy('id')
    .execute();
  const items = await countItems(
    db,
    feeds.map(({ id }) => id),
  );
  return {
    structure: (await listEndpoints(db, organizationId)).map((row) => ({
      id: row.id,
      name: row.name,
      stamp: stampOf(row),
    })),
    space: rooms.map(({ id, title, seq }) => ({ id, name: title, stamp: String(seq) })),
    template: templates.map(({ id, name, updated_at }) => ({ id, name, stamp: updated_at })),
    feed: feeds.map(({ id, name, updated_at }) => ({
      id,
      name,
      stamp: `${updated_at} ${items.get(id)?.items ?? 0}`,
    })),
  };
}

/** Records all current entities of an organization as its demo. */
export async function noteDemo(db: Database, clock: Clock, organizationId: number): Promise<void> {
  const things = await readThings(db, organizationId);
  const files = await db.selectFrom('media').select('id').where('organization_id', '=', organizationId).execute();
  const stamps = (kind: DemoKind) => Object.fromEntries(things[kind].map(({ id, stamp }) => [id, stamp]));
  await writeNote(db, clock, DEMO_NOTE, {
    organization_id: organizationId,
    parts: {
      structure: stamps('structure'),
      space: stamps('space'),
      template: stamps('template'),
      feed: stamps('feed'),
    },
    files: files.map(({ id }) => id),
    removed_at: null,
  });
}

/** Ids of the structures and spaces of an organization's demo. */
export async function demoIds(
  db: Database,
  organizationId: number,
): Promise<{ structures: number[]; spaces: number[] }> {
  const note = await readNote(db, DEMO_NOTE);
  if (note?.organization_id !== organizationId) return { structures: [], spaces: [] };
  const idsOf = (kind: DemoKind) => Object.keys(note.parts[kind]).map(Number);
  return { structures: idsOf('structure'), spaces: idsOf('space') };
}

/**
 * The remaining parts of an organization's demo, with the reason why each would stay: user changes, uses, and
 * dependencies of those.
 */
export async function demoParts(db: Database, organizationId: number): Promise<DemoPart[]> {
  const note = await readNote(db, DEMO_NOTE);
  if (note?.organization_id !== organizationId) return [];
  const things = await readThings(db, organizationId);
  const partsOf = (kind: DemoKind): DemoPart[] =>
    things[kind].flatMap(({ id, name, stamp }) => {
      const made = note.parts[kind][id];
      return made === undefined ? [] : [{ kind, id, name, kept: made === stamp ? null : 'changed' }];
    });
  const keep = (parts: DemoPart[], isKept: (part: DemoPart) => boolean, reason: KeepReason) => {
    for (const part of parts) if (part.kept === null && isKept(part)) part.kept = reason;
  };
  const gone = (parts: DemoPart[]) => new Set(parts.filter(({ kept }) => kept === null).map(({ id }) => id));

  const structures = partsOf('structure');
  const tokens = await countTokens(db, structures);
  keep(structures, ({ id }) => (tokens.get(id) ?? 0) > 0, 'tokens');
  const endpoints = await listEndpoints(db, organizationId);
  const going = gone(structures);
  const stays = (id: number) => !going.has(id);
  keep(structures, ({ id }) => endpoints.some((row) => row.parent_endpoint_id === id && stays(row.id)), 'used');

  const spaces = partsOf('space');
  const published = await db
    .selectFrom('publications')
    .select('room_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .execute();
  const publishedIds = new Set(published.map(({ room_id }) => room_id));
  keep(spaces, ({ id }) => publishedIds.has(id), 'published');
  const goingNow = gone(structures);
  const shown = new Set(endpoints.filter(({ id }) => !goingNow.has(id)).map(({ room_id }) => room_id));
  keep(spaces, ({ id }) => shown.has(id), 'used');

  const roomsLeft = things.space.map(({ id }) => id).filter((id) => !gone(spaces).has(id));
  const templates = partsOf('template');
  const users = await db
    .selectFrom('rooms')
    .select(['id', 'template_id'])
    .where('organization_id', '=', organizationId)
    .where('template_id', 'is not', null)
    .execute();
  const left = new Set(roomsLeft);
  const needed = new Set(users.filter(({ id }) => left.has(id)).map(({ template_id }) => template_id));
  const others = new Set<number>();
  for (const { id } of templates)
    if ((await usesOfTemplate(db, organizationId, id)).includes('Organization settings')) others.add(id);
  keep(templates, ({ id }) => needed.has(id) || others.has(id), 'used');

  const feeds = partsOf('feed');
  const uses = [...(await feedUsesOf(db, roomsLeft)).values()];
  keep(feeds, ({ id }) => uses.some(({ shown, shared }) => shown.has(id) || shared.has(id)), 'used');
  return [...structures, ...spaces, ...templates, ...feeds];
}
