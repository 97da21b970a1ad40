import { makeObservable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import { ROOM_ORDERS } from '../../contract/calls/rooms.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomRow } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/list-store.ts';

/** Fields edited here; the editor edits the rest. */
interface SpaceDraft {
  title: string;
  /** Undefined for the organization's default. */
  template_id: number | null | undefined;
}

const { title } = calls.rooms.create.body.shape;

/** The spaces. */
export class SpacesStore extends AreaStore<RoomRow, AdminRoom, SpaceDraft> {
  readonly #client: Client;
  /** Default template; null if none or not loaded yet. */
  usual: { id: number; name: string } | null = null;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.rooms.list({
          query: {
            search,
            page,
            sort: chosenOrder(ROOM_ORDERS, filters),
            used: (['0', '1'] as const).find((value) => value === filters.used),
          },
        }),
      read: (id) => client.rooms.read({ params: { id } }),
      create: (body) => client.rooms.create({ body }),
      update: (id, draft, updated_at) => client.rooms.update({ params: { id }, body: { ...draft, updated_at } }),
      remove: (id) => client.rooms.remove({ params: { id } }),
      bin: { client, entity: 'room' },
      bulk: { client, action: 'rooms.remove', things: 'spaces' },
      draftOf: (room) => ({ title: room?.title ?? '', template_id: room ? room.template_id : undefined }),
      schema: z.object({ title }),
    });
    this.#client = client;
    makeObservable(this, { usual: observableRef });
  }

  /** Preselects the default template unless the user has already chosen. */
  async chooseDefault(): Promise<void> {
    const { template_id } = await this.#client.organizations.read();
    const template = template_id === null ? null : await this.#client.templates.read({ params: { id: template_id } });
    runInAction(() => {
      this.usual = template;
      if (this.entry !== null || this.draft.template_id !== undefined) return;
      const draft = { ...this.draft, template_id };
      if (this.isDirty) this.set(draft);
      else this.begin(draft);
    });
  }

  /** Describes the effect of removing spaces on structures. */
  async removalText(ids: readonly number[]): Promise<string> {
    const { structures } = await this.#client.bulk.effects({ body: { action: 'rooms.remove', ids: [...ids] } });
    const loss =
      structures === 1
        ? '1 structure loses its space.'
        : structures > 0 && `${structures} structures lose their space.`;
    return `${loss || 'No structure shows them.'} They stay in the bin for 30 days.`;
  }

  /** @throws ApiError with the server's messages */
  async copy(id: number): Promise<void> {
    await this.#client.rooms.copy({ params: { id } });
    await this.load();
  }
}
