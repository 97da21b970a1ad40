import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { timestampOf } from '../../core/clock.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { type Finding, WELL } from '../../core/health.ts';
import { scriptJson } from '../../core/html/escape.ts';
import { Queue, retryAt } from '../../core/jobs/queue.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { OwnRights } from '../../core/secrets/own-rights.ts';
import type { Services } from '../../core/services.ts';
import { publicSettings } from '../organizations/queries.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import {
  type Drawing,
  type DrawnSubject,
  endDrawing,
  findDrawing,
  listUndrawn,
  planDrawing,
  postponeDrawing,
  putDrawnPoster,
  QUIET,
  storedImages,
} from '../posters/queries.ts';
import { drawnRoom } from '../rooms/read-room.ts';
import { DrawingError, drawInChromium, type FoundChromium, findChromium } from './chromium.ts';

type Shared = Services & { ownRights: OwnRights };

/** Milliseconds between two scans. */
const LOOK_EVERY = 5000;
/** Spaces, and templates, per scan: 6,000 per minute. */
const LOOKED_AT = 500;
/** Lease of a drawing in milliseconds: longer than any drawing takes. */
const LEASE = 5 * 60_000;
/** Milliseconds between consecutive attempts; after the last one, only another version is drawn. */
const BACKOFF = [60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000];
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
  readonly #queue: Queue;
  readonly #cursors = new Map<DrawnSubject, number>();
  #isLogged = false;
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
    const run = (id: number, stopping: AbortSignal) => this.#draw(id, stopping);
    const options = { table: 'poster_drawings', lease: LEASE, perOrganization: 1, organizations: 1, run } as const;
    this.#queue = new Queue(services, options, (error) => logFailure(app.health, app.log, error));
  }

  /** Status for the health check: without Chromium, the editor draws the posters, which is no error. */
  async check(): Promise<Finding> {
    const found = await this.#find();
    if (found.program === null) return { state: 'ok', problem: found.problem };
    if (!this.#isBrowserAtFault) return WELL;
    return { state: 'degraded', problem: `Posters are rendered only by the editor. ${this.#failure}` };
  }

  #find(): Promise<FoundChromium> {
    const { CHROMIUM, CHROMIUM_SANDBOX } = this.#services.settings;
    return findChromium(CHROMIUM, CHROMIUM_SANDBOX);
  }

  /** Plans drawings, and draws the due ones. */
  async look(): Promise<void> {
    const found = await this.#find();
    if (found.program === null) {
      if (!this.#isLogged) this.#app.log.warn(found.problem);
      this.#isLogged = true;
      return;
    }
    for (const subject of SUBJECTS) await this.#plan(subject);
    await this.#queue.poll();
  }

  stop(): Promise<void> {
    return this.#queue.stop();
  }

  async #plan(subject: DrawnSubject): Promise<void> {
    const { db, clock } = this.#services;
    const { undrawn, next } = await listUndrawn(db, subject, this.#cursors.get(subject) ?? 0, LOOKED_AT);
    this.#cursors.set(subject, next);
    const at = timestampOf(clock.now() + QUIET);
    for (const each of undrawn) if (!each.isPlanned) await planDrawing(db, clock, each, at);
  }

  async #draw(id: number, stopping: AbortSignal): Promise<void> {
    const { db, clock } = this.#services;
    const drawing = await findDrawing(db, id);
    if (!drawing) return;
    const { subject, attempts, organizationId } = drawing;
    const postpone = (failed: number, at: string | null) => postponeDrawing(db, clock, drawing, failed, at);
    const found = await this.#find();
    const restsTill = Math.max(this.#restsTill, this.#resting.get(organizationId) ?? 0);
    if (found.program === null || restsTill > clock.now())
      return postpone(attempts, timestampOf(Math.max(restsTill, clock.now() + QUIET)));
    const [undrawn] = (await listUndrawn(db, subject, drawing.id - 1, 1)).undrawn;
    // It was drawn by an editor, has a chosen image, or changed, which plans another drawing.
    if (undrawn?.id !== drawing.id || undrawn.version !== drawing.version) return endDrawing(db, drawing);
    try {
      const isDrawn = await this.#drawPoster(found.program, drawing, stopping);
      if (isDrawn) await endDrawing(db, drawing);
      else await postpone(0, null);
      this.#failures.delete(organizationId);
      this.#setFault(false, '');
    } catch (error) {
      if (stopping.aborted) return postpone(attempts, timestampOf(clock.now()));
      const failed = attempts + 1;
      // Failures of the browser itself don't count toward the limit: retry until it works.
      const counted = this.#isBrowserAtFault ? Math.min(failed, BACKOFF.length) : failed;
      await postpone(counted, retryAt(clock, BACKOFF, counted));
      if (!(error instanceof DrawingError)) throw error;
      this.#app.log.warn({ [subject]: drawing.id }, `Poster not rendered: ${error.message}`);
      await this.#failed(found.program, organizationId, error.message, stopping);
    }
  }

  /**
   * Counts a failure. After several consecutive failures of an organization, drawing an empty space shows whether the
   * browser is at fault: otherwise only that organization pauses.
   */
  async #failed(program: string, organizationId: number, failure: string, stopping: AbortSignal): Promise<void> {
    const failures = (this.#failures.get(organizationId) ?? 0) + 1;
    this.#failures.set(organizationId, failures);
    if (failures < FAULT_OF_BROWSER) return;
    this.#failures.delete(organizationId);
    const problem = await this.#problemOfBrowser(program, organizationId, stopping);
    if (problem === null) this.#resting.set(organizationId, this.#services.clock.now() + REST);
    this.#setFault(problem !== null, problem ?? failure);
  }

  /** Why an empty space cannot be drawn; null if it can. */
  async #problemOfBrowser(program: string, organizationId: number, stopping: AbortSignal): Promise<string | null> {
    try {
      await this.#drawRoom(program, organizationId, { room: parseRoom({ id: 1, title: 'Empty' }), font: '' }, stopping);
      return null;
    } catch (error) {
      if (error instanceof DrawingError) return error.message;
      throw error;
    }
  }

  /** Records whether the browser works; a change updates the health status. */
  #setFault(isAtFault: boolean, failure: string): void {
    const before = this.#isBrowserAtFault;
    this.#isBrowserAtFault = isAtFault;
    this.#failure = failure;
    this.#restsTill = this.#isBrowserAtFault ? this.#services.clock.now() + REST : 0;
    if (before !== this.#isBrowserAtFault) void this.#app.health.look('posters');
  }

  /** @returns whether anything was drawn */
  async #drawPoster(program: string, drawing: Drawing, stopping: AbortSignal): Promise<boolean> {
    const { db, workers } = this.#services;
    const { organizationId } = drawing;
    const room = await drawnRoom(db, drawing);
    if (!room) return false;
    const { font_url: font } = await publicSettings(this.#services, organizationId);
    const image = await this.#drawRoom(program, organizationId, { room, font }, stopping);
    const source = join(tmpdir(), `enfilade-poster-${randomUUID()}`);
    try {
      await writeFile(source, image, { mode: 0o600 });
      const images = await workers.run('drawPosterImages', { source }, ofOrganization(organizationId));
      const kept = storedImages(await keepPosterImages(this.#services, organizationId, images));
      await putDrawnPoster(this.#services, drawing, kept);
      return true;
    } finally {
      await rm(source, { force: true });
    }
  }

  async #drawRoom(
    program: string,
    organizationId: number,
    drawn: { room: Room; font: string },
    stopping: AbortSignal,
  ): Promise<Buffer> {
    const { ownRights, settings } = this.#services;
    const token = ownRights.give({ organizationId, data: Buffer.from(scriptJson(drawn)) });
    try {
      const chromium = { program, sandbox: settings.CHROMIUM_SANDBOX };
      return await drawInChromium(chromium, { origin: this.#origin(), token }, stopping);
    } finally {
      ownRights.end(token);
    }
  }

  /** URL of this server on this machine. */
  #origin(): string {
    const address = this.#app.server.address();
    if (address === null || typeof address === 'string')
      throw new DrawingError("The server isn't listening on a port.");
    const isAll = address.address === '0.0.0.0' || address.address === '::';
    const host = isAll ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }
}

/** Draws posters while the server is listening. */
export function drawPosters(app: FastifyInstance, services: Shared): void {
  const job = new PosterJob(app, services);
  app.health.watch('posters', FIND_EVERY, () => job.check());
  repeat(app, [{ name: 'render posters', every: LOOK_EVERY, first: 'later', run: () => job.look() }], () => job.stop());
}
