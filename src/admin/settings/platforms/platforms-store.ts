import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../../contract/client.ts';
import {
  type Credential,
  credentialsOf,
  PLATFORM_FORMS,
  type Platform,
  type PlatformCheck,
  type PlatformName,
} from '../../../contract/entities.ts';

/** Credentials to set; null removes one. */
export type CredentialChanges = Partial<Record<Credential, string | null>>;

/** The organization's platform accounts. */
export class PlatformsStore {
  readonly #client: Client;
  rows: Platform[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Latest check result of each platform. */
  checks: Partial<Record<PlatformName, PlatformCheck>> = {};

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  async load(): Promise<void> {
    runInAction(() => (this.state = 'loading'));
    try {
      const rows = await this.#client.platforms.list();
      runInAction(() => {
        this.rows = rows;
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
    }
  }

  /** @throws ApiError with the invalid fields */
  async save(platform: PlatformName, body: CredentialChanges): Promise<void> {
    const saved = await this.#client.platforms.update({ params: { platform }, body });
    runInAction(() => {
      this.rows = this.rows.map((row) => (row.platform === platform ? saved : row));
      delete this.checks[platform];
    });
  }

  /** Checks a platform's credentials. @throws ApiError with the server's messages */
  async check(platform: PlatformName): Promise<void> {
    const found = await this.#client.platforms.check({ params: { platform } });
    runInAction(() => (this.checks[platform] = found));
  }
}

/** Credentials removed along with one: dependents and its group. */
export function removedWith({ platform, fields }: Platform, name: Credential): Credential[] {
  const { together, needs } = PLATFORM_FORMS[platform];
  const gone = new Set<Credential>(together.find((group) => group.includes(name)) ?? [name]);
  const stays = (other: Credential) => !gone.has(other) && fields.some((field) => field.name === other && field.is_set);
  for (const other of credentialsOf(platform)) {
    const needed = needs[other];
    if (needed && !needed.some(stays)) gone.add(other);
  }
  return fields.filter((field) => field.is_set && gone.has(field.name)).map((field) => field.name);
}
