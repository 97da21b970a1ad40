import { API_KEY_ORDERS } from '../../../contract/calls/api-keys.ts';
import type { Client } from '../../../contract/client.ts';
import type { ApiKey } from '../../../contract/entities.ts';
import { showDone } from '../../../ui/notifications.ts';
import { type BulkRun, runBulk } from '../../stores/bulk.ts';
import { chosenOrder, countText, ListStore } from '../../stores/list-store.ts';

/** The API keys. */
export class ApiKeysStore extends ListStore<ApiKey> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters }) =>
        client.apiKeys.list({ query: { search, page, sort: chosenOrder(API_KEY_ORDERS, filters) } }),
    });
    this.#client = client;
  }

  /**
   * Creates a key.
   * @returns the key, which can't be read again
   * @throws ApiError with the invalid fields
   */
  async make(body: Parameters<Client['apiKeys']['create']>[0]['body']): Promise<string> {
    const { key } = await this.#client.apiKeys.create({ body });
    await this.load();
    return key;
  }

  /** Removes keys in one job. @returns messages about keys that were not removed */
  async removeMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const { changed, problems } = await runBulk(this.#client, ids, { action: 'apiKeys.remove', onProgress });
    await this.load();
    if (changed.length > 0) showDone(`${countText(changed.length, 'API keys')} removed.`);
    return problems;
  }

  /** @throws ApiError with the server's messages */
  async remove(id: number): Promise<void> {
    await this.#client.apiKeys.remove({ params: { id } });
    await this.load();
  }
}
