import { randomUUID } from 'node:crypto';
import { access, constants as fileModes, rm, writeFile } from 'node:fs/promises';
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

/** Milliseconds between two scans. */
const LOOK_EVERY = 5000;
/** Spaces, and templates, per scan: 6,000 per minute. */
const LOOKED_AT = 500;
/** Milliseconds without changes before drawing: an open editor draws sooner. */
const QUIET = 60_000;
/** Lease of a drawing in milliseconds: longer than any drawing takes. */
const TAKEN = 5 * 60_000;
/** Consecutive failures of an organization after which the browser is checked. */
const FAULT_OF_BROWSER = 3;
/** Pause in milliseconds after that. */
const REST = 10 * 60_000;
/** Milliseconds between two searches for Chromium. */
const FIND_EVERY = 60_000;
const SUBJECTS: readonly DrawnSubject[] = ['room_id', 'template_id'];

/** Draws missing and outdated posters, one at a time, in Chromium on this machine. */
class PosterJob {
  readonly #app: FastifyInstance;
  readonly #services: Shared;
  #stopping = new AbortController().signal;
  readonly #cursors = new Map<DrawnSubject, number>();
  /** Drawings that are due: their version, and when they were found. */
  readonly #found = new Map<string, { version: string; since: number }>();
  #isTold = false;
  /** Consecutive failures by organization. */
  readonly #failures = new Map<number, number>();
  /** End of each organization's pause. */
  readonly #resting = new Map<number, number>();
  #isBrowserAtFault = false;
  #failure = '';
  #restsTill = 0;

  constructor(app: FastifyInstance, services: Shared) {
    this.#app = app;
    this.#services = services;
  }

  /** Status for the health check: without Chromium, the editor draws the posters, which is no error. */
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

  /** Draws due posters. @param stopping aborted on shutdown */
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
      // Failures of the browser itself don't count toward the limit: retry until it works.
      await putOffDrawing(db, clock, undrawn, this.#isBrowserAtFault ? Math.min(attempts, MAX_ATTEMPTS) : attempts);
      if (isStopping) return;
      if (!(error instanceof DrawingError)) throw error;
      this.#app.log.warn({ [undrawn.subject]: undrawn.id }, `A poster could not be drawn: ${error.message}`);
      await this.#failed(program, undrawn.organizationId, error.message);
    }
  }

  /**
   * Counts a failure. After several consecutive failures of an organization, drawing an empty space shows whether the browser
   * is at fault: otherwise only that organization pauses.
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

  /** Why an empty space cannot be drawn; null if it can. */
  async #problemOfBrowser(program: string, organizationId: number): Promise<string | null> {
    try {
      await this.#drawRoom(program, organizationId, parseRoom({ id: 1, title: 'Empty' }), '');
      return null;
    } catch (error) {
      if (error instanceof DrawingError) return error.message;
      throw error;
    }
  }

  /** Records whether the browser works; a change updates the health status. */
  #tell(isAtFault: boolean, failure: string): void {
    const before = this.#isBrowserAtFault;
    this.#isBrowserAtFault = isAtFault;
    this.#failure = failure;
    this.#restsTill = this.#isBrowserAtFault ? this.#services.clock.now() + REST : 0;
    if (before !== this.#isBrowserAtFault) void this.#app.health.look('posters');
  }

  /** @returns whether anything was drawn */
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

  /** URL of this server on this machine. */
  #origin(): string {
    const address = this.#app.server.address();
    if (address === null || typeof address === 'string') throw new DrawingError('The server listens at no port.');
    const isAll = address.address === '0.0.0.0' || address.address === '::';
    const host = isAll ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }
}

/** Draws posters while the server is listening. */
export function drawPosters(app: FastifyInstance, services: Shared): void {
  const job = new PosterJob(app, services);
  app.health.watch('posters', FIND_EVERY, () => job.check());
  repeat(app, [{ name: 'render posters', every: LOOK_EVERY, first: 'later', run: (stopping) => job.look(stopping) }]);
}

/** Drawing timeout in milliseconds, including the browser's start. */
const MAX_TIME = 90_000;
/** Memory limit in bytes of all browser processes. */
const MAX_MEMORY = 1536 * 1024 * 1024;
/** Milliseconds between two memory checks. */
const MEMORY_INTERVAL = 500;
/** Limit on the base64 length of an image. */
const MAX_IMAGE = 12 * 1024 * 1024;
/** The function that the page calls with the drawn image. */
const DELIVER = 'deliverPoster';
/** Viewport in CSS pixels. */
const VIEWPORT = { width: 1280, height: 720 };

/** Software rendering works on any machine. */
const FLAGS = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-proxy-server',
  '--js-flags=--max-old-space-size=512',
  '--renderer-process-limit=1',
];

/** The reason for a failed drawing. */
class DrawingError extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error));

/**
 * Draws a poster: opens the drawing page in a new browser that can reach only this server and is killed
 * afterwards.
 * @param program Chromium and its sandbox setting
 * @param origin local URL of this server
 * @param token grants the right to draw
 * @param signal aborts the drawing
 * @returns the image from the page
 * @throws DrawingError if nothing was drawn
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
      // The server's environment contains secrets.
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

/** Common locations of Chromium and Chrome. */
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

/** Value of the setting that disables Chromium. */
const OFF = 'off';

/** An executable Chromium, or the reason why there is none. */
type FoundChromium = { program: string } | { program: null; problem: string };

const canRun = (path: string): Promise<boolean> =>
  access(path, fileModes.X_OK).then(
    () => true,
    () => false,
  );

const AS_ROOT =
  'Posters are drawn by the editor only: the server runs as root, for which Chromium has no sandbox. Run it as another user, or set CHROMIUM_SANDBOX=0 if nobody untrusted edits spaces.';

/** Whether the process runs as root, as which Chromium refuses to use its sandbox. */
const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Finds Chromium for drawing posters.
 * @param setting server setting; undefined to search
 * @param needsSandbox whether the sandbox is required
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
