import { makeObservable, observable, observableRef, override, runInAction } from 'mobx';
import { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import { type Endpoint, endpointInput, type ImportReport, type Shows } from '../../contract/entities.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { moveInTree, type TreePlace } from '../../ui/tree/tree-rows.ts';
import { countText } from '../frame/count-text.ts';
import { AreaStore } from '../stores/area-store.ts';
import { switchMany } from '../stores/switch-many.ts';

/** What the form of a structure edits. */
export interface StructureDraft {
  name: string;
  slug: string;
  room_id: number | null;
  parent_endpoint_id: number | null;
  is_visible: boolean;
  is_timed: boolean;
  show_countdown: boolean;
  start_time: string | null;
  is_protected: boolean;
  access_token_duration: number | null;
  shows: Shows;
  /** When a structure is added: whether a space is made for it. */
  makes_room: boolean;
  /** Template of that space; null for the one of the organization. */
  template_id: number | null;
}

const { name, access_token_duration, start_time } = endpointInput.shape;
const schema = z
  .object({ name, access_token_duration, start_time, room_id: z.number().nullable(), makes_room: z.boolean() })
  .refine(({ room_id, makes_room }) => room_id !== null || makes_room, {
    path: ['room_id'],
    error: 'Select a space.',
  });

const structureDraftOf = (endpoint: Endpoint | null): StructureDraft => ({
  name: endpoint?.name ?? '',
  slug: endpoint?.slug ?? '',
  room_id: endpoint?.room_id ?? null,
  parent_endpoint_id: endpoint?.parent_endpoint_id ?? null,
  is_visible: endpoint?.is_visible ?? true,
  is_timed: endpoint?.is_timed ?? false,
  show_countdown: endpoint?.show_countdown ?? false,
  start_time: endpoint?.start_time ?? null,
  is_protected: endpoint?.is_protected ?? false,
  access_token_duration: endpoint?.access_token_duration ?? null,
  shows: endpoint?.shows ?? 'edited',
  makes_room: false,
  template_id: null,
});

/** Says that a structure has another address, and offers the one that it had. */
const tellMoved = (path: string, act: () => void) => showNotification(`Address is now ${path}`, { label: 'Undo', act });

/** A tree of structures, each with the path of its place. */
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

/** A tree of structures as a list: each before those below it. */
export const flatStructures = (items: readonly Endpoint[]): Endpoint[] =>
  items.flatMap((item) => [item, ...flatStructures(item.children)]);

/** Minutes of UTC minus local time, as the start time is meant; null without one. */
const offsetOf = (startTime: string | null): number | null =>
  startTime === null ? null : new Date().getTimezoneOffset();

/** The structures: the tree of public addresses. */
export class StructuresStore extends AreaStore<Endpoint, Endpoint, StructureDraft> {
  readonly #client: Client;
  /** CSV of access tokens that the next saving sends along. */
  file: File | null = null;
  /** What the server made of the last one. */
  report: ImportReport | null = null;
  /** How many access tokens of the structure were used; null until that is known. */
  used: number | null = null;
  #moves: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    super({
      list: async ({ search }) => {
        const data = await client.endpoints.list({ query: search ? { search } : {} });
        return { data, meta: { total: flatStructures(data).length, page: 1, last_page: 1 } };
      },
      read: (id) => client.endpoints.read({ params: { id } }),
      create: (draft) => this.#create(draft),
      update: (id, draft, stamp) => this.#update(id, draft, stamp),
      remove: (id) => client.endpoints.remove({ params: { id } }),
      bin: { client, entity: 'endpoint' },
      draftOf: structureDraftOf,
      schema,
    });
    this.#client = client;
    makeObservable(this, { isDirty: override, file: observableRef, report: observableRef, used: observable });
  }

  setFile(file: File | null): void {
    runInAction(() => (this.file = file));
  }

  override get isDirty(): boolean {
    return super.isDirty || this.file !== null;
  }

  #fields({ makes_room, template_id, slug, ...draft }: StructureDraft) {
    return { ...draft, ...(slug && { slug }), start_time_utc_offset: offsetOf(draft.start_time) };
  }

  /** Counts the access tokens of the structure again, leaving its form as it is. */
  async countTokens(id: number): Promise<void> {
    const { access_tokens_count } = await this.#client.endpoints.read({ params: { id } });
    runInAction(() => {
      if (this.entry?.id === id) this.entry = { ...this.entry, access_tokens_count };
    });
    await this.countUsed(id);
  }

  /** Finds out how many access tokens of a structure were used. What cannot be counted is left out. */
  async countUsed(id: number): Promise<void> {
    const query = { endpoint_id: id, used: '1', per_page: 1 } as const;
    const used = await this.#client.accessTokens.list({ query }).then(
      ({ meta }) => meta.total,
      () => null,
    );
    runInAction(() => (this.used = used));
  }

  #files() {
    return this.file ? { access_tokens_file: this.file } : {};
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
    const body = { ...this.#fields(draft), ...room };
    return this.#took(await this.#client.endpoints.create({ body, files: this.#files() }));
  }

  async #update(id: number, draft: StructureDraft, updated_at: string): Promise<Endpoint> {
    const body = { ...this.#fields(draft), updated_at };
    const before = this.entry;
    const saved = this.#took(await this.#client.endpoints.update({ params: { id }, body, files: this.#files() }));
    if (before && before.path !== saved.path)
      tellMoved(saved.path, () => {
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
   * Moves a structure: on the screen at once, on the server after the moves before it.
   * @throws ApiError when the server refuses; the list is then loaded again
   */
  async move(item: Endpoint, place: TreePlace): Promise<void> {
    const before = this.rows;
    const after = withPaths(moveInTree(before, item, place));
    const path = pathIn(after, item.id);
    await this.#putInOrder(after);
    if (path && path !== item.path) tellMoved(path, () => void this.#putInOrder(before).catch(showProblem));
  }

  /** Removes structures with those below them. @returns why some stayed, as sentences */
  override removeMany(ids: readonly number[]): Promise<string[]> {
    const wanted = new Set(ids);
    const below = flatStructures(this.rows.flatMap(({ id, children }) => (wanted.has(id) ? children : [])));
    // What stands below one of them goes, and comes back, with it.
    for (const { id } of below) wanted.delete(id);
    return super.removeMany([...wanted]);
  }

  /** Lets visitors find structures, or not. @returns why some stayed as they were, as sentences */
  setVisible(ids: readonly number[], is_visible: boolean): Promise<string[]> {
    const { endpoints } = this.#client;
    return switchMany(ids, is_visible, {
      set: async (id, on) => {
        const params = { id };
        if ((await endpoints.read({ params })).is_visible === on) return false;
        return endpoints.update({ params, body: { is_visible: on } });
      },
      reload: () => this.load(),
      words: (on, count) => {
        const word = on ? 'visible' : 'hidden';
        return count > 0 ? `${countText(count, 'structures')} ${word} now.` : `They were ${word} already.`;
      },
    });
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

  /** Address from which the browser downloads the access tokens of a structure, once. */
  async exportAddress(id: number): Promise<string> {
    const { token } = await this.#client.endpoints.createExportTicket({ params: { id } });
    return `/api/v1/backend/endpoints/${id}/export-tokens?token=${encodeURIComponent(token)}`;
  }
}
