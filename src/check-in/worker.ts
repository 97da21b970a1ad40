// A service worker is one file, so it imports nothing.
export {};

/** Cache that the page stores its files in. */
const PAGE_CACHE = 'check-in';

/** What this script uses of a service worker's global object. */
interface Worker {
  addEventListener(
    name: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(
    name: 'fetch',
    listener: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { scope: string };
}
/** The global object; TypeScript's DOM library describes that of pages. */
declare const self: Worker;

/** Milliseconds after which the stored page is shown instead of waiting for a slow connection. */
const PATIENCE = 4000;

const stored = async (path: string): Promise<Response | undefined> => (await caches.open(PAGE_CACHE)).match(path);

/** The current page; the stored one without a connection, or while the server can't answer. */
async function pageAt(path: string): Promise<Response> {
  const response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (response && response.status < 500) return response;
  return (await stored(path)) ?? response ?? Response.error();
}

/** A file whose URL changes with its content. */
const fileAt = async (request: Request, path: string): Promise<Response> => (await stored(path)) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const isPage = request.mode === 'navigate' && pathname === new URL(self.registration.scope).pathname;
  // Requests of the API are the page's own matter.
  if (isPage) event.respondWith(pageAt(pathname));
  else if (pathname.startsWith('/assets/')) event.respondWith(fileAt(request, pathname));
});
