import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { z } from 'zod';
import type { videoModuleSchema } from '../../../engine/document/video-module.ts';
import { VIDEO_PAGE, type VideoProvider } from '../../contract/calls/videos.ts';
import type { Client } from '../../contract/client.ts';

/** A video as described by its platform. */
export type ModuleVideo = z.output<typeof videoModuleSchema>;

/** Videos of one platform, loaded page by page. */
export class VideoLibraryStore {
  readonly #client: Client;
  readonly provider: VideoProvider;
  videos: ModuleVideo[] = [];
  state: 'loading' | 'ready' | 'failed' = 'loading';
  search = '';
  lastPage = 1;
  #page = 0;
  #run = 0;

  constructor(client: Client, provider: VideoProvider) {
    this.#client = client;
    this.provider = provider;
    makeObservable(this, {
      videos: observableShallow,
      state: observable,
      search: observableRef,
      lastPage: observable,
    });
  }

  get hasMore(): boolean {
    return this.#page < this.lastPage;
  }

  /** Searches from the first page. */
  async show(search = this.search): Promise<void> {
    runInAction(() => {
      this.search = search;
      this.videos = [];
      this.lastPage = 1;
    });
    this.#page = 0;
    await this.more();
  }

  /** Loads the next page. Only the latest request's response counts. */
  async more(): Promise<void> {
    const run = ++this.#run;
    runInAction(() => (this.state = 'loading'));
    try {
      const page = this.#page + 1;
      const answer = await this.#client.videos.search({
        params: { provider: this.provider },
        body: { query: this.search, page, per_page: VIDEO_PAGE },
      });
      if (run !== this.#run) return;
      this.#page = page;
      runInAction(() => {
        const known = new Set(this.videos.map(({ id }) => id));
        this.videos.push(...answer.data.filter(({ id }) => !known.has(id)));
        this.lastPage = answer.last_page;
        this.state = 'ready';
      });
    } catch {
      if (run === this.#run) runInAction(() => (this.state = 'failed'));
    }
  }

  /** Reloads the videos being processed. */
  async refresh(): Promise<void> {
    const unplayable = this.videos.filter(({ playable }) => !playable);
    for (const { id } of unplayable) {
      // Ignore errors: the next poll retries.
      const video = await this.#client.videos.read({ params: { provider: this.provider, id } }).catch(() => null);
      if (!video) continue;
      runInAction(() => (this.videos = this.videos.map((other) => (other.id === id ? video : other))));
    }
  }
}
