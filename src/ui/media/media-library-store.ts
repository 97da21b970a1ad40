import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Media, MediaType } from '../../contract/entities.ts';

/** Filters. */
export interface MediaQuery {
  type: MediaType;
  search: string;
  /** Whether to show the user's own uploads only. */
  isMine: boolean;
}

/** Media files of one type, loaded page by page. */
export class MediaLibraryStore {
  readonly #client: Client;
  files: Media[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';
  query: MediaQuery;
  lastPage = 1;
  #page = 0;
  #run = 0;

  constructor(client: Client, type: MediaType) {
    this.#client = client;
    this.query = { type, search: '', isMine: false };
    makeObservable(this, {
      files: observableShallow,
      state: observable,
      query: observableRef,
      lastPage: observable,
    });
  }

  /** Whether there are more pages. */
  get hasMore(): boolean {
    return this.#page < this.lastPage;
  }

  /** Changes filters and loads the first page. */
  async show(query: Partial<MediaQuery>): Promise<void> {
    runInAction(() => {
      this.query = { ...this.query, ...query };
      this.files = [];
      this.lastPage = 1;
    });
    this.#page = 0;
    await this.more();
  }

  /** Loads the next page. Only the latest request's response counts. */
  async more(): Promise<void> {
    const run = ++this.#run;
    const { type, search, isMine } = this.query;
    const filters = btoa(JSON.stringify([{ type }, ...(isMine ? [{ type: 'current_user' }] : [])]));
    runInAction(() => (this.state = 'loading'));
    try {
      const page = this.#page + 1;
      const answer = await this.#client.media.list({ query: { page, filters, ...(search && { search }) } });
      if (run !== this.#run) return;
      this.#page = page;
      runInAction(() => {
        const known = new Set(this.files.map(({ id }) => id));
        this.files.push(...answer.data.filter(({ id }) => !known.has(id)));
        this.lastPage = answer.last_page;
        this.state = 'ready';
      });
    } catch {
      if (run === this.#run) runInAction(() => (this.state = 'failed'));
    }
  }

  /**
   * Removes a file from the library.
   * @param force whether to remove it even if it is in use
   * @throws ApiError `in_use` with the places of use
   */
  async remove(id: number, force = false): Promise<void> {
    await this.#client.media.remove({ params: { id }, query: { force: force ? '1' : '0' } });
    runInAction(() => (this.files = this.files.filter((file) => file.id !== id)));
  }
}
