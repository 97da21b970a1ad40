import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Page } from '../../contract/client.ts';
import { ApiError } from '../../contract/errors.ts';

/** Most entries that are selected at once. */
const MOST_MATCHING = 2000;

/** How far a list or an entry has come. */
export type LoadState = 'loading' | 'ready' | 'failed' | 'forbidden' | 'missing' | 'not-set-up';

/** Whether a list did not load, for a reason that may pass. */
export const hasFailed = (state: LoadState): boolean => ['failed', 'missing', 'not-set-up'].includes(state);

/** What a list is asked for. */
export interface ListQuery {
  search?: string;
  page?: number;
  /** Further filters by their names in the address. */
  filters?: Readonly<Record<string, string>>;
}

/** What a failed call says about what was to be loaded. */
export function stateOf(error: unknown): LoadState {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.code === 'forbidden') return 'forbidden';
  if (error.code === 'not_set_up') return 'not-set-up';
  return error.code === 'not_found' ? 'missing' : 'failed';
}

/** The calls behind a list. */
export interface ListCalls<Row> {
  list(query: ListQuery): Promise<Page<Row[]>>;
}

/** A list of an area, page by page. */
export class ListStore<Row extends { id: number }> {
  readonly #list: ListCalls<Row>['list'];
  rows: Row[] = [];
  meta = { total: 0, page: 1, last_page: 1 };
  listState: LoadState = 'loading';
  query: ListQuery = {};
  #runs = 0;

  constructor({ list }: ListCalls<Row>) {
    this.#list = list;
    makeObservable(this, {
      rows: observableShallow,
      meta: observableRef,
      listState: observable,
      query: observableRef,
    });
  }

  /**
   * Ids of all that the list was asked for, on whatever page; at most `MOST_MATCHING`.
   * @throws ApiError with the server's sentences
   */
  async matchingIds(): Promise<number[]> {
    const ids: number[] = [];
    for (let page = 1; page <= this.meta.last_page && ids.length < MOST_MATCHING; page++)
      ids.push(...(await this.#list({ ...this.query, page })).data.map(({ id }) => id));
    return ids.slice(0, MOST_MATCHING);
  }

  /** Loads a page of the list. Of answers that overtake each other, the last question's counts. */
  async load(query: ListQuery = this.query): Promise<void> {
    const run = ++this.#runs;
    runInAction(() => {
      this.query = query;
      if (this.listState !== 'ready') this.listState = 'loading';
    });
    try {
      const { data, meta } = await this.#list(query);
      if (run !== this.#runs) return;
      runInAction(() => {
        this.rows = data;
        this.meta = meta;
        this.listState = 'ready';
      });
    } catch (error) {
      if (run === this.#runs) runInAction(() => (this.listState = stateOf(error)));
    }
  }
}
