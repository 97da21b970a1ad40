import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { inject } from 'vitest';
import type { z } from 'zod';
import type { NestedElement } from '../../../engine/document/element.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import type { calls } from '../../../src/contract/calls.ts';
import { enterRoom, LOOKED_AT, newVisitor, type Visitor } from '../../harness/browser.ts';
import { launchForTests } from '../../harness/chromium.ts';
import type { WebApp } from '../../harness/web-app.ts';
import { zipOf } from '../../harness/zip.ts';

type RoomInput = Partial<z.input<typeof calls.rooms.create.body>>;
/** An element as a test writes it, with what it holds. */
export type Written = z.input<typeof calls.rooms.addElement.body> & { children?: Written[] };

/** Real files made by others; they lie beside the project, not in it. */
export const OPEN_ASSETS = join(import.meta.dirname, '../../../../shared/assets/open');
export const hasOpenAssets = existsSync(OPEN_ASSETS);
/** Says once in a test file that its tests of those files are skipped. */
export const sayIfAbsent = (): void => {
  if (!hasOpenAssets) console.log('Open assets: the folder of files made by others is absent; its tests are skipped.');
};
export const asset = (name: string): string => join(OPEN_ASSETS, name);

/** A browser that plays sound only after the visitor did something, as people's own do. */
export const startStrictBrowser = (): Promise<Browser> =>
  launchForTests(inject('shell'), inject('drawing'), ['--autoplay-policy=document-user-activation-required']);

/** Publishes a room with nested elements; gives its public path. */
export async function publishTree(app: WebApp, room: RoomInput, elements: readonly Written[]): Promise<string> {
  const { id } = await app.client.rooms.create({ body: { title: 'Room', ...room } });
  const add = async ({ children = [], ...body }: Written, parent: number | null): Promise<void> => {
    const made = await app.client.rooms.addElement({ params: { id }, body: { ...body, parent_element_id: parent } });
    for (const child of children) await add(child, made.id);
  };
  for (const element of elements) await add(element, null);
  const { slug } = await app.client.endpoints.create({ body: { name: `Elements ${id}`, room_id: id } });
  return `/${slug}`;
}

/** A camera at the middle of a small room, and light that leaves colors as they are. */
export const plainRoom: RoomInput = {
  width: 1000,
  height: 600,
  depth: 1200,
  config: {
    camera: { fov: 50, position: { x: 0, y: 0, z: 400 }, angle: { x: 0, y: 0, z: 0 } },
    ambient_light: 1,
    pixelratio: 1,
  },
};

/** Uploads a page, zipped; gives its file's id. */
export async function uploadSite(app: WebApp, body: string): Promise<number> {
  const path = join(tmpdir(), `enfilade-site-${randomUUID()}.zip`);
  await writeFile(path, zipOf([{ name: 'index.html', content: body }]));
  const { id } = await app.upload(path);
  await rm(path);
  return id;
}

/** A page that stands in for one on another host. */
export const standIn = (color: string, script = ''): string =>
  `<!doctype html><body style="margin:0;background:${color};min-height:100vh"><script>${script}</script></body>`;

export interface Guest extends Visitor {
  /** Requests that wanted to leave this machine and were not expected. */
  strays: string[];
}

/**
 * A visitor whose requests stay on this machine: pages of other hosts come from `answers`, by the start of their address.
 * @param drawn how many pixels there are; as a test needs that looks at them
 */
export async function newGuest(
  app: WebApp,
  browser: Browser,
  answers: Record<string, { body: string | Buffer; type: string }> = {},
  drawn = LOOKED_AT,
): Promise<Guest> {
  const visitor = await newVisitor(browser, { viewport: { width: 480, height: 300 }, ...drawn });
  const strays: string[] = [];
  const isOutside = (url: string) => !url.startsWith(app.origin) && !/^(?:blob|data):/.test(url);
  const answerOf = (url: string) => Object.keys(answers).find((start) => url.startsWith(start));
  visitor.page.on('request', (request) => {
    const url = request.url();
    if (isOutside(url) && answerOf(url) === undefined) strays.push(url);
  });
  // Whoever intercepts requests has all of them sent anew, for nothing is cached then; no other host is reached without it either.
  if (Object.keys(answers).length > 0)
    await visitor.context.route(
      (url) => isOutside(url.href),
      (route) => {
        const { body, type } = answers[answerOf(route.request().url()) ?? ''] ?? {};
        if (body === undefined || type === undefined) return route.abort();
        return route.fulfill({ body, contentType: type, headers: { 'access-control-allow-origin': '*' } });
      },
    );
  return { ...visitor, strays };
}

/** Publishes a room, and enters it. */
export async function visitTree(
  app: WebApp,
  guest: Guest,
  elements: readonly Written[],
  room: RoomInput = plainRoom,
): Promise<void> {
  await enterRoom(guest.page, app.origin + (await publishTree(app, room, elements)));
  // Controls would count as part of the room.
  await guest.page.addStyleTag({ content: '#overlay { display: none }' });
}

/**
 * Opens a room and enters it without any act of a visitor; waits until everything is muted for want of one. The page
 * does it all by itself: whatever a test runs in a page counts as a visitor's act.
 */
export async function enterUnasked(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      const entrance = document.getElementById('entrance');
      if (entrance?.classList.contains('is-ready')) entrance.click();
      const media = [...document.querySelectorAll<HTMLMediaElement>('[data-media]')];
      if (!window.enfilade?.state.mutedFallback || !media.every(({ muted }) => muted)) return;
      if (document.getElementById('room')!.dataset.state !== 'ready') return;
      clearInterval(timer);
      console.info('muted for want of an act');
    }, 50);
  });
  const said = page.waitForEvent('console', {
    predicate: (message) => message.text().startsWith('muted for want'),
    timeout: 30_000,
  });
  await page.goto(url);
  await said;
}

/** A page or a frame that calls functions, of whichever browser. */
export type Evaluating = Pick<Page, 'evaluate'>;

/** Id of the element of a name. */
export const idOf = (page: Evaluating, name: string): Promise<number> =>
  page.evaluate((wanted) => {
    const find = (elements: NestedElement[]): number | undefined => {
      for (const element of elements) {
        const id = element.name === wanted ? element.id : find(element.children);
        if (id !== undefined) return id;
      }
      return undefined;
    };
    return find(JSON.parse(document.getElementById('visit')!.textContent!).endpoint.room.elements)!;
  }, name);

/** Hands the room what a visitor did. */
export const send = (page: Page, input: VisitorInput): Promise<void> =>
  page.evaluate((each) => window.enfilade!.send(each), input);

/** Waits for a number of the browser's own frames. */
export const nextFrames = (page: Evaluating, count = 3): Promise<void> =>
  page.evaluate(async (left) => {
    for (let i = 0; i < left; i++) await new Promise(requestAnimationFrame);
  }, count);

/** Holds room time, and waits until its picture is drawn. */
export async function holdTime(page: Page, seconds: number): Promise<void> {
  await page.evaluate((at) => window.enfilade!.stage!.holdTime(at), seconds);
  await nextFrames(page, 4);
}

/** What a media element of the page is doing. */
export const mediaOf = (page: Page, id: number) =>
  page.evaluate((wanted) => {
    const media = document.querySelector<HTMLMediaElement>(`[data-media="${wanted}"]`)!;
    const { paused, muted, currentTime, loop, ended, volume } = media;
    return { paused, muted, currentTime, loop, ended, volume };
  }, id);

/** Waits until a media element of the page is as wanted. */
export const mediaBecomes = (
  page: Page,
  id: number,
  wanted: { paused?: boolean; muted?: boolean; past?: number; before?: number },
): Promise<unknown> =>
  page.waitForFunction(
    ([key, { paused, muted, past = -1, before = Number.MAX_VALUE }]) => {
      const media = document.querySelector<HTMLMediaElement>(`[data-media="${key}"]`);
      if (!media || (paused !== undefined && media.paused !== paused)) return false;
      if (muted !== undefined && media.muted !== muted) return false;
      return media.currentTime > past && media.currentTime < before;
    },
    [id, wanted] as const,
    { timeout: 20_000 },
  );

/** Loses the WebGL context of a page, and waits until it is restored. */
export const loseContext = (page: Evaluating): Promise<void> =>
  page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas')!;
    const context = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
    const next = (type: string) => new Promise((resolve) => canvas.addEventListener(type, resolve, { once: true }));
    const lost = next('webglcontextlost');
    context.loseContext();
    await lost;
    const restored = next('webglcontextrestored');
    // The browser allows it only after the listeners of the loss.
    await new Promise(requestAnimationFrame);
    context.restoreContext();
    await restored;
  });
