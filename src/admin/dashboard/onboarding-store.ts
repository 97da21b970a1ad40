import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Onboarding } from '../../contract/entities.ts';

/** First steps, and remaining demo content. */
export class OnboardingStore {
  readonly #client: Client;
  /** Null until loaded, or if loading failed. */
  shown: Onboarding | null = null;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    const shown = await this.#client.onboarding.read().catch(() => null);
    runInAction(() => (this.shown = shown));
  }

  /** @throws ApiError with the server's messages */
  async dismiss(is_dismissed: boolean): Promise<void> {
    await this.#client.onboarding.dismiss({ body: { is_dismissed } });
    runInAction(() => {
      if (this.shown) this.shown = { ...this.shown, is_dismissed };
    });
  }

  /**
   * Moves the demo to the bin.
   * @returns a function that restores it
   * @throws ApiError with the server's messages
   */
  async removeDemo(): Promise<() => Promise<void>> {
    const { entries } = await this.#client.onboarding.removeDemo();
    await this.load();
    return async () => {
      // Restore dependencies first: templates before spaces, spaces before structures.
      for (const id of entries) await this.#client.history.restore({ params: { id } });
      await this.load();
    };
  }
}
