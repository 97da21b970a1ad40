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
  registration: { scope: string };
  addEventListener(name: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(name: 'message', listener: (event: Lasting & { data: unknown }) => void): void;
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

/** Cache with the files of a structure that runs as a kiosk. */
const SEEN = `seen ${self.registration.scope}`;
/** Maximum number of stored files; the oldest go first. */
const MAX_SEEN = 3000;
/** Vary names cookies and languages, which stay the same in a kiosk. */
const AS_STORED = { ignoreVary: true };

/** Requests for public structures, which are stored as their pages are. */
const STRUCTURES = /^\/api\/v1\/endpoints(?:\/|$)/;
const isOpenStructure = ({ url, headers }: Request): boolean =>
  STRUCTURES.test(new URL(url).pathname) && !headers.has('authorization');

/** Stores a response, unless the server forbids it, as it does for protected rooms. */
async function keep(request: Request, response: Response): Promise<void> {
  const isForbidden = response.headers.get('cache-control')?.includes('no-store') && !isOpenStructure(request);
  if (response.status !== 200 || isForbidden) return;
  const cache = await caches.open(SEEN);
  await cache.put(request, response);
  const stored = await cache.keys();
  for (const old of stored.slice(0, Math.max(0, stored.length - MAX_SEEN))) await cache.delete(old);
}

/** Loads a whole file, unless it is stored. */
async function keepWhole(url: string): Promise<void> {
  const cache = await caches.open(SEEN);
  if (!(await cache.match(url, AS_STORED))) await keep(new Request(url), await fetch(url));
}

/** A stored structure at the current time: its sequence and countdown continue. */
async function timely(response: Response): Promise<Response> {
  const body = await response.json();
  // biome-ignore lint/nursery/noJsRestrictedProperties: without a server, only the wall clock has the time of day.
  if (body.data?.current_time !== undefined) body.data.current_time = Date.now() / 1000;
  return Response.json(body);
}

/** The response of the server, and without a connection the last one. */
async function newestAnswer(event: Lasting & { request: Request }): Promise<Response> {
  const { request } = event;
  const range = request.headers.get('range');
  try {
    const response = await fetch(request);
    const kept = range ? keepWhole(request.url) : keep(request, response.clone());
    // A full disk leaves the page as it is.
    event.waitUntil(kept.catch(() => undefined));
    return response;
  } catch (error) {
    const cache = await caches.open(SEEN);
    const isPage = request.mode === 'navigate';
    const stored = await cache.match(request.url, { ...AS_STORED, ignoreSearch: isPage });
    if (!stored) throw error;
    if (isOpenStructure(request)) return timely(stored);
    return range ? partOf(stored, range) : stored;
  }
}

/** Whether a page is the kiosk's, and not one whose path merely begins like it. */
function isOwn(address: string): boolean {
  const scope = new URL(self.registration.scope).pathname.replace(/\/$/, '');
  const { pathname } = new URL(address);
  return pathname === scope || pathname.startsWith(`${scope}/`);
}

/** Serves a static site, whose files are all stored. */
function serveSite(): void {
  self.addEventListener('install', (event) => event.waitUntil(update().then(() => self.skipWaiting())));
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
    event.respondWith(answer(request));
    // Without a connection, the stored build stays.
    if (request.mode === 'navigate') event.waitUntil(update().catch(() => undefined));
  });
}

/** Serves a structure, of which everything that was loaded is stored. */
function serveStructure(): void {
  self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const isHere = request.method === 'GET' && new URL(request.url).origin === location.origin;
    if (isHere && (request.mode !== 'navigate' || isOwn(request.url))) event.respondWith(newestAnswer(event));
  });
  // Files from before this script ran.
  self.addEventListener('message', (event) => {
    const urls = Array.isArray(event.data) ? event.data.filter((url) => typeof url === 'string') : [];
    event.waitUntil(Promise.allSettled(urls.map(keepWhole)));
  });
}

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
if (new URL(location.href).searchParams.has('structure')) serveStructure();
else serveSite();
