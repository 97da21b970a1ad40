import type { Browser } from 'playwright';
import { BLUNT } from '../../harness/browser.ts';
import type { WebApp } from '../../harness/web-app.ts';
import { type Guest, newGuest, standIn, type Written } from './play.ts';

/** A player that follows commands, and logs the position. */
const player = standIn(
  '#ff0000',
  `addEventListener('message', ({ data }) => {
     const { event, func, args } = JSON.parse(data);
     if (event === 'listening') parent.postMessage(JSON.stringify({ event: 'onReady' }), '*');
     if (func === 'seekTo' || func === 'playVideo') console.info('player: ' + func + ' ' + (args ?? []).join(' '));
   });`,
);
const ANSWERS = {
  'https://www.youtube-nocookie.com/': { body: player, type: 'text/html' },
  'https://player.vimeo.com/': { body: standIn('#00ff00'), type: 'text/html' },
  'https://page.example/': { body: standIn('#0000ff'), type: 'text/html' },
  'https://image.example/': { body: '', type: 'image/png' },
  'https://www.googletagmanager.com/': {
    body: `if (window.read) window.isComplete = true;
      else {
        const next = document.createElement('script');
        next.src = 'https://www.googletagmanager.com/gtag/js?id=G-1';
        document.head.append(next);
      }
      window.read = window.dataLayer.map(({ event }) => event);`,
    type: 'text/javascript',
  },
};

/** Videos of two platforms. */
export const FILMS: Written[] = [
  { element: 'video', name: 'Tube', position_x: -150, width: 280, config: { type: 'youtube', id: 'abc', timed: true } },
  { element: 'video', name: 'Meo', position_x: 150, width: 280, config: { type: 'vimeo', id: '42', autoplay: true } },
];

interface Watched extends Guest {
  /** Hosts that Chromium sent requests to, besides the platform's and the embedding site's. */
  hosts(): string[];
}

/** A visitor whose requests are read from Chromium's own network events. @param site origin of the embedding site */
export async function watchedGuest(app: WebApp, browser: Browser, site = app.origin): Promise<Watched> {
  const guest = await newGuest(app, browser, ANSWERS, { deviceScaleFactor: BLUNT });
  await guest.context.route(`${site}/**`, (route) => route.continue());
  guest.page.setDefaultTimeout(40_000);
  const urls: string[] = [];
  const session = await guest.context.newCDPSession(guest.page);
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ request }) => urls.push(request.url));
  // Requests of frames in other processes.
  guest.page.on('request', (request) => urls.push(request.url()));
  const isOwn = (url: string) => /^(?:blob|data):/.test(url) || url.startsWith(app.origin) || url.startsWith(site);
  return { ...guest, hosts: () => [...new Set(urls.filter((url) => !isOwn(url)).map((url) => new URL(url).hostname))] };
}
