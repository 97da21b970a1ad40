import { makeObservable, observableRef, override, runInAction } from 'mobx';
import { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import { type Endpoint, endpointInput, type ImportReport, type Shows } from '../../contract/entities.ts';
import { moveInTree, type TreePlace } from '../../ui/tree/tree-rows.ts';
import { AreaStore } from '../stores/area-store.ts';

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
});

const countOf = (items: readonly Endpoint[]): number =>
  items.reduce((sum, { children }) => sum + 1 + countOf(children), 0);

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
  #moves: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    super({
      list: async ({ search }) => {
        const data = await client.endpoints.list({ query: search ? { search } : {} });
        return { data, meta: { total: countOf(data), page: 1, last_page: 1 } };
      },
      read: (id) => client.endpoints.read({ params: { id } }),
      create: (draft) => this.#create(draft),
      update: (id, draft, stamp) => this.#update(id, draft, stamp),
      remove: (id) => client.endpoints.remove({ params: { id } }),
      draftOf: structureDraftOf,
      schema,
    });
    this.#client = client;
    makeObservable(this, { isDirty: override, file: observableRef, report: observableRef });
  }

  setFile(file: File | null): void {
    runInAction(() => (this.file = file));
  }

  override get isDirty(): boolean {
    return super.isDirty || this.file !== null;
  }

  #fields({ makes_room, slug, ...draft }: StructureDraft) {
    return { ...draft, ...(slug && { slug }), start_time_utc_offset: offsetOf(draft.start_time) };
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
    let room_id = draft.room_id;
    if (draft.makes_room) {
      const room = await this.#client.rooms.create({ body: { title: draft.name } });
      room_id = room.id;
      // When the structure is refused, the next attempt uses the space that stands already.
      this.set({ makes_room: false, room_id });
    }
    const body = { ...this.#fields(draft), room_id: room_id! };
    return this.#took(await this.#client.endpoints.create({ body, files: this.#files() }));
  }

  async #update(id: number, draft: StructureDraft, updated_at: string): Promise<Endpoint> {
    const body = { ...this.#fields(draft), updated_at };
    return this.#took(await this.#client.endpoints.update({ params: { id }, body, files: this.#files() }));
  }

  /**
   * Moves a structure: on the screen at once, on the server after the moves before it.
   * @throws ApiError when the server refuses; the list is then loaded again
   */
  move(item: Endpoint, place: TreePlace): Promise<void> {
    const after = moveInTree(this.rows, item, place);
    runInAction(() => (this.rows = after));
    const sort = after.map(({ id, children }) => ({ id, children: children.map((child) => ({ id: child.id })) }));
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
