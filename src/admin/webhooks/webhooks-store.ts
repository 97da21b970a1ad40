import { action, makeObservable, observableRef, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Webhook, WebhookDelivery, WebhookEvent } from '../../contract/entities.ts';
import { showDone } from '../../ui/notifications.ts';
import { type BulkRun, runBulk, type Switch, switchMany } from '../stores/bulk.ts';
import { countText, ListStore } from '../stores/list-store.ts';

/** Editable fields of a webhook. */
export interface WebhookDraft {
  name: string;
  url: string;
  events: WebhookEvent[];
}

/** The organization's webhooks, and the deliveries of one. */
export class WebhooksStore extends ListStore<Webhook> {
  readonly #client: Client;
  /** Deliveries of the webhook whose log is open. */
  deliveries: WebhookDelivery[] | null = null;
  #logOf: number | null = null;

  constructor(client: Client) {
    super({
      list: async () => {
        const data = await client.webhooks.list();
        return { data, meta: { total: data.length, page: 1, last_page: 1 } };
      },
    });
    this.#client = client;
    makeObservable(this, { deliveries: observableRef, closeLog: action });
  }

  /** Adds a webhook. @returns its secret, which can't be read again @throws ApiError with the invalid fields */
  async add(draft: WebhookDraft): Promise<string> {
    const { secret } = await this.#client.webhooks.create({ body: draft });
    await this.load();
    return secret;
  }

  /** @throws ApiError with the server's messages */
  async change({ id, updated_at }: Webhook, fields: Partial<WebhookDraft & { is_paused: boolean }>): Promise<void> {
    await this.#client.webhooks.update({ params: { id }, body: { ...fields, updated_at } });
    await this.load();
  }

  /** @throws ApiError with the server's messages */
  async remove(id: number): Promise<void> {
    await this.#client.webhooks.remove({ params: { id } });
    await this.load();
  }

  /** Removes webhooks in one job. @returns messages about those not removed */
  async removeMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const { changed, problems } = await runBulk(this.#client, ids, { action: 'webhooks.remove', onProgress });
    await this.load();
    if (changed.length > 0) showDone(`${countText(changed.length, 'webhooks')} removed.`);
    return problems;
  }

  /** Pauses or resumes webhooks. @returns messages about those not changed */
  async setPaused(ids: readonly number[], is_paused: boolean, onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const isSo = (id: number) =>
      this.rows.some((row) => row.id === id && row.is_paused === is_paused && (is_paused || row.disabled_at === null));
    const others = ids.filter((id) => !isSo(id));
    const wanted: Switch = {
      client: this.#client,
      actions: { on: 'webhooks.pause', off: 'webhooks.resume' },
      reload: () => this.load(),
      words: (on, count) => {
        const word = on ? 'paused' : 'resumed';
        return count > 0 ? `${countText(count, 'webhooks')} ${word}.` : `They were already ${on ? word : 'active'}.`;
      },
    };
    return switchMany(others, is_paused, wanted, onProgress);
  }

  /** Creates a new secret. @returns it @throws ApiError with the server's messages */
  async rotate(id: number): Promise<string> {
    const { secret } = await this.#client.webhooks.rotate({ params: { id } });
    await this.load();
    return secret;
  }

  /** @throws ApiError with the server's messages */
  async test(id: number): Promise<void> {
    await this.#client.webhooks.test({ params: { id } });
    if (this.#logOf === id) await this.openLog(id);
  }

  /** Loads the deliveries of a webhook. @throws ApiError with the server's messages */
  async openLog(id: number): Promise<void> {
    this.#logOf = id;
    const { data } = await this.#client.webhooks.deliveries({ params: { id }, query: { per_page: 100 } });
    runInAction(() => {
      if (this.#logOf === id) this.deliveries = data;
    });
  }

  closeLog(): void {
    this.#logOf = null;
    this.deliveries = null;
  }

  /** @throws ApiError with the server's messages */
  async redeliver(id: number): Promise<void> {
    await this.#client.webhooks.redeliver({ params: { id } });
    if (this.#logOf !== null) await this.openLog(this.#logOf);
  }
}
