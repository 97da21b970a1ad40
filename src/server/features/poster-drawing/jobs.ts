import { randomUUID } from 'node:crypto';
import { access, constants as constants2, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { BrowserServer } from 'playwright-core';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { memoryOfGroup } from '../../core/files/process-use.ts';
import { type Finding, WELL } from '../../core/health.ts';
import { scriptJson } from '../../core/html/escape.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import { DRAWING_COOKIE, DRAWING_PATH, type DrawingRights } from '../../core/secrets/drawing-rights.ts';
import type { Services } from '../../core/services.ts';
import { publicSettings } from '../organizations/queries.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import {
  type DrawnSubject,
  endDrawing,
  listUndrawn,
  MAX_ATTEMPTS,
  putDrawnPoster,
  putOffDrawing,
  storedImages,
  takeDrawing,
  type Undrawn,
} from '../posters/queries.ts';
import { drawnRoom } from '../rooms/read-room.ts';

type Shared = Services & { drawings: DrawingRights };

/** Milliseconds between two looks. */
const LOOK_EVERY = 5000;
/** Spaces, and templates, that one look goes through: 6,000 in a minute. */
const LOOKED_AT = 500;
/** Milliseconds for which something stays as it is before it is drawn: an open editor draws it sooner. */
const QUIET = 60_000;
/** Milliseconds for which a server has what it draws: longer than any drawing takes. */
const TAKEN = 5 * 60_000;
/** Failures in a row of one organization after which the browser is checked. */
const FAULT_OF_BROWSER = 3;
/** Milliseconds without another try after that. */
const REST = 10 * 60_000;
/** Milliseconds between two looks at whether there is a Chromium. */
const FIND_EVERY = 60_000;
const SUBJECTS: readonly DrawnSubject[] = ['room_id', 'template_id'];

/** Draws posters of what has none, or has changed since: one at a time, in a Chromium of this machine. */
class PosterJob {
  readonly #app: FastifyInstance;
  readonly #services: Shared;
  #stopping = new AbortController().signal;
  readonly #cursors = new Map<DrawnSubject, number>();
  /** What was found to be drawn: in which version, and since when. */
  readonly #found = new Map<string, { version: string; since: number }>();
  #isTold = false;
  /** Drawings of each organization that failed in a row. */
  readonly #failures = new Map<number, number>();
  /** Until when nothing of an organization is drawn. */
  readonly #resting = new Map<number, number>();
  #isBrowserAtFault = false;
  #failure = '';
  #restsTill = 0;

  constructor(app: FastifyInstance, services: Shared) {
    this.#app = app;
    this.#services = services;
  }

  /** How drawing is: without a Chromium, the editor draws, and nothing is wrong. */
  async check(): Promise<Finding> {
    const found = await this.#find();
    if (found.program === null) return { state: 'ok', problem: found.problem };
    if (!this.#isBrowserAtFault) return WELL;
    return { state: 'degraded', problem: `Posters are drawn by the editor only. ${this.#failure}` };
  }

  #find(): Promise<FoundChromium> {
    const { CHROMIUM, CHROMIUM_SANDBOX } = this.#services.settings;
    return findChromium(CHROMIUM, CHROMIUM_SANDBOX);
  }

  /** Draws what is due. @param stopping aborted when the server stops */
  async look(stopping: AbortSignal): Promise<void> {
    this.#stopping = stopping;
    const found = await this.#find();
    if (found.program === null) {
      if (!this.#isTold) this.#app.log.warn(found.problem);
      this.#isTold = true;
      return;
    }
    for (const subject of SUBJECTS)
      for (const undrawn of await this.#due(subject)) {
        if (stopping.aborted || this.#services.clock.now() < this.#restsTill) return;
        if (this.#services.clock.now() < (this.#resting.get(undrawn.organizationId) ?? 0)) continue;
        await this.#draw(found.program, undrawn);
      }
  }

  async #due(subject: DrawnSubject): Promise<Undrawn[]> {
    const { db, clock } = this.#services;
    const { undrawn, next } = await listUndrawn(db, clock, subject, this.#cursors.get(subject) ?? 0, LOOKED_AT);
    this.#cursors.set(subject, next);
    const now = clock.now();
    return undrawn.filter(({ id, version }) => {
      const key = `${subject} ${id}`;
      const known = this.#found.get(key);
      if (known?.version === version && now - known.since >= QUIET) return this.#found.delete(key);
      if (known?.version !== version) this.#found.set(key, { version, since: now });
      return false;
    });
  }

  async #draw(program: string, undrawn: Undrawn): Promise<void> {
    const { db, clock } = this.#services;
    const taken = await takeDrawing(db, clock, undrawn, TAKEN);
    if (!taken) return;
    try {
      const isDrawn = await this.#drawTaken(program, undrawn);
      if (isDrawn) await endDrawing(db, undrawn);
      else await putOffDrawing(db, clock, undrawn, null);
      this.#failures.delete(undrawn.organizationId);
      this.#tell(false, '');
    } catch (error) {
      const isStopping = this.#stopping.aborted;
      const attempts = isStopping ? taken.attempts : taken.attempts + 1;
      // What fails because the browser does is tried for as long as that takes.
      await putOffDrawing(db, clock, undrawn, this.#isBrowserAtFault ? Math.min(attempts, MAX_ATTEMPTS) : attempts);
      if (isStopping) return;
      if (!(error instanceof DrawingError)) throw error;
      this.#app.log.warn({ [undrawn.subject]: undrawn.id }, `A poster could not be drawn: ${error.message}`);
      await this.#failed(program, undrawn.organizationId, error.message);
    }
  }

  /**
   * Counts a failure. After several in a row of one organization, an empty space tells whether the browser is at fault:
   * otherwise nothing of that organization is drawn for a while, and others' posters go on.
   */
  async #failed(program: string, organizationId: number, failure: string): Promise<void> {
    const failures = (this.#failures.get(organizationId) ?? 0) + 1;
    this.#failures.set(organizationId, failures);
    if (failures < FAULT_OF_BROWSER) return;
    this.#failures.delete(organizationId);
    const problem = await this.#problemOfBrowser(program, organizationId);
    if (problem === null) this.#resting.set(organizationId, this.#services.clock.now() + REST);
    this.#tell(problem !== null, problem ?? failure);
  }

  /** Why an empty space cannot be drawn; null where it can. */
  async #problemOfBrowser(program: string, organizationId: number): Promise<string | null> {
    try {
      await this.#drawRoom(program, organizationId, parseRoom({ id: 1, title: 'Empty' }), '');
      return null;
    } catch (error) {
      if (error instanceof DrawingError) return error.message;
      throw error;
    }
  }

  /** Notes whether the browser works, and has it said where that is news. */
  #tell(isAtFault: boolean, failure: string): void {
    const before = this.#isBrowserAtFault;
    this.#isBrowserAtFault = isAtFault;
    this.#failure = failure;
    this.#restsTill = this.#isBrowserAtFault ? this.#services.clock.now() + REST : 0;
    if (before !== this.#isBrowserAtFault) void this.#app.health.look('posters');
  }

  /** @returns whether there was something to draw */
  async #drawTaken(program: string, undrawn: Undrawn): Promise<boolean> {
    const { db, workers } = this.#services;
    const { organizationId } = undrawn;
    const room = await drawnRoom(db, undrawn);
    if (!room) return false;
    const { font_url: font } = await publicSettings(this.#services, organizationId);
    const image = await this.#drawRoom(program, organizationId, room, font);
    const source = join(tmpdir(), `enfilade-poster-${randomUUID()}`);
    try {
      await writeFile(source, image, { mode: 0o600 });
      const images = await workers.run('drawPosterImages', { source }, ofOrganization(organizationId));
      const kept = storedImages(await keepPosterImages(this.#services, organizationId, images));
      await putDrawnPoster(this.#services, undrawn, kept);
      return true;
    } finally {
      await rm(source, { force: true });
    }
  }

  async #drawRoom(program: string, organizationId: number, room: Room, font: string): Promise<Buffer> {
    const { drawings, settings } = this.#services;
    const token = drawings.give({ organizationId, data: Buffer.from(scriptJson({ room, font })) });
    try {
      const chromium = { program, sandbox: settings.CHROMIUM_SANDBOX };
      return await drawInChromium(chromium, { origin: this.#origin(), token }, this.#stopping);
    } finally {
      drawings.end(token);
    }
  }

  /** Address of this server on this machine. */
  #origin(): string {
    const address = this.#app.server.address();
    if (address === null || typeof address === 'string') throw new DrawingError('The server listens at no port.');
    const isAll = address.address === '0.0.0.0' || address.address === '::';
    const host = isAll ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }
}

/** Draws posters for as long as the server listens. */
export function drawPosters(app: FastifyInstance, services: Shared): void {
  const job = new PosterJob(app, services);
  app.health.watch('posters', FIND_EVERY, () => job.check());
  repeat(app, [{ every: LOOK_EVERY, first: 'later', run: (stopping) => job.look(stopping) }]);
}

/** Milliseconds that a drawing may take, including the browser's start. */
const MAX_TIME = 90_000;
/** Most bytes of memory of the browser with all its processes. */
const MAX_MEMORY = 1536 * 1024 * 1024;
/** Milliseconds between two checks of its memory. */
const MEMORY_INTERVAL = 500;
/** Most characters of an image as base64. */
const MAX_IMAGE = 12 * 1024 * 1024;
/** The function that the page calls to deliver what it has drawn. */
const DELIVER = 'deliverPoster';
/** Size of the window in CSS pixels. */
const VIEWPORT = { width: 1280, height: 720 };

/** Draws in software on any machine. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-proxy-server',
  '--js-flags=--max-old-space-size=512',
  '--renderer-process-limit=1',
];

/** Why nothing was drawn, as a sentence. */
class DrawingError extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error));

/**
 * Draws a poster: opens the page that draws in a browser of its own, which reaches nothing but this server and is killed
 * afterwards.
 * @param program Chromium, and whether it uses its own sandbox
 * @param origin of this server, on this machine
 * @param token of the right to draw
 * @param signal stops the drawing at once
 * @returns the image as the page made it
 * @throws DrawingError when nothing was drawn
 */
async function drawInChromium(
  { program, sandbox }: { program: string; sandbox: boolean },
  { origin, token }: { origin: string; token: string },
  signal: AbortSignal,
): Promise<Buffer> {
  if (signal.aborted) throw new DrawingError('The server is stopping.');
  const { chromium } = await import('playwright-core');
  let server: BrowserServer;
  try {
    server = await chromium.launchServer({
      executablePath: program,
      args: [...FLAGS, `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(origin).hostname}`],
      chromiumSandbox: sandbox,
      // Not the server's environment, which holds its secrets.
      env: { ...(process.env.PATH && { PATH: process.env.PATH }), LANG: 'C.UTF-8' },
      host: '127.0.0.1',
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: MAX_TIME,
    });
  } catch (error) {
    throw new DrawingError(`Chromium can't be started: ${messageOf(error)}`);
  }
  const { pid } = server.process();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => {});
  const fail = (sentence: string) => reject(new DrawingError(sentence));
  const onAbort = () => fail('The server is stopping.');
  const timer = setTimeout(() => fail(`It took longer than ${MAX_TIME / 1000} s.`), MAX_TIME);
  const watch = setInterval(async () => {
    const bytes = pid === undefined ? 0 : await memoryOfGroup(pid);
    if (bytes > MAX_MEMORY) fail(`It took more than ${MAX_MEMORY / 1024 / 1024} MB of memory.`);
  }, MEMORY_INTERVAL);
  signal.addEventListener('abort', onAbort);
  server.on('close', () => fail('Chromium exited unexpectedly.'));
  const open = async () => {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: VIEWPORT });
    page.on('crash', () => fail('The page crashed.'));
    await page.exposeFunction(DELIVER, (image: unknown) => {
      if (typeof image !== 'string') fail('The page drew nothing.');
      else if (image.length > MAX_IMAGE) fail('The image is too large.');
      else resolve(image);
    });
    const cookie = { name: DRAWING_COOKIE, value: token, url: origin, httpOnly: true, sameSite: 'Strict' as const };
    await page.context().addCookies([cookie]);
    await page.goto(origin + DRAWING_PATH, { waitUntil: 'commit' });
  };
  open().catch((error: unknown) => fail(`The page that draws can't be opened (${messageOf(error)}).`));
  try {
    const delivered = await promise;
    if (!delivered.startsWith('data:image/'))
      throw new DrawingError(`The page drew nothing: ${delivered.slice(0, 200)}`);
    return Buffer.from(delivered.slice(delivered.indexOf(',') + 1), 'base64');
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
    await server.kill();
  }
}

/** Where systems put Chromium, or Chrome, which is made of it. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** What the setting says when no Chromium is to be used. */
const OFF = 'off';

/** A program that can be run, or why there is none. */
type FoundChromium = { program: string } | { program: null; problem: string };

const canRun = (path: string): Promise<boolean> =>
  access(path, constants2.X_OK).then(
    () => true,
    () => false,
  );

const AS_ROOT =
  'Posters are drawn by the editor only: the server runs as root, for which Chromium has no sandbox. Run it as another user, or set CHROMIUM_SANDBOX=0 if nobody untrusted edits spaces.';

/** Whether this process runs as root, for which Chromium refuses its sandbox. */
const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Finds the Chromium that draws posters.
 * @param setting of the server; undefined where it is to be looked for
 * @param needsSandbox whether it draws only in its own sandbox
 */
export async function findChromium(setting: string | undefined, needsSandbox: boolean): Promise<FoundChromium> {
  const found = await findProgram(setting);
  return found.program !== null && needsSandbox && isRoot() ? { program: null, problem: AS_ROOT } : found;
}

async function findProgram(setting: string | undefined): Promise<FoundChromium> {
  if (setting === OFF) return { program: null, problem: 'Posters are drawn by the editor only: CHROMIUM is off.' };
  if (setting !== undefined)
    return (await canRun(setting))
      ? { program: setting }
      : { program: null, problem: 'Posters are drawn by the editor only: CHROMIUM names no program that can be run.' };
  for (const place of USUAL_PLACES) if (await canRun(place)) return { program: place };
  return { program: null, problem: 'Posters are drawn by the editor only: no Chromium was found.' };
}
