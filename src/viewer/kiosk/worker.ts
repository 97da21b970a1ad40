// A service worker is one file, so it imports nothing.
export {};

/** Prefix of the caches, one per build of the site. */
const CACHE = 'kiosk ';
/** The list of the site's files, which is stored last: with it, a cache is complete. */
const LIST = '/kiosk-files.json';

/** An event whose work the browser waits for. */
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

/** What this script uses of a service worker's global object. */
interface Worker {
  addEventListener(name: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(
    name: 'fetch',
    listener: (event: Lasting & { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
/** The global object; TypeScript's DOM library describes that of pages. */
declare const self: Worker;

/** A file of the site. */
interface Listed {
  path: string;
  /** SHA-256 of its content. */
  hash: string;
}

/** URL path of a file, spelled in one way. */
const addressOf = (path: string): string => `/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The complete cache, and its list; undefined if there is none. */
async function current(): Promise<{ name: string; cache: Cache; files: Listed[] } | undefined> {
  for (const name of await caches.keys()) {
    if (!name.startsWith(CACHE)) continue;
    const cache = await caches.open(name);
    const list = await cache.match(LIST);
    if (list) return { name, cache, files: (await list.json()) as Listed[] };
  }
  return undefined;
}

/** A response without a redirect, which pages could not be answered with. */
async function plainResponse(path: string): Promise<Response> {
  const response = await fetch(addressOf(path), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${path} could not be loaded (${response.status}).`);
  return new Response(await response.blob(), { headers: response.headers });
}

/** Stores a new build of the site, and then drops the earlier one. Files that have not changed are not loaded again. */
async function store(): Promise<void> {
  const text = await (await fetch(LIST, { cache: 'no-store' })).text();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const name = CACHE + [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const known = await current();
  if (known?.name === name) return;
  const hashes = new Map(known?.files.map(({ path, hash }) => [path, hash]));
  const cache = await caches.open(name);
  for (const { path, hash } of JSON.parse(text) as Listed[]) {
    const kept = hashes.get(path) === hash ? await known?.cache.match(addressOf(path)) : undefined;
    await cache.put(addressOf(path), kept ?? (await plainResponse(path)));
  }
  await cache.put(LIST, new Response(text));
  for (const each of await caches.keys()) if (each.startsWith(CACHE) && each !== name) await caches.delete(each);
}

let storing: Promise<void> | undefined;

/** Looks for a new build, once at a time. */
const update = (): Promise<void> => {
  storing ??= store().finally(() => {
    storing = undefined;
  });
  return storing;
};

/** The part of a stored file that a player asks for. */
async function partOf(response: Response, range: string): Promise<Response> {
  const blob = await response.blob();
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === '' && to === '') return new Response(blob, { headers: response.headers });
  const start = from === '' ? Math.max(0, blob.size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? blob.size - 1 : Math.min(Number(to), blob.size - 1);
  const headers = new Headers(response.headers);
  headers.set('content-range', `bytes ${start}-${end}/${blob.size}`);
  headers.set('content-length', String(end - start + 1));
  return new Response(blob.slice(start, end + 1), { status: 206, headers });
}

/** The stored file of a request; from the network if there is none. */
async function answer(request: Request): Promise<Response> {
  const stored = await current();
  const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}/index.html`];
  for (const name of names) {
    const found = await stored?.cache.match(addressOf(name));
    const range = request.headers.get('range');
    if (found) return range ? partOf(found, range) : found;
  }
  return fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(update().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(request));
  // Without a connection, the stored build stays.
  if (request.mode === 'navigate') event.waitUntil(update().catch(() => undefined));
});
