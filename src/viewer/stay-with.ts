import { isStatic, publicPath } from './address/page-place.ts';
import { type Edited, followEdits } from './edits/follow-edits.ts';
import { countVisit } from './statistics/count-visit.ts';
import type { RoomClock } from './visit/room-clock.ts';
import { type Arrival, loadEndpoint } from './visit/visit-data.ts';
import type { VisitEvents } from './visit/visit-events.ts';
import type { VisitStore } from './visit/visit-store.ts';

export { DoorPrefetch } from './visit/door-prefetch.ts';

/** Clock drift in milliseconds that triggers a resync. */
const MAX_DRIFT = 500;

/**
 * Resyncs with the server's clock when the page becomes visible after sleep: on some systems the monotonic clock stops during
 * sleep, unlike the wall clock.
 * @param resync applies the new reading
 * @returns stop function
 */
function keepTime(resync: (arrival: Arrival) => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  // biome-ignore lint/nursery/noJsRestrictedProperties: the wall clock keeps running during sleep.
  const apart = () => Date.now() - performance.now();
  let before = apart();
  const look = async () => {
    const drift = Math.abs(apart() - before);
    if (document.visibilityState !== 'visible' || drift < MAX_DRIFT) return;
    try {
      const arrival = await loadEndpoint(publicPath());
      before = apart();
      if (!signal.aborted) resync(arrival);
    } catch {
      // The network may be down right after waking up: retried on the next check.
    }
  };
  const looks = () => void look();
  document.addEventListener('visibilitychange', looks, { signal });
  addEventListener('focus', looks, { signal });
  addEventListener('online', looks, { signal });
  return () => abort.abort();
}

/** Follows the visitor's choice about the organization's tag manager, if there is one. @returns stop function */
function followTags(store: VisitStore): () => void {
  const { tag_manager_id: id } = store.get().settings;
  if (!id) return () => undefined;
  const tags = import('./reports/tag-manager.ts').then(({ followTagManager }) => followTagManager(store, id));
  // Without it, the visit goes on.
  const stopping = tags.catch(() => () => undefined);
  return () => void stopping.then((stop) => stop());
}

/**
 * Follows edits, counts the visit and syncs room time, from full load to the end of the visit.
 * @returns stop function
 */
export function stayWith({ events, clock, ...edited }: Edited & { events: VisitEvents; clock: RoomClock }): () => void {
  const { store } = edited;
  // A static site has no edits, statistics and clock of a server.
  if (isStatic) return followTags(store);
  const resync = (arrival: Arrival) => {
    clock.resync(arrival);
    const { endpoint } = store.get();
    const { current_time } = arrival.endpoint;
    if (endpoint) store.set({ endpoint: { ...endpoint, current_time }, arrivedAt: arrival.at });
  };
  const stops = [followEdits(edited), countVisit({ ...edited, events }), keepTime(resync), followTags(store)];
  return () => {
    for (const stop of stops) stop();
  };
}
