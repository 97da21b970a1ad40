import { publicPath } from '../address/page-place.ts';
import { type Arrival, loadEndpoint } from './visit-data.ts';

/** Clock drift in milliseconds that triggers a resync. */
const MAX_DRIFT = 500;

/**
 * Resyncs with the server's clock when the page becomes visible after sleep: on some systems the monotonic clock stops during
 * sleep, unlike the wall clock.
 * @param resync applies the new reading
 * @returns stop function
 */
export function keepTime(resync: (arrival: Arrival) => void): () => void {
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
