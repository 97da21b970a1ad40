import { CHECK_IN_PATH } from '../contract/check-in-link.ts';
import type { GuestsAnswer } from './api.ts';

/** Cache of the page's files, which the service worker answers from without a connection. */
const PAGE_CACHE = 'check-in';
/** Cache of guest lists by link. */
const LIST_CACHE = 'check-in-guests';
/** Milliseconds after which a guest list is forgotten. */
const LIST_AGE = 2 * 86_400_000;
/** Header with the time in milliseconds at which a list was stored. */
const STORED_AT = 'x-stored-at';

/** Whether the browser can store pages: only with HTTPS, or on the same machine. */
const canStore = () => 'caches' in globalThis && 'serviceWorker' in navigator;

// biome-ignore lint/nursery/noJsRestrictedProperties: the wall clock keeps running while the page is closed.
const wallTime = () => Date.now();

/**
 * Stores the page and the files that it has loaded, so that it opens without a connection.
 * @param loaded whether these are all files that the page needs; then, files of older versions are removed
 */
export async function storePage(loaded: 'some' | 'all'): Promise<void> {
  if (!canStore()) return;
  await navigator.serviceWorker.register('/check-in-worker.js', { scope: CHECK_IN_PATH });
  const resources = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const files = resources.filter(
    ({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'),
  );
  const wanted = new Set([CHECK_IN_PATH, ...files.map(({ pathname }) => pathname)]);
  const cache = await caches.open(PAGE_CACHE);
  const stored = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  await cache.addAll([...wanted].filter((path) => path === CHECK_IN_PATH || !stored.includes(path)));
  if (loaded === 'all') await Promise.all(stored.filter((path) => !wanted.has(path)).map((path) => cache.delete(path)));
}

const placeOf = (link: string) => `${CHECK_IN_PATH}/guests/${link}`;

/** The guests of a link as they were last loaded; null if that is too long ago. @param link hash of the link's token */
export async function storedGuests(link: string): Promise<GuestsAnswer | null> {
  if (!canStore()) return null;
  const stored = await (await caches.open(LIST_CACHE)).match(placeOf(link));
  if (!stored) return null;
  if (wallTime() - Number(stored.headers.get(STORED_AT)) < LIST_AGE) return (await stored.json()) as GuestsAnswer;
  await storeGuests(link, null);
  return null;
}

/** Stores the guests of a link, without tokens and e-mail addresses; null forgets them, and all old lists. */
export async function storeGuests(link: string, answer: GuestsAnswer | null): Promise<void> {
  if (!canStore()) return;
  const cache = await caches.open(LIST_CACHE);
  const now = wallTime();
  for (const request of await cache.keys()) {
    const at = Number((await cache.match(request))?.headers.get(STORED_AT));
    if (now - at > LIST_AGE) await cache.delete(request);
  }
  if (!answer) await cache.delete(placeOf(link));
  else await cache.put(placeOf(link), new Response(JSON.stringify(answer), { headers: { [STORED_AT]: String(now) } }));
}
