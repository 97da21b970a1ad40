import type { BinItem } from '../../contract/calls/bin.ts';
import type { Client } from '../../contract/client.ts';
import { CHANGED_ENTITIES } from '../../contract/entities.ts';
import { showNotification } from '../../ui/notifications.ts';
import { countText } from '../stores/count-text.ts';
import { ListStore } from '../stores/list-store.ts';
import { type BulkRun, runBulk } from '../stores/run-bulk.ts';

/** Maximum entries per delete call. */
const EMPTIED_AT_ONCE = 1000;

/** Removed entries that can be restored. */
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
   * @returns messages about parts that could not be restored
   * @throws ApiError with the reason it can't be restored
   */
  async restore(id: number): Promise<string[]> {
    const { missing } = await this.#client.history.restore({ params: { id } });
    await this.load();
    return missing;
  }

  /**
   * Restores entries in one job.
   * @returns messages about entries, or parts of them, that were not restored
   */
  async restoreMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const { changed, problems } = await runBulk(this.#client, ids, { action: 'bin.restore', onProgress });
    await this.load();
    if (changed.length > 0) showNotification(`${countText(changed.length, 'entries')} restored.`);
    return problems;
  }

  /** @param ids all entries if missing @throws ApiError if the user may not delete them */
  async empty(ids?: readonly number[]): Promise<void> {
    if (!ids) await this.#client.bin.empty({ body: {} });
    else
      for (let start = 0; start < ids.length; start += EMPTIED_AT_ONCE)
        await this.#client.bin.empty({ body: { ids: ids.slice(start, start + EMPTIED_AT_ONCE) } });
    await this.load();
  }
}
