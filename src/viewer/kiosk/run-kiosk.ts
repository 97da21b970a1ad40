import { allowOwnScripts } from '../../../engine/stage/resources/own-scripts.ts';
import { logProblem } from '../reports/console.ts';
import './kiosk.css';

/** What a visitor does with the page. */
const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

/** Pages of rooms: their files, and the folders that these are in. */
const PAGE = /^\/(?:[\w-]+\/?){0,2}(?:index(?:\.[\w-]+)?\.html)?$/;

/** Whether a URL stays in the kiosk. */
function isInside(address: string): boolean {
  const url = URL.parse(address, location.href);
  return url !== null && url.origin === location.origin && PAGE.test(url.pathname);
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

/** Opens the start again after some time without input, unless it is as it was opened. */
function restartWhenIdle(seconds: number): void {
  let hasInput = location.pathname !== '/' || location.hash !== '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (hasInput) location.replace('/');
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

/** Runs the page as a kiosk. @param seconds time without input after which it starts again */
export function runKiosk(seconds: number): void {
  closeWaysOut();
  restartWhenIdle(seconds);
  allowOwnScripts();
  // Only pages with HTTPS, or on the same machine, can be stored.
  navigator.serviceWorker?.register('/kiosk-worker.js').catch((error) => logProblem(String(error)));
}
