import type { Client } from '../../../contract/client.ts';
import type { Share } from '../../../contract/entities.ts';
import { ListStore } from '../../stores/list-store.ts';

/** What visitors shared. */
export class SharesStore extends ListStore<Share> {
  readonly #client: Client;

  constructor(client: Client) {
    super({ list: ({ search, page }) => client.privacy.listShares({ query: { search, page } }) });
    this.#client = client;
  }

  /** @throws ApiError when they cannot be removed */
  async erase(ids: number[]): Promise<void> {
    await this.#client.privacy.eraseShares({ body: { ids } });
    await this.load();
  }
}
