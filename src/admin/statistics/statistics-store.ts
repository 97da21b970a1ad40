import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Endpoint, Statistics, StatisticsGroup, StatisticsRow } from '../../contract/entities.ts';
import { beginOf, ownZone, RANGES, type RangeName } from './ranges.ts';

/** The selection. */
export interface Looked {
  range: RangeName;
  /** Structure id; null for all. */
  endpointId: number | null;
}

/** Structures with full names, in tree order. */
function named(endpoints: readonly Endpoint[], above = ''): { value: string; label: string }[] {
  return endpoints.flatMap(({ id, name, children }) => [
    { value: String(id), label: above + name },
    ...named(children, `${above}${name} / `),
  ]);
}

/** Statistics of a range. */
export class StatisticsStore {
  readonly #client: Client;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  figures: Statistics | null = null;
  groups = new Map<StatisticsGroup, StatisticsRow[]>();
  structures: { value: string; label: string }[] = [];
  /** Sequence number of the latest request, to drop stale responses. */
  #asked = 0;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  #queryOf({ range, endpointId }: Looked) {
    return { from: beginOf(range), ...(endpointId !== null && { endpoint_id: endpointId }) };
  }

  async load(looked: Looked, groups: readonly StatisticsGroup[]): Promise<void> {
    const number = ++this.#asked;
    const { statistics, endpoints } = this.#client;
    const query = this.#queryOf(looked);
    this.state = 'loading';
    try {
      const { interval } = RANGES[looked.range];
      const [figures, structures, ...lists] = await Promise.all([
        statistics.read({ query: { ...query, interval, zone: ownZone() } }),
        endpoints.list(),
        ...groups.map((by) => statistics.list({ query: { ...query, by } })),
      ]);
      runInAction(() => {
        if (number !== this.#asked) return;
        this.figures = figures;
        this.structures = named(structures);
        this.groups = new Map(groups.map((by, index) => [by, lists[index]!]));
        this.state = 'ready';
      });
    } catch {
      runInAction(() => {
        if (number === this.#asked) this.state = 'failed';
      });
    }
  }

  /** Exports a group as CSV. */
  export(looked: Looked, by: StatisticsGroup): Promise<string> {
    return this.#client.statistics.export({ query: { ...this.#queryOf(looked), by } });
  }

  /** Exports visitor positions of a structure as CSV. */
  exportPlaces(endpointId: number): Promise<string> {
    return this.#client.statistics.exportPoses({ query: { endpoint_id: endpointId } });
  }
}
