import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Endpoint, Statistics, StatisticsGroup, StatisticsRow } from '../../contract/entities.ts';
import { beginOf, ownZone, RANGES, type RangeName } from './ranges.ts';

/** What is looked at. */
export interface Looked {
  range: RangeName;
  /** Structure; null for all. */
  endpointId: number | null;
}

/** Structures with the names of those above, in the order of the tree. */
function named(endpoints: readonly Endpoint[], above = ''): { value: string; label: string }[] {
  return endpoints.flatMap(({ id, name, children }) => [
    { value: String(id), label: above + name },
    ...named(children, `${above}${name} / `),
  ]);
}

/** How spaces are visited, in a range. */
export class StatisticsStore {
  readonly #client: Client;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  figures: Statistics | null = null;
  groups = new Map<StatisticsGroup, StatisticsRow[]>();
  structures: { value: string; label: string }[] = [];
  /** Number of the last question: answers to earlier ones come too late. */
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

  /** A group as CSV. */
  export(looked: Looked, by: StatisticsGroup): Promise<string> {
    return this.#client.statistics.export({ query: { ...this.#queryOf(looked), by } });
  }

  /** Where visitors of a structure were, as CSV. */
  exportPlaces(endpointId: number): Promise<string> {
    return this.#client.statistics.exportPoses({ query: { endpoint_id: endpointId } });
  }
}
