import type { Client } from '../../../contract/client.ts';
import { CHANGED_ENTITIES, type Change } from '../../../contract/entities.ts';
import { ListStore } from '../../stores/list-store.ts';

/** The change log. */
export class HistoryStore extends ListStore<Change> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.history.list({
          query: {
            search,
            page,
            entity: CHANGED_ENTITIES.find((name) => name === filters.entity),
            removed: filters.removed === '1' ? '1' : '0',
          },
        }),
    });
    this.#client = client;
  }

  /** @throws ApiError with the reason why it cannot come back */
  async restore(id: number): Promise<void> {
    await this.#client.history.restore({ params: { id } });
    await this.load();
  }
}
