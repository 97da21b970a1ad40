import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Page } from '../../contract/client.ts';
import { ApiError } from '../../contract/errors.ts';

/** Count with noun: "1 space", "2 spaces", "1 entry". @param things plural noun @param isMore whether to append "+" */
export const countText = (count: number, things: string, isMore = false): string =>
  `${isMore ? `${count.toLocaleString('en')}+` : count} ${count === 1 && !isMore ? things.replace(/ies$/, 'y').replace(/s$/, '') : things}`;

/**
 * Sort order from the URL, which may hold anything; undefined for the default.
 * @param orders valid sort keys
 */
export const chosenOrder = <Order extends string>(
  orders: readonly Order[],
  filters: ListQuery['filters'],
): Order | undefined => orders.find((name) => name === filters?.sort);

/** Maximum selection if entries are changed one by one. */
const MAX_MATCHING = 2000;

/** Load state of a list or an entry. */
export type LoadState = 'loading' | 'ready' | 'failed' | 'forbidden' | 'missing' | 'not-set-up';

/** Whether loading failed with an error that may be temporary. */
export const hasFailed = (state: LoadState): boolean => ['failed', 'missing', 'not-set-up'].includes(state);

/** Query of a list. */
export interface ListQuery {
  search?: string;
  page?: number;
  /** Page size; the default if missing. */
  per_page?: number | undefined;
  /** Further filters by URL name. */
  filters?: Readonly<Record<string, string>>;
}

/** Load state for a failed call. */
export function stateOf(error: unknown): LoadState {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.code === 'forbidden') return 'forbidden';
  if (error.code === 'not_set_up') return 'not-set-up';
  return error.code === 'not_found' ? 'missing' : 'failed';
}

/** API calls of a list. */
export interface ListCalls<Row> {
  /** @param signal aborts a superseded request */
  list(query: ListQuery, signal?: AbortSignal): Promise<Page<Row[]>>;
  /** Maximum selection and page size of one call, if not the defaults. */
  selects?: { most: number; per_page: number };
}

/** A paginated list. */
export class ListStore<Row extends { id: number }> {
  readonly #list: ListCalls<Row>['list'];
  readonly #part: number | undefined;
  /** Maximum selection. */
  readonly most: number;
  rows: Row[] = [];
  meta: Page<Row[]>['meta'] = { total: 0, page: 1, last_page: 1 };
  listState: LoadState = 'loading';
  query: ListQuery = {};
  #runs = 0;
  #asking = new AbortController();

  constructor({ list, selects }: ListCalls<Row>) {
    this.#list = list;
    this.#part = selects?.per_page;
    this.most = selects?.most ?? MAX_MATCHING;
    makeObservable(this, {
      rows: observableShallow,
      meta: observableRef,
      listState: observable,
      query: observableRef,
    });
  }

  /**
   * Ids of all matches across pages, up to `most`.
   * @throws ApiError with the server's messages
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

  /** Loads a page. Only the latest request's response counts. */
  async load(query: ListQuery = this.query): Promise<void> {
    const run = ++this.#runs;
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    runInAction(() => {
      this.query = query;
      if (this.listState !== 'ready') this.listState = 'loading';
    });
    try {
      const { data, meta } = await this.#list(query, signal);
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
