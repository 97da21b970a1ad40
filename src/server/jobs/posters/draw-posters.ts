import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Finding, WELL } from '../../base/health.ts';
import { scriptJson } from '../../base/html/escape.ts';
import type { DrawingRights } from '../../base/secrets/drawing-rights.ts';
import { logFailure } from '../../storage/log-failure.ts';
import { publicSettings } from '../../store/organizations/organization-settings.ts';
import {
  type DrawnSubject,
  endDrawing,
  listUndrawn,
  MOST_ATTEMPTS,
  putDrawnPoster,
  putOffDrawing,
  takeDrawing,
  type Undrawn,
} from '../../store/posters/poster-drawings.ts';
import { keepPosterImages } from '../../store/posters/poster-files.ts';
import { storedImages } from '../../store/posters/posters-repository.ts';
import { drawnRoom } from '../../store/rooms/drawn-room.ts';
import type { Services } from '../../store/services.ts';
import { DrawingError, drawInChromium } from './draw-in-chromium.ts';
import { findChromium } from './find-chromium.ts';

type Shared = Services & { drawings: DrawingRights };

/** Milliseconds between two looks. */
const LOOK_EVERY = 5000;
/** Spaces, and templates, that one look goes through: 6,000 in a minute. */
const LOOKED_AT = 500;
/** Milliseconds for which something stays as it is before it is drawn: an open editor draws it sooner. */
const QUIET = 60_000;
/** Milliseconds for which a server has what it draws: longer than any drawing takes. */
const TAKEN = 5 * 60_000;
/** Failures in a row from which on the fault is taken to be the browser's, not that of what is drawn. */
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
  readonly #abort = new AbortController();
  readonly #cursors = new Map<DrawnSubject, number>();
  /** What was found to be drawn: in which version, and since when. */
  readonly #found = new Map<string, { version: string; since: number }>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #isTold = false;
  #failures = 0;
  #failure = '';
  #restsTill = 0;

  constructor(app: FastifyInstance, services: Shared) {
    this.#app = app;
    this.#services = services;
  }

  /** How drawing is: without a Chromium, the editor draws, and nothing is wrong. */
  async check(): Promise<Finding> {
    const found = await findChromium(this.#services.settings.CHROMIUM);
    if (found.program === null) return { state: 'ok', problem: found.problem };
    if (!this.#isBrowserAtFault) return WELL;
    return { state: 'degraded', problem: `Posters are drawn by the editor only. ${this.#failure}` };
  }

  get #isBrowserAtFault(): boolean {
    return this.#failures >= FAULT_OF_BROWSER;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#working ??= this.#look().finally(() => {
        this.#working = undefined;
      });
    }, LOOK_EVERY).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#abort.abort();
    await this.#working;
  }

  async #look(): Promise<void> {
    try {
      const found = await findChromium(this.#services.settings.CHROMIUM);
      if (found.program === null) {
        if (!this.#isTold) this.#app.log.info(found.problem);
        this.#isTold = true;
        return;
      }
      for (const subject of SUBJECTS)
        for (const undrawn of await this.#due(subject)) {
          if (this.#abort.signal.aborted || this.#services.clock.now() < this.#restsTill) return;
          await this.#draw(found.program, undrawn);
        }
    } catch (error) {
      // It is looked for again soon.
      logFailure(this.#app.health, this.#app.log, error);
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
      this.#tell(0, '');
    } catch (error) {
      const isStopping = this.#abort.signal.aborted;
      const attempts = isStopping ? taken.attempts : taken.attempts + 1;
      // What fails because the browser does is tried for as long as that takes.
      await putOffDrawing(db, clock, undrawn, this.#isBrowserAtFault ? Math.min(attempts, MOST_ATTEMPTS) : attempts);
      if (isStopping) return;
      if (!(error instanceof DrawingError)) throw error;
      this.#app.log.warn({ [undrawn.subject]: undrawn.id }, `A poster could not be drawn: ${error.message}`);
      this.#tell(this.#failures + 1, error.message);
    }
  }

  /** Notes whether the browser works, and has it said where that is news. */
  #tell(failures: number, failure: string): void {
    const before = this.#isBrowserAtFault;
    this.#failures = failures;
    this.#failure = failure;
    this.#restsTill = this.#isBrowserAtFault ? this.#services.clock.now() + REST : 0;
    if (before !== this.#isBrowserAtFault) void this.#app.health.look('posters');
  }

  /** @returns whether there was something to draw */
  async #drawTaken(program: string, undrawn: Undrawn): Promise<boolean> {
    const { db, drawings, workers, settings } = this.#services;
    const { organizationId } = undrawn;
    const room = await drawnRoom(db, undrawn);
    if (!room) return false;
    const { font_url: font } = await publicSettings(this.#services, organizationId);
    const token = drawings.give({ organizationId, data: Buffer.from(scriptJson({ room, font })) });
    const source = join(tmpdir(), `enfilade-poster-${randomUUID()}`);
    try {
      const chromium = { program, sandbox: settings.CHROMIUM_SANDBOX };
      const image = await drawInChromium(chromium, { origin: this.#origin(), token }, this.#abort.signal);
      await writeFile(source, image, { mode: 0o600 });
      const images = await workers.run('drawPosterImages', { source });
      const kept = storedImages(await keepPosterImages(this.#services, organizationId, images));
      await putDrawnPoster(this.#services, undrawn, kept);
      return true;
    } finally {
      drawings.end(token);
      await rm(source, { force: true });
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
  app.addHook('onListen', async () => job.start());
  app.addHook('onClose', () => job.stop());
}
