import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Media, MediaType } from '../../contract/entities.ts';
import { type MediaFilterValues, mediaQueryOf } from './media-query.ts';

/** Filters. */
export interface MediaQuery {
  type: MediaType;
  search: string;
  filters: MediaFilterValues;
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
    this.query = { type, search: '', filters: {} };
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
    const { type, search, filters } = this.query;
    runInAction(() => (this.state = 'loading'));
    try {
      const page = this.#page + 1;
      const answer = await this.#client.media.list({
        query: { ...mediaQueryOf({ ...filters, type }), page, ...(search && { search }) },
      });
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

  /** Shows a changed file. */
  take(changed: Media): void {
    runInAction(() => (this.files = this.files.map((file) => (file.id === changed.id ? changed : file))));
  }

  /** Hides a removed file. */
  drop(id: number): void {
    runInAction(() => (this.files = this.files.filter((file) => file.id !== id)));
  }
}
