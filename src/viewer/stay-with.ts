import { publicPath } from './address/page-place.ts';
import { type Edited, followEdits } from './edits/follow-edits.ts';
import { countVisit } from './statistics/count-visit.ts';
import type { RoomClock } from './visit/room-clock.ts';
import { type Arrival, loadEndpoint } from './visit/visit-data.ts';
import type { VisitEvents } from './visit/visit-events.ts';

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

/**
 * Follows edits, counts the visit and syncs room time, from full load to the end of the visit.
 * @returns stop function
 */
export function stayWith({ events, clock, ...edited }: Edited & { events: VisitEvents; clock: RoomClock }): () => void {
  const resync = (arrival: Arrival) => {
    clock.resync(arrival);
    const { store } = edited;
    const { endpoint } = store.get();
    const { current_time } = arrival.endpoint;
    if (endpoint) store.set({ endpoint: { ...endpoint, current_time }, arrivedAt: arrival.at });
  };
  const stops = [followEdits(edited), countVisit({ ...edited, events }), keepTime(resync)];
  return () => {
    for (const stop of stops) stop();
  };
}
