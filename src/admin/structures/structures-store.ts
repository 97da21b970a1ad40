import { makeObservable, observable, observableRef, override, runInAction } from 'mobx';
import { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import { type Endpoint, endpointInput, type ImportReport } from '../../contract/entities.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { moveInTree, type TreePlace } from '../../ui/tree/tree-rows.ts';
import type { GivenTokens } from '../frame/TokensInput.tsx';
import { AreaStore } from '../stores/area-store.ts';
import type { BulkRun } from '../stores/bulk.ts';
import { countText, onePage } from '../stores/list-store.ts';

const { name, access_token_duration, start_time } = endpointInput.shape;
const schema = z
  .object({ name, access_token_duration, start_time, room_id: z.number().nullable(), makes_room: z.boolean() })
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
  start_time: endpoint?.start_time ?? null,
  time_zone: endpoint?.time_zone ?? null,
  is_protected: endpoint?.is_protected ?? false,
  access_token_duration: endpoint?.access_token_duration ?? null,
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

/** A tree of structures with full paths. */
const withPaths = (items: readonly Endpoint[], above = ''): Endpoint[] =>
  items.map((item) => {
    const path = `${above}/${item.slug}`;
    return { ...item, path, children: withPaths(item.children, path) };
  });

const pathIn = (items: readonly Endpoint[], id: number): string | undefined => {
  for (const item of items) {
    const path = item.id === id ? item.path : pathIn(item.children, id);
    if (path) return path;
  }
  return undefined;
};

/** Flattens a tree, parents first. */
export const flatStructures = (items: readonly Endpoint[]): Endpoint[] =>
  items.flatMap((item) => [item, ...flatStructures(item.children)]);

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
export class StructuresStore extends AreaStore<Endpoint, Endpoint, StructureDraft> {
  readonly #client: Client;
  /** Token CSV to send with the next save. */
  file: GivenTokens | null = null;
  /** Result of the last token import. */
  report: ImportReport | null = null;
  /** Number of used access tokens; null if unknown. */
  used: number | null = null;
  #moves: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    super({
      list: async ({ search }) => {
        const data = await client.endpoints.list({ query: search ? { search } : {} });
        return onePage(data, flatStructures(data).length);
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
    makeObservable(this, { isDirty: override, file: observableRef, report: observableRef, used: observable });
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

  /**
   * Moves a structure: in the UI immediately, on the server after earlier moves.
   * @throws ApiError if the server refuses; the list is then reloaded
   */
  async move(item: Endpoint, place: TreePlace): Promise<void> {
    const before = this.rows;
    const after = withPaths(moveInTree(before, item, place));
    const path = pathIn(after, item.id);
    await this.#putInOrder(after);
    if (path && path !== item.path) notifyMoved(path, () => void this.#putInOrder(before).catch(showProblem));
  }

  /** Removes structures and their descendants. @returns messages about those not removed */
  override removeMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const wanted = new Set(ids);
    const below = flatStructures(this.rows.flatMap(({ id, children }) => (wanted.has(id) ? children : [])));
    // Descendants are removed and restored with their ancestor.
    for (const { id } of below) wanted.delete(id);
    return super.removeMany([...wanted], onProgress);
  }

  #putInOrder(rows: Endpoint[]): Promise<void> {
    runInAction(() => (this.rows = rows));
    const sort = rows.map(({ id, children }) => ({ id, children: children.map((child) => ({ id: child.id })) }));
    this.#moves = this.#moves
      .catch(() => undefined)
      .then(async () => void (await this.#client.endpoints.reorder({ body: { sort } })));
    return this.#moves.catch(async (error: unknown) => {
      await this.load();
      throw error;
    });
  }

  /** One-time download URL for a structure's access tokens. */
  async exportAddress(id: number): Promise<string> {
    const { token } = await this.#client.endpoints.createExportTicket({ params: { id } });
    return `/api/v1/backend/endpoints/${id}/export-tokens?token=${encodeURIComponent(token)}`;
  }
}
