import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Page } from '../../contract/client.ts';
import { ApiError } from '../../contract/errors.ts';

/** Most entries that are selected at once where they are changed one by one. */
const MOST_MATCHING = 2000;

/** How far a list or an entry has come. */
export type LoadState = 'loading' | 'ready' | 'failed' | 'forbidden' | 'missing' | 'not-set-up';

/** Whether a list did not load, for a reason that may pass. */
export const hasFailed = (state: LoadState): boolean => ['failed', 'missing', 'not-set-up'].includes(state);

/** What a list is asked for. */
export interface ListQuery {
  search?: string;
  page?: number;
  /** Entries on a page; as many as the list has without being asked when left out. */
  per_page?: number | undefined;
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
  /** How many entries can be selected at once, and how many of them one call gives, where others than usually. */
  selects?: { most: number; per_page: number };
}

/** A list of an area, page by page. */
export class ListStore<Row extends { id: number }> {
  readonly #list: ListCalls<Row>['list'];
  readonly #part: number | undefined;
  /** How many entries can be selected at once. */
  readonly most: number;
  rows: Row[] = [];
  meta = { total: 0, page: 1, last_page: 1 };
  listState: LoadState = 'loading';
  query: ListQuery = {};
  #runs = 0;

  constructor({ list, selects }: ListCalls<Row>) {
    this.#list = list;
    this.#part = selects?.per_page;
    this.most = selects?.most ?? MOST_MATCHING;
    makeObservable(this, {
      rows: observableShallow,
      meta: observableRef,
      listState: observable,
      query: observableRef,
    });
  }

  /**
   * All that the list was asked for, on whatever page; at most `most`.
   * @throws ApiError with the server's sentences
   */
  async matching(): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1, last = 1; page <= last && rows.length < this.most; page++) {
      const { data, meta } = await this.#list({ ...this.query, page, per_page: this.#part });
      rows.push(...data);
      last = meta.last_page;
    }
    return rows.slice(0, this.most);
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
