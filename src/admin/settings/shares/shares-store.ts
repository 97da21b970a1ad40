import { runInAction } from 'mobx';
import type { Client } from '../../../contract/client.ts';
import { SHARE_STATES, type Share, type ShareState } from '../../../contract/entities.ts';
import { showNotification, showProblem } from '../../../ui/notifications.ts';
import { Selection } from '../../frame/BulkBar.tsx';
import { WAITING_EVENT } from '../../shell/waiting-store.ts';
import { chosenOrder, type ListQuery, ListStore } from '../../stores/list-store.ts';

/** Bulk actions. */
export type Fate = 'shown' | 'hidden' | 'removed' | 'restored';

const SENTENCES: Record<Fate, string> = {
  shown: 'shown to visitors',
  hidden: 'hidden from visitors',
  removed: 'in the bin for 30 days',
  restored: 'restored',
};

/** List filters parsed from the URL, which may hold anything. */
const filtersOf = (filters: Readonly<Record<string, string>> = {}) => ({
  feed_id: Number(filters.feed) || undefined,
  state: SHARE_STATES.find((name) => name === filters.state),
  sort: chosenOrder(['oldest', 'name'], filters),
});

const countText = (count: number): string => (count === 1 ? '1 message is' : `${count} messages are`);

/** Visitors' messages. */
export class SharesStore extends ListStore<Share> {
  readonly #client: Client;
  readonly selection = new Selection();
  /** Selected messages of other pages. */
  #matching: readonly Share[] = [];

  constructor(client: Client) {
    super({
      list: ({ search, page, per_page, filters }) =>
        client.feeds.listItems({ query: { search, page, per_page, ...filtersOf(filters) } }),
      // Maximum ids per call.
      selects: { max: 1000, per_page: 100 },
    });
    this.#client = client;
  }

  override async load(query?: ListQuery): Promise<void> {
    await super.load(query);
    runInAction(() => this.selection.keep(this.rows));
    dispatchEvent(new Event(WAITING_EVENT));
  }

  /** The selected messages, across pages. */
  get selected(): Share[] {
    const all = new Map([...this.#matching, ...this.rows].map((share) => [share.id, share]));
    return [...all.values()].filter(({ id }) => this.selection.ids.has(id));
  }

  /** Remembers selected messages of other pages. */
  remember(shares: readonly Share[]): void {
    this.#matching = shares;
  }

  async #put(ids: number[], fate: Fate | 'waiting'): Promise<void> {
    if (fate === 'removed') await this.#client.feeds.removeItems({ body: { ids } });
    else if (fate === 'restored') await this.#client.feeds.restoreItems({ body: { ids } });
    else await this.#client.feeds.updateItems({ body: { ids, state: fate } });
  }

  /** Restores the previous states of messages. */
  async #undo(before: readonly Share[], fate: Fate): Promise<void> {
    const states = Map.groupBy(before, ({ state }) => state);
    for (const [state, shares] of states) {
      const ids = shares.map(({ id }) => id);
      await this.#put(ids, fate === 'removed' ? 'restored' : state);
    }
    await this.load();
  }

  /** Runs an action on messages and offers undo. */
  async act(shares: readonly Share[], fate: Fate): Promise<void> {
    const before = shares.filter(({ state }) => state !== (fate as ShareState));
    if (before.length === 0) return;
    try {
      await this.#put(
        before.map(({ id }) => id),
        fate,
      );
    } catch (error) {
      showProblem(error);
    }
    await this.load();
    showNotification(`${countText(before.length)} ${SENTENCES[fate]}.`, {
      label: 'Undo',
      act: () => void this.#undo(before, fate).catch(showProblem),
    });
  }

  /** @throws ApiError if they can't be erased */
  async erase(shares: readonly Share[]): Promise<void> {
    await this.#client.privacy.eraseShares({ body: { ids: shares.map(({ id }) => id) } });
    await this.load();
  }
}
