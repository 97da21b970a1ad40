import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Webhook, WebhookDelivery, WebhookEvent } from '../../contract/entities.ts';

/** What a person says of a webhook. */
export interface WebhookDraft {
  name: string;
  url: string;
  events: WebhookEvent[];
}

/** The webhooks of the organization, and what one of them was told. */
export class WebhooksStore {
  readonly #client: Client;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  rows: Webhook[] = [];
  /** Of the webhook whose log is open. */
  deliveries: WebhookDelivery[] | null = null;
  #logOf: number | null = null;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    try {
      const rows = await this.#client.webhooks.list();
      runInAction(() => {
        this.rows = rows;
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
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
