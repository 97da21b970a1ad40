import type { Selectable } from 'kysely';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import { type EndpointItem, endpointItem } from '../../../contract/calls/imports.ts';
import { endpointInput, structureTranslations } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { hasTokens } from '../access-tokens/queries.ts';
import { deleteEndpoint, insertEndpoint, lastIndex, listEndpoints, updateEndpoint } from '../endpoints/queries.ts';
import { checkSlug, readSlug, refuseTopLevel, startClock } from '../endpoints/service.ts';
import type { EndpointTable } from '../endpoints/table.ts';
import { folderAtPath } from '../folders/service.ts';
import { findOrganization } from '../organizations/queries.ts';
import { findRoomsNamed } from '../rooms/queries.ts';
import { removedWithEndpoint } from '../structures/removed-endpoint.ts';
import { requireRight } from '../users/rights.ts';
import {
  type About,
  attempt,
  fieldsBetween,
  type Importing,
  type Items,
  note,
  once,
  refuseExisting,
} from './importing.ts';

type Row = Selectable<EndpointTable>;

const IMPORTED_FLAGS = ['is_visible', 'is_timed', 'show_countdown', 'is_protected'] as const;

const importedInput = endpointInput.extend({ translations: structureTranslations.default({}) });

/** The editable fields of a stored structure. */
const importedFieldsOf = (row: Row) =>
  importedInput.parse({
    ...row,
    ...Object.fromEntries(IMPORTED_FLAGS.map((name) => [name, row[name] === 1])),
    translations: parseTranslations(row.translations),
  });

/** Columns of validated fields. */
const importedColumnsOf = (fields: ReturnType<typeof importedFieldsOf>) => ({
  ...fields,
  is_visible: Number(fields.is_visible),
  is_timed: Number(fields.is_timed),
  show_countdown: Number(fields.show_countdown),
  is_protected: Number(fields.is_protected),
  translations: JSON.stringify(fields.translations),
});

/** Position of a structure as a map key. */
const endpointKeyOf = (parent: number | null, slug: string): string => `${parent ?? ''}/${slug}`;

/** Adds and updates structures by public path. It holds the whole tree in memory. */
export class EndpointImport {
  readonly #importing: Importing;
  readonly #seen = new Set<string>();
  /** Every structure, by position. */
  readonly #rows = new Map<string, Row>();
  /** Time zone for start times without zone or offset. */
  readonly #standardZone: string | null;

  private constructor(importing: Importing, standardZone: string | null) {
    this.#importing = importing;
    this.#standardZone = standardZone;
  }

  static async begin(importing: Importing): Promise<EndpointImport> {
    const { db, context } = importing;
    const { time_zone } = await findOrganization(db, context.organizationId);
    const made = new EndpointImport(importing, time_zone);
    const all = await listEndpoints(db, context.organizationId);
    for (const { room_name, room_title, ...row } of all) made.#keep(row);
    return made;
  }

  #keep(row: Row): void {
    this.#rows.set(endpointKeyOf(row.parent_endpoint_id, row.slug), row);
  }

  #at(parent: number | null, slug: string): Row | undefined {
    return this.#rows.get(endpointKeyOf(parent, slug));
  }

  /** Resolves a path: the existing parent, and the slug. */
  #place(path: string): { parent: number | null; slug: string } {
    const [first = '', second, ...more] = path.split('/').filter(Boolean);
    if (more.length > 0) throw new ApiError('invalid', { path: ['Structures can have at most two levels.'] });
    if (second === undefined) return { parent: null, slug: readSlug(first) };
    const above = this.#at(null, readSlug(first));
    if (!above)
      throw new ApiError('invalid', {
        path: [`The parent structure "${first}" doesn't exist. Add it before this one.`],
      });
    return { parent: above.id, slug: readSlug(second) };
  }

  async #roomNamed(name: string | null | undefined, folder: string | undefined): Promise<number | null | undefined> {
    if (name === null || name === undefined || name === '') return name === undefined ? undefined : null;
    const { db, context } = this.#importing;
    const place = folder === undefined ? undefined : await folderAtPath(db, context.organizationId, folder);
    const rooms = await findRoomsNamed(db, context.organizationId, name, place);
    if (rooms.length === 1) return rooms[0]!.id;
    throw new ApiError('invalid', {
      room: [`${rooms.length === 0 ? 'No space is' : 'Several spaces are'} named "${name}".`],
    });
  }

  async #add(about: About, fields: ReturnType<typeof importedFieldsOf>): Promise<void> {
    const { db, context, at, job } = this.#importing;
    requireRight(context, 'endpoints', 'create');
    if (fields.room_id === null) throw new ApiError('invalid', { room: ['Enter the name of the space to show.'] });
    refuseTopLevel(db, fields.parent_endpoint_id, 'path');
    // The position is free; otherwise this would be an update.
    checkSlug([], { id: 0, slug: fields.slug, parent_endpoint_id: fields.parent_endpoint_id });
    const index = lastIndex([...this.#rows.values()], fields.parent_endpoint_id);
    const owned = { organization_id: context.organizationId, created_at: at, updated_at: at };
    const columns = { ...importedColumnsOf(fields), index, ...owned };
    const id = await insertEndpoint(db, columns);
    this.#keep({ ...columns, id });
    await recordChange(db, context, {
      action: 'import',
      entity: 'endpoint',
      entity_id: id,
      room_id: fields.room_id,
      name: fields.name,
      key: about.key,
      after: columns,
      facts: { import: job },
    });
    note(this.#importing, about, 'create', { id });
  }

  async #change(about: About, row: Row, fields: ReturnType<typeof importedFieldsOf>): Promise<void> {
    const { db, context, job } = this.#importing;
    refuseExisting(this.#importing, 'path');
    requireRight(context, 'endpoints', 'update');
    const names = fieldsBetween(importedFieldsOf(row), fields);
    if (names.length === 0) return note(this.#importing, about, 'unchanged', { id: row.id });
    const stamp = nextTimestamp(context.clock, row.updated_at);
    const after = { ...row, ...importedColumnsOf(fields), updated_at: stamp };
    await updateEndpoint(db, row.id, { ...importedColumnsOf(fields), updated_at: stamp });
    this.#keep(after);
    await recordChange(db, context, {
      action: 'import',
      entity: 'endpoint',
      entity_id: row.id,
      room_id: fields.room_id,
      name: fields.name,
      key: about.key,
      before: row,
      after,
      facts: { import: job },
    });
    note(this.#importing, about, 'update', { id: row.id, fields: names });
  }

  /** @param roomId space of the structure, unless it is given by name */
  async #one(about: About, { path, room, room_folder, ...given }: EndpointItem, roomId?: number): Promise<void> {
    const { parent, slug } = this.#place(path);
    const row = this.#at(parent, slug);
    once(this.#seen, endpointKeyOf(parent, slug), 'path');
    const room_id = roomId ?? (await this.#roomNamed(room, room_folder));
    const shown = room_id === undefined ? { room_id: row?.room_id ?? null } : { room_id };
    const place = { slug, parent_endpoint_id: parent };
    const isKept = row && this.#importing.switches.mode !== 'replace';
    const clock = startClock(isKept ? row : null, given, {
      standard: this.#standardZone,
      now: this.#importing.context.clock.now() / 1000,
    });
    const fields = importedInput.parse({
      ...(isKept ? importedFieldsOf(row) : { name: row?.name ?? slug }),
      ...given,
      ...shown,
      ...place,
      ...clock,
    });
    await (row ? this.#change(about, row, fields) : this.#add(about, fields));
  }

  /** The structure of a room in the same import. */
  async ofRoom(index: number | null, item: unknown, roomId: number): Promise<void> {
    const read = endpointItem.parse(item);
    await this.#one({ index, kind: 'endpoints', key: read.path }, read, roomId);
  }

  async #removeOthers(): Promise<void> {
    const { db, context } = this.#importing;
    requireRight(context, 'endpoints', 'delete');
    const others = [...this.#rows].filter(([place]) => !this.#seen.has(place)).map(([, row]) => row);
    // Children are removed first, so that they are restored last.
    for (const row of others.toSorted((a, b) => Number(b.parent_endpoint_id) - Number(a.parent_endpoint_id))) {
      const about: About = { index: null, kind: 'endpoints', key: row.slug };
      await attempt(this.#importing, about, async () => {
        await refuseCodes(this.#importing, row.id);
        const records = removedWithEndpoint(db, context.clock, row);
        const change = { entity_id: row.id, room_id: row.room_id, name: row.name, before: row, records };
        await recordChange(db, context, { action: 'delete', entity: 'endpoint', ...change });
        await deleteEndpoint(db, row.id);
        note(this.#importing, about, 'remove', { id: row.id });
      });
    }
  }

  /** Adds and updates structures; with `prune`, missing structures are removed. */
  async all(items: Items<Record<string, unknown>>): Promise<void> {
    let index = -1;
    for await (const item of items) {
      const about: About = { index: ++index, kind: 'endpoints', key: typeof item.path === 'string' ? item.path : '' };
      await attempt(this.#importing, about, async () => this.#one(about, endpointItem.parse(item)));
    }
    if (this.#importing.switches.prune) await this.#removeOthers();
  }
}

/** Refuses to remove a structure that has access tokens: a file that omits it says nothing about its tokens. */
async function refuseCodes({ db }: Importing, endpointId: number): Promise<void> {
  if (await hasTokens(db, endpointId))
    throw new ApiError('in_use', 'The structure has access tokens. Remove them first.');
}
