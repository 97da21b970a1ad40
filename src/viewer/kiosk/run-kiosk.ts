import { allowOwnScripts } from '../../../engine/stage/resources/own-scripts.ts';
import { isStatic, type Kiosk, languageQuery, publicPath } from '../address/page-place.ts';
import { logProblem } from '../reports/console.ts';
import './kiosk.css';

/** What a visitor does with the page. */
const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

/** Pages of rooms: their files, and the folders that these are in. */
const PAGE = /^\/(?:[\w-]+\/?){0,2}(?:index(?:\.[\w-]+)?\.html)?$/;

/** Pages that are no rooms. */
const OTHER_PAGE = /^\/(?:accessibility|admin|api|check-in|embed)(?:\/|$)/;

/** Whether a URL stays in the kiosk: text versions have no scripts, and would never start again. */
function isInside(address: string): boolean {
  const url = URL.parse(address, location.href);
  if (url?.origin !== location.origin || url.searchParams.has('text')) return false;
  return PAGE.test(url.pathname) && !OTHER_PAGE.test(url.pathname);
}

/** The browser's Navigation API, which is not in TypeScript's library. */
interface Navigations {
  addEventListener(name: 'navigate', listener: (event: Event & { destination: { url: string } }) => void): void;
}

/** Keeps the visitor in the site: no other pages, windows, files and menus. */
function closeWaysOut(): void {
  const refuse = (event: Event) => event.preventDefault();
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link?.href) return;
      if (isInside(link.href)) link.removeAttribute('target');
      else {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );
  for (const name of ['contextmenu', 'dragstart', 'auxclick']) document.addEventListener(name, refuse);
  window.open = () => null;
  const { navigation } = window as { navigation?: Navigations };
  navigation?.addEventListener('navigate', (event) => {
    if (!isInside(event.destination.url)) event.preventDefault();
  });
}

/** Whether a film or recording plays that ends by itself: someone may be watching. */
const isPlaying = (): boolean =>
  [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(
    ({ paused, loop, ended, duration }) => !paused && !loop && !ended && Number.isFinite(duration),
  );

/** Opens the start again after some time without input, unless it is as it was opened. */
function restartWhenIdle({ seconds, start }: Kiosk): void {
  let hasInput = publicPath() !== start || location.hash !== '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (hasInput && !isPlaying()) location.replace(start);
      else wait();
    }, seconds * 1000);
  };
  const note = () => {
    hasInput = true;
    wait();
  };
  for (const name of INPUTS) addEventListener(name, note, { capture: true, passive: true });
  wait();
}

/** Stores the site, or the files of the structure's page, for times without a connection. */
async function storeForLater(start: string): Promise<void> {
  const { serviceWorker } = navigator;
  // Only pages with HTTPS, or on the same machine, can be stored.
  if (!serviceWorker) return;
  if (isStatic) {
    await serviceWorker.register('/kiosk-worker.js');
    return;
  }
  const sendLoaded = () => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const own = loaded.filter(({ name, initiatorType }) => name.startsWith(origin) && initiatorType !== 'beacon');
    const structure = `${origin}/api/v1/endpoints${publicPath()}${languageQuery()}`;
    serviceWorker.controller?.postMessage([location.href, structure, ...own.map(({ name }) => name)]);
  };
  if (!serviceWorker.controller) serviceWorker.addEventListener('controllerchange', sendLoaded, { once: true });
  await serviceWorker.register('/kiosk-worker.js?structure', { scope: start });
}

/** Runs the page as a kiosk. @param isStored whether it works without a connection later */
export function runKiosk(kiosk: Kiosk, isStored: boolean): void {
  closeWaysOut();
  restartWhenIdle(kiosk);
  allowOwnScripts();
  if (isStored) storeForLater(kiosk.start).catch((error) => logProblem(String(error)));
}
