import type { BinItem } from '../../contract/calls/bin.ts';
import type { Client } from '../../contract/client.ts';
import { CHANGED_ENTITIES } from '../../contract/entities.ts';
import { ListStore } from '../stores/list-store.ts';

/** What was removed and can be restored. */
export class BinStore extends ListStore<BinItem> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.bin.list({
          query: { search, page, entity: CHANGED_ENTITIES.find((name) => name === filters.entity) },
        }),
    });
    this.#client = client;
  }

  /**
   * Restores an entry.
   * @returns what of it could not come back, as sentences
   * @throws ApiError with the reason why it cannot be restored
   */
  async restore(id: number): Promise<string[]> {
    const { missing } = await this.#client.history.restore({ params: { id } });
    await this.load();
    return missing;
  }

  /** @throws ApiError where nothing may be forgotten */
  async empty(ids?: number[]): Promise<void> {
    await this.#client.bin.empty({ body: ids ? { ids } : {} });
    await this.load();
  }
}
