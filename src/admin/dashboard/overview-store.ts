import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { RoomRow, SiteProblem, Statistics } from '../../contract/entities.ts';
import { beginOf, ownZone } from '../statistics/ranges.ts';

/** Maximum recently changed spaces shown. */
const MAX_CHANGED = 5;

/** Data of each part: null until loaded, or if loading failed. */
export class OverviewStore {
  readonly #client: Client;
  week: Statistics | null = null;
  problems: SiteProblem[] | null = null;
  changed: RoomRow[] | null = null;

  constructor(client: Client) {
    this.#client = client;
    makeAutoObservable(this);
  }

  /** Loads the parts the user may see. Failed parts are omitted; their own screens show the error. */
  async load({ seesStructures, seesRooms }: { seesStructures: boolean; seesRooms: boolean }): Promise<void> {
    const { statistics, rooms } = this.#client;
    const query = { from: beginOf('week'), zone: ownZone() };
    const [week, problems, changed] = await Promise.allSettled([
      seesStructures ? statistics.read({ query }) : null,
      seesStructures ? statistics.problems() : null,
      seesRooms ? rooms.list({ query: { sort: '-edited', per_page: MAX_CHANGED } }) : null,
    ]);
    const valueIn = <T>(settled: PromiseSettledResult<T>): T | null =>
      settled.status === 'fulfilled' ? settled.value : null;
    runInAction(() => {
      this.week = valueIn(week);
      this.problems = valueIn(problems);
      this.changed = valueIn(changed)?.data ?? null;
    });
  }
}
