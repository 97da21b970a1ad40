import type { BinItem } from '../../contract/calls/bin.ts';
import type { Client } from '../../contract/client.ts';
import { CHANGED_ENTITIES } from '../../contract/entities.ts';
import { showNotification } from '../../ui/notifications.ts';
import { countText } from '../frame/count-text.ts';
import { doWithEach } from '../stores/do-with-each.ts';
import { ListStore } from '../stores/list-store.ts';

/** Entries that one call forgets. */
const EMPTIED_AT_ONCE = 1000;

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

  /**
   * Restores entries one after another, the last removed first, as others may have belonged to it.
   * @returns why some stayed, and what could not come back with others, as sentences
   */
  async restoreMany(ids: readonly number[]): Promise<string[]> {
    const missing: string[] = [];
    const { done, problems } = await doWithEach(
      ids.toSorted((a, b) => b - a),
      async (id) => missing.push(...(await this.#client.history.restore({ params: { id } })).missing),
    );
    await this.load();
    if (done.length > 0) showNotification(`${countText(done.length, 'entries')} restored.`);
    return [...problems, ...(missing.length > 0 ? [`Not restored: ${missing.join('; ')}.`] : [])];
  }

  /** @param ids all when left out @throws ApiError where nothing may be forgotten */
  async empty(ids?: readonly number[]): Promise<void> {
    if (!ids) await this.#client.bin.empty({ body: {} });
    else
      for (let start = 0; start < ids.length; start += EMPTIED_AT_ONCE)
        await this.#client.bin.empty({ body: { ids: ids.slice(start, start + EMPTIED_AT_ONCE) } });
    await this.load();
  }
}
