import { z } from 'zod';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, RoomRow } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';

/** What the form of a space edits; the rest is edited on the canvas. */
export interface SpaceDraft {
  title: string;
  template_id: number | null;
}

const { title } = calls.rooms.create.body.shape;

/** The spaces. */
export class SpacesStore extends AreaStore<RoomRow, AdminRoom, SpaceDraft> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: (query) => client.rooms.list({ query }),
      read: (id) => client.rooms.read({ params: { id } }),
      create: (body) => client.rooms.create({ body }),
      update: (id, draft, updated_at) => client.rooms.update({ params: { id }, body: { ...draft, updated_at } }),
      remove: (id) => client.rooms.remove({ params: { id } }),
      draftOf: (room) => ({ title: room?.title ?? '', template_id: room?.template_id ?? null }),
      schema: z.object({ title }),
    });
    this.#client = client;
  }

  /** @throws ApiError with the server's sentences */
  async copy(id: number): Promise<void> {
    await this.#client.rooms.copy({ params: { id } });
    await this.load();
  }
}
