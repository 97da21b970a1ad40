import { computed, makeObservable, observable, observableRef, override, runInAction } from 'mobx';
import { z } from 'zod';
import type { Template } from '../../../engine/document/template.ts';
import type { TextsByField } from '../../../engine/document/text-translations.ts';
import { ENDPOINT_ORDERS, ENDPOINT_STATES, MAX_ENDPOINT_ROWS } from '../../contract/calls/endpoints.ts';
import type { Client } from '../../contract/client.ts';
import { type Endpoint, type EndpointListRow, endpointInput, type ImportReport } from '../../contract/entities.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { moveInTree, type TreePlace } from '../../ui/tree/tree-rows.ts';
import type { GivenTokens } from '../frame/TokensInput.tsx';
import { AreaStore } from '../stores/area-store.ts';
import { type BulkRun, runBulk } from '../stores/bulk.ts';
import { chosenOrder, countText, type ListQuery } from '../stores/list-store.ts';

const { name, access_token_duration, accent_color, kiosk_seconds, start_date, start_time } = endpointInput.shape;
const schema = z
  .object({
    name,
    access_token_duration,
    accent_color,
    kiosk_seconds,
    start_date,
    start_time,
    room_id: z.number().nullable(),
    makes_room: z.boolean(),
  })
  .refine(({ room_id, makes_room }) => room_id !== null || makes_room, {
    path: ['room_id'],
    error: 'Select a space.',
  });

const structureDraftOf = (endpoint: Endpoint | null) => ({
  name: endpoint?.name ?? '',
  slug: endpoint?.slug ?? '',
  room_id: endpoint?.room_id ?? null,
  parent_endpoint_id: endpoint?.parent_endpoint_id ?? null,
  is_visible: endpoint?.is_visible ?? true,
  is_timed: endpoint?.is_timed ?? false,
  show_countdown: endpoint?.show_countdown ?? false,
  start_date: endpoint?.start_date ?? null,
  start_time: endpoint?.start_time ?? null,
  time_zone: endpoint?.time_zone ?? null,
  is_protected: endpoint?.is_protected ?? false,
  access_token_duration: endpoint?.access_token_duration ?? null,
  accent_color: endpoint?.accent_color ?? null,
  kiosk_seconds: endpoint?.kiosk_seconds ?? null,
  shows: endpoint?.shows ?? 'edited',
  /** On add: whether to create a space. */
  makes_room: false,
  /** Template of the new space; null for the default. */
  template_id: null as number | null,
});
type StructureDraft = ReturnType<typeof structureDraftOf>;

/** Shows the new address of a moved structure and offers undo. */
const notifyMoved = (path: string, act: () => void) =>
  showNotification(`Address is now ${path}`, { label: 'Undo', act });

/** A structure of the list with those below it. */
export interface StructureRow extends EndpointListRow {
  children: StructureRow[];
}

/** The tree of a list in which parents precede their children. */
function treeOf(rows: readonly EndpointListRow[]): StructureRow[] {
  const items = new Map(rows.map((row): [number, StructureRow] => [row.id, { ...row, children: [] }]));
  return [...items.values()].filter((item) => {
    const parent = item.parent_endpoint_id === null ? undefined : items.get(item.parent_endpoint_id);
    parent?.children.push(item);
    return !parent;
  });
}

/** Flattens a tree, parents first, with places and paths as in the tree. */
const rowsOf = (items: readonly StructureRow[], parent: StructureRow | null = null): EndpointListRow[] =>
  items.flatMap(({ children, ...item }) => {
    const path = `${parent?.path ?? ''}/${item.slug}`;
    const row = { ...item, path, parent_endpoint_id: parent?.id ?? null, parent_name: parent?.name ?? null };
    return [row, ...rowsOf(children, { ...row, children })];
  });

/** A structure's place in the tree, as the server expects it. */
type Place = Parameters<Client['endpoints']['move']>[0]['body'];

/** Filters of the list parsed from the URL, which may hold anything. */
const filtersOf = (filters: ListQuery['filters'] = {}) => ({
  sort: chosenOrder(ENDPOINT_ORDERS, filters),
  state: ENDPOINT_STATES.find((name) => name === filters.state),
  level: filters.level === 'top' ? ('top' as const) : undefined,
});

/** Describes the entries that are removed along with structures. */
export async function removalText(ids: readonly number[], client: Client): Promise<string> {
  const body = { action: 'endpoints.remove' as const, ids: [...ids] };
  const { structures, access_tokens } = await client.bulk.effects({ body });
  const more = [
    structures > 0 && `${countText(structures, 'structures')} below them`,
    access_tokens > 0 && countText(access_tokens, 'access tokens'),
  ].filter((text) => text !== false);
  return `${more.length > 0 ? `Also removed: ${more.join(' and ')}. ` : ''}They stay in the bin for 30 days.`;
}

/** The structures: the tree of public addresses. */
export class StructuresStore extends AreaStore<EndpointListRow, Endpoint, StructureDraft> {
  readonly #client: Client;
  /** Token CSV to send with the next save. */
  file: GivenTokens | null = null;
  /** Result of the last token import. */
  report: ImportReport | null = null;
  /** Number of used access tokens; null if unknown. */
  used: number | null = null;
  /** The selected space, as far as its visitors' entrance shows it; null while unknown. */
  shownRoom: { title: string; template: Template | null; languages: readonly string[] } | null = null;
  #moves: Promise<unknown> = Promise.resolve();
  /** Parents of the structures listed so far, also on other pages. */
  readonly #parents = new Map<number, number | null>();

  constructor(client: Client) {
    super({
      list: async ({ search, page, filters }, signal) => {
        const query = { search, page, per_page: MAX_ENDPOINT_ROWS, ...filtersOf(filters) };
        const found = await client.endpoints.rows({ query, signal });
        for (const { id, parent_endpoint_id } of found.data) this.#parents.set(id, parent_endpoint_id);
        return found;
      },
      read: (id) => client.endpoints.read({ params: { id } }),
      create: (draft) => this.#create(draft),
      update: (id, draft, stamp) => this.#update(id, draft, stamp),
      remove: (id) => client.endpoints.remove({ params: { id } }),
      bin: { client, entity: 'endpoint' },
      bulk: { client, action: 'endpoints.remove', nouns: 'structures' },
      draftOf: structureDraftOf,
      schema,
    });
    this.#client = client;
    makeObservable(this, {
      isDirty: override,
      file: observableRef,
      report: observableRef,
      used: observable,
      shownRoom: observableRef,
      tree: computed,
    });
  }

  setFile(file: GivenTokens | null): void {
    runInAction(() => (this.file = file));
  }

  override get isDirty(): boolean {
    return super.isDirty || this.file !== null;
  }

  /** Fields to send. Time and zone only if changed, so that saving other fields keeps the start time. */
  #fields(
    { makes_room, template_id, slug, start_time, time_zone, ...draft }: StructureDraft,
    before: Pick<StructureDraft, 'start_time' | 'time_zone'> | null,
  ) {
    const isMoved = start_time !== (before?.start_time ?? null) || time_zone !== (before?.time_zone ?? null);
    return { ...draft, ...(slug && { slug }), ...(isMoved && { start_time, time_zone }) };
  }

  /** Saves translations without touching the form. */
  async translate(id: number, language: string, texts: TextsByField): Promise<void> {
    const { translations, updated_at } = await this.#client.endpoints.translate({
      params: { id },
      body: { language, texts },
    });
    runInAction(() => {
      if (this.entry?.id === id) this.entry = { ...this.entry, translations, updated_at };
    });
  }

  /** Recounts the access tokens without touching the form. */
  async countTokens(id: number): Promise<void> {
    const { access_tokens_count } = await this.#client.endpoints.read({ params: { id } });
    runInAction(() => {
      if (this.entry?.id === id) this.entry = { ...this.entry, access_tokens_count };
    });
    await this.countUsed(id);
  }

  /** Counts used access tokens; left null on errors. */
  async countUsed(id: number): Promise<void> {
    const query = { endpoint_id: id, used: '1', per_page: 1 } as const;
    const used = await this.#client.accessTokens.list({ query }).then(
      ({ meta }) => meta.total,
      () => null,
    );
    runInAction(() => (this.used = used));
  }

  /** Reads the selected space; left null on errors. */
  async readRoom(id: number | null): Promise<void> {
    runInAction(() => (this.shownRoom = null));
    const room = id === null ? null : await this.#client.rooms.read({ params: { id } }).catch(() => null);
    runInAction(() => {
      if (this.draft.room_id !== id) return;
      this.shownRoom = room && {
        title: room.title,
        template: room.template,
        languages: room.config.languages ?? [],
      };
    });
  }

  #files() {
    return this.file ? { access_tokens_file: this.file.file } : {};
  }

  /** Parse options of the CSV. */
  #choice() {
    const { column, heading } = this.file ?? {};
    return {
      ...(column !== undefined && { access_tokens_column: column }),
      ...(heading !== undefined && { access_tokens_heading: heading }),
    };
  }

  #took<T extends { report?: ImportReport }>({ report, ...endpoint }: T) {
    runInAction(() => {
      this.report = report ?? null;
      this.file = null;
    });
    return endpoint;
  }

  async #create(draft: StructureDraft): Promise<Endpoint> {
    const { makes_room, name, template_id } = draft;
    const room = makes_room && {
      room_id: undefined,
      new_room_title: name,
      ...(template_id !== null && { new_room_template_id: template_id }),
    };
    const body = { ...this.#fields(draft, null), ...room, ...this.#choice() };
    return this.#took(await this.#client.endpoints.create({ body, files: this.#files() }));
  }

  async #update(id: number, draft: StructureDraft, updated_at: string): Promise<Endpoint> {
    const before = this.entry;
    const body = { ...this.#fields(draft, before), ...this.#choice(), updated_at };
    const saved = this.#took(await this.#client.endpoints.update({ params: { id }, body, files: this.#files() }));
    if (before && before.path !== saved.path)
      notifyMoved(saved.path, () => {
        const { slug, parent_endpoint_id } = before;
        this.#client.endpoints
          .update({ params: { id }, body: { slug, parent_endpoint_id } })
          .then(async () => {
            if (this.entry?.id === id && !this.isDirty) await this.open(id);
          })
          .catch(showProblem);
      });
    return saved;
  }

  /** Whether the list is in the order of the tree. */
  get isTree(): boolean {
    return (filtersOf(this.query.filters).sort ?? 'tree') === 'tree';
  }

  /** Whether branches are closed until opened one by one. */
  get isCollapsed(): boolean {
    const { search, filters } = this.query;
    const { level, state } = filtersOf(filters);
    return this.isTree && level === 'top' && !search && state === undefined;
  }

  /** The page as a tree, or flat in other orders. */
  get tree(): StructureRow[] {
    return this.isTree ? treeOf(this.rows) : this.rows.map((row) => ({ ...row, children: [] }));
  }

  /** All structures directly below one, or at the top level, also those on other pages. */
  async #below(parentId: number | null): Promise<EndpointListRow[]> {
    const below: EndpointListRow[] = [];
    const level = parentId === null ? { level: 'top' as const } : { parent_id: parentId };
    for (let page = 1, last = 1; page <= last; page++) {
      const query = { ...level, page, per_page: MAX_ENDPOINT_ROWS };
      const { data, meta } = await this.#client.endpoints.rows({ query });
      below.push(...data);
      last = meta.last_page;
    }
    return below;
  }

  /** Loads the structures below one into the list. */
  async openBranch({ id }: StructureRow): Promise<void> {
    const below = await this.#below(id);
    const known = new Set(below.map((row) => row.id));
    for (const row of below) this.#parents.set(row.id, id);
    const rows = this.rows.filter((row) => !known.has(row.id));
    const at = rows.findIndex((row) => row.id === id);
    if (at >= 0) runInAction(() => (this.rows = rows.toSpliced(at + 1, 0, ...below)));
  }

  /** A place before a sibling, or else after the last one on the page. */
  #placeOf(item: EndpointListRow, { parentId, beforeId }: TreePlace): Place {
    const last = this.rows.findLast((row) => row.parent_endpoint_id === parentId && row.id !== item.id);
    if (beforeId !== null) return { parent_endpoint_id: parentId, before_id: beforeId };
    return { parent_endpoint_id: parentId, ...(last && { after_id: last.id }) };
  }

  /** The place of a structure that is the only child of its parent on a page: its siblings are on other pages. */
  async #ownPlace({ id, parent_endpoint_id }: EndpointListRow): Promise<Place> {
    await this.#moves.catch(() => undefined);
    const siblings = await this.#below(parent_endpoint_id);
    const following = siblings[siblings.findIndex((each) => each.id === id) + 1];
    return { parent_endpoint_id, ...(following && { before_id: following.id }) };
  }

  /**
   * Moves a structure: in the UI immediately, on the server after earlier moves.
   * @throws ApiError if the server refuses; the list is then reloaded
   */
  async move(item: StructureRow, place: TreePlace): Promise<void> {
    const { parent_endpoint_id: parent } = item;
    const siblings = this.rows.filter((row) => row.parent_endpoint_id === parent);
    const following = siblings[siblings.findIndex(({ id }) => id === item.id) + 1];
    const isAlone = siblings.length === 1 && this.meta.last_page > 1;
    const known = this.#placeOf(item, { parentId: parent, beforeId: following?.id ?? null });
    const body = this.#placeOf(item, place);
    runInAction(() => (this.rows = rowsOf(moveInTree(this.tree, item, place))));
    const back = isAlone ? await this.#ownPlace(item) : known;
    const { path } = await this.#send(item.id, body);
    if (path !== item.path)
      notifyMoved(path, () => {
        this.#send(item.id, back).then(() => this.load(), showProblem);
      });
  }

  /** The place of a structure, before the one that follows it on the page. */
  #placeInList(id: number): Place {
    const parent_endpoint_id = this.#parents.get(id) ?? null;
    const siblings = this.rows.filter((row) => row.parent_endpoint_id === parent_endpoint_id);
    const at = siblings.findIndex((row) => row.id === id);
    const following = at < 0 || !this.isTree ? undefined : siblings[at + 1];
    return { parent_endpoint_id, ...(following && { before_id: following.id }) };
  }

  /** Moves structures below one, or to the top level, in one job that can be undone. @returns messages about those not moved */
  async moveMany(ids: readonly number[], parent: number | null, onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const job = { action: 'endpoints.move', fields: { parent_endpoint_id: parent }, onProgress } as const;
    const listed = this.rows.flatMap(({ id }) => (ids.includes(id) ? [id] : []));
    const ordered = [...listed, ...ids.filter((id) => !listed.includes(id))];
    const places = new Map(ordered.map((id) => [id, this.#placeInList(id)]));
    const { changed, problems } = await runBulk(this.#client, ids, job);
    await this.load();
    const undo = async () => {
      // The last ones first: each goes before the one that followed it.
      for (const [id, place] of [...places].reverse()) if (changed.includes(id)) await this.#send(id, place);
      await this.load();
    };
    if (changed.length > 0)
      showNotification(`${countText(changed.length, 'structures')} moved.`, {
        label: 'Undo',
        act: () => void undo().catch(showProblem),
      });
    return problems;
  }

  #send(id: number, body: Place): Promise<Endpoint> {
    const sent = this.#moves.catch(() => undefined).then(() => this.#client.endpoints.move({ params: { id }, body }));
    this.#moves = sent;
    return sent.catch(async (error: unknown) => {
      await this.load();
      throw error;
    });
  }

  /** Removes structures and their descendants. @returns messages about those not removed */
  override removeMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const wanted = new Set(ids);
    // Descendants are removed and restored with their ancestor.
    const roots = ids.filter((id) => !wanted.has(this.#parents.get(id) ?? 0));
    return super.removeMany(roots, onProgress);
  }

  /** One-time download URL for a structure's access tokens. */
  async exportAddress(id: number): Promise<string> {
    const { token } = await this.#client.endpoints.createExportTicket({ params: { id } });
    return `/api/v1/backend/endpoints/${id}/export-tokens?token=${encodeURIComponent(token)}`;
  }
}
