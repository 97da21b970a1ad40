import { API_KEY_ORDERS } from '../../../contract/calls/api-keys.ts';
import type { Client } from '../../../contract/client.ts';
import type { ApiKey } from '../../../contract/entities.ts';
import { chosenOrder } from '../../stores/chosen-order.ts';
import { doWithEach } from '../../stores/do-with-each.ts';
import { ListStore } from '../../stores/list-store.ts';

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
   * Makes a key.
   * @returns the key itself, which is not given again
   * @throws ApiError with the fields that are wrong
   */
  async make(body: Parameters<Client['apiKeys']['create']>[0]['body']): Promise<string> {
    const { key } = await this.#client.apiKeys.create({ body });
    await this.load();
    return key;
  }

  /** Removes keys one after another. @returns why some stayed, as sentences */
  async removeMany(ids: readonly number[]): Promise<string[]> {
    const { problems } = await doWithEach(ids, (id) => this.#client.apiKeys.remove({ params: { id } }));
    await this.load();
    return problems;
  }

  /** @throws ApiError with the server's sentences */
  async remove(id: number): Promise<void> {
    await this.#client.apiKeys.remove({ params: { id } });
    await this.load();
  }
}
