import { action, makeObservable, observableRef, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Webhook, WebhookDelivery, WebhookEvent } from '../../contract/entities.ts';
import { countText } from '../frame/count-text.ts';
import { doWithEach } from '../stores/do-with-each.ts';
import { ListStore } from '../stores/list-store.ts';
import { switchMany } from '../stores/switch-many.ts';

/** What a person says of a webhook. */
export interface WebhookDraft {
  name: string;
  url: string;
  events: WebhookEvent[];
}

/** The webhooks of the organization, and what one of them was told. */
export class WebhooksStore extends ListStore<Webhook> {
  readonly #client: Client;
  /** Of the webhook whose log is open. */
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

  /** Adds one. @returns its secret, which is not given again @throws ApiError with the fields that are wrong */
  async add(draft: WebhookDraft): Promise<string> {
    const { secret } = await this.#client.webhooks.create({ body: draft });
    await this.load();
    return secret;
  }

  /** @throws ApiError with the server's sentences */
  async change({ id, updated_at }: Webhook, fields: Partial<WebhookDraft & { is_paused: boolean }>): Promise<void> {
    await this.#client.webhooks.update({ params: { id }, body: { ...fields, updated_at } });
    await this.load();
  }

  /** @throws ApiError with the server's sentences */
  async remove(id: number): Promise<void> {
    await this.#client.webhooks.remove({ params: { id } });
    await this.load();
  }

  /** Removes webhooks one after another. @returns why some stayed, as sentences */
  async removeMany(ids: readonly number[]): Promise<string[]> {
    const { problems } = await doWithEach(ids, (id) => this.#client.webhooks.remove({ params: { id } }));
    await this.load();
    return problems;
  }

  /** Pauses webhooks, or lets them be told again. @returns why some stayed as they were, as sentences */
  setPaused(ids: readonly number[], is_paused: boolean): Promise<string[]> {
    const isSo = (id: number, on: boolean) =>
      this.rows.some((row) => row.id === id && row.is_paused === on && (on || row.disabled_at === null));
    return switchMany(ids, is_paused, {
      set: async (id, on) => !isSo(id, on) && this.#client.webhooks.update({ params: { id }, body: { is_paused: on } }),
      reload: () => this.load(),
      words: (on, count) => {
        const word = on ? 'paused' : 'resumed';
        return count > 0 ? `${countText(count, 'webhooks')} ${word}.` : `They were ${on ? word : 'active'} already.`;
      },
    });
  }

  /** Makes a new secret. @returns it @throws ApiError with the server's sentences */
  async rotate(id: number): Promise<string> {
    const { secret } = await this.#client.webhooks.rotate({ params: { id } });
    await this.load();
    return secret;
  }

  /** @throws ApiError with the server's sentences */
  async test(id: number): Promise<void> {
    await this.#client.webhooks.test({ params: { id } });
    if (this.#logOf === id) await this.openLog(id);
  }

  /** Shows what a webhook was told. @throws ApiError with the server's sentences */
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

  /** @throws ApiError with the server's sentences */
  async redeliver(id: number): Promise<void> {
    await this.#client.webhooks.redeliver({ params: { id } });
    if (this.#logOf !== null) await this.openLog(this.#logOf);
  }
}
