import { makeObservable, observable, observableRef, observableShallow, runInAction } from 'mobx';
import type { Client, Page } from '../../contract/client.ts';
import type { BulkActionName, ChangedEntity } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { singularOf } from '../../ui/language/language.ts';
import { isOne, numberText } from '../../ui/language/say.ts';
import { type BulkRun, offerRestore, offerUndo, runBulk } from './bulk.ts';

/** Count with noun: "1 space", "2 spaces", "1 entry". @param nouns plural noun @param isMore whether to append "+" */
export const countText = (count: number, nouns: string, isMore = false): string =>
  `${numberText(count)}${isMore ? '+' : ''} ${isOne(count) && !isMore ? singularOf(nouns) : nouns}`;

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

/** A response without pages, as a single page. */
export const onePage = <Row>(data: Row[], total = data.length): Page<Row[]> => ({
  data,
  meta: { total, page: 1, last_page: 1 },
});

/** API calls of a list. */
export interface ListCalls<Row> {
  /** @param signal aborts a superseded request */
  list(query: ListQuery, signal?: AbortSignal): Promise<Page<Row[]>>;
  /** Maximum selection and page size of one call, if not the defaults. */
  selects?: { max: number; per_page: number };
  /** Missing if entries can't be removed. */
  remove?(id: number): Promise<unknown>;
  /** Entity name in the bin; missing if removals are final. */
  bin?: { client: Client; entity: ChangedEntity };
  /** Bulk removal; missing if unsupported. */
  bulk?: { client: Client; action: BulkActionName; nouns: string };
}

/** A paginated list. */
export class ListStore<Row extends { id: number }> {
  readonly #calls: ListCalls<Row>;
  rows: Row[] = [];
  meta: Page<Row[]>['meta'] = { total: 0, page: 1, last_page: 1 };
  listState: LoadState = 'loading';
  query: ListQuery = {};
  #runs = 0;
  #asking = new AbortController();

  constructor(calls: ListCalls<Row>) {
    this.#calls = calls;
    makeObservable(this, {
      rows: observableShallow,
      meta: observableRef,
      listState: observable,
      query: observableRef,
    });
  }

  /** Maximum selection. */
  get maxSelected(): number {
    return this.#calls.selects?.max ?? MAX_MATCHING;
  }

  /**
   * All matches across pages, up to `maxSelected`.
   */
  async matching(): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1, last = 1; page <= last && rows.length < this.maxSelected; page++) {
      const { data, meta } = await this.#calls.list({ ...this.query, page, per_page: this.#calls.selects?.per_page });
      rows.push(...data);
      last = meta.last_page;
    }
    return rows.slice(0, this.maxSelected);
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
      const { data, meta } = await this.#calls.list(query, signal);
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

  /**
   * Removes an entry and reloads the list.
   */
  async remove(id: number): Promise<void> {
    const { remove, bin } = this.#calls;
    await remove?.(id);
    await this.load();
    if (bin) void offerUndo(bin.client, bin.entity, id, () => this.load());
  }

  /**
   * Removes entries in one job and reloads the list; the bin restores them together.
   * @returns messages about entries that were not removed
   */
  async removeMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const { bulk } = this.#calls;
    if (!bulk) throw new Error('These entries are removed one at a time.');
    const { changed, restorable, problems } = await runBulk(bulk.client, ids, { action: bulk.action, onProgress });
    await this.load();
    const done = `${countText(changed.length, bulk.nouns)} removed.`;
    if (changed.length > 0) offerRestore(bulk.client, restorable, { done, reload: () => this.load() });
    return problems;
  }
}
