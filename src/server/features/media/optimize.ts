import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Loudness } from '../../../../engine/document/loudness.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { isThere } from '../../core/disk.ts';
import {
  environmentFormat,
  type LighterFormat,
  lighterPath,
  lighterWidths,
  playedFormat,
} from '../../core/files/copies/lighter.ts';
import { moveIndex } from '../../core/files/decoders/fast-start.ts';
import { measureLoudness } from '../../core/files/decoders/loudness.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { retryAt, runQueue } from '../../core/jobs/queue.ts';
import type { Services } from '../../core/services.ts';
import {
  endOptimization,
  extendLease,
  findEqual,
  findLoudness,
  findWaiting,
  type Optimized,
  postponeOptimization,
  resumeOptimizations,
} from './optimizations.ts';
import { isNoted, neededOf } from './queries.ts';

type Shared = Pick<Services, 'db' | 'clock' | 'media' | 'workers' | 'settings'> & {
  /** Invalidates the caches of an organization's rooms. */
  touchRooms(db: Database, organizationId: number): Promise<void>;
};
type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>;

/** Milliseconds between two polls. */
const POLL = 2000;
/** Lease in milliseconds, extended before each version: longer than one takes. */
const LEASE = 15 * 60_000;
/** Milliseconds between consecutive attempts, for failures of the server, such as a full disk. */
const BACKOFF = [60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000];
const DELETED = Symbol('deleted');
const NO_GPU = { gpu_bytes_before: null, gpu_bytes: null } as const;

/** A result, without the loudness. */
type Converted = Omit<Optimized, 'loudness_reason'>;

/** Makes the lighter versions of one file. */
class Optimization {
  readonly #services: Shared;
  readonly #row: Waiting;
  readonly #stopping: AbortSignal;
  /** Paths of the stored versions. */
  readonly #versions: string[] = [];

  constructor(services: Shared, row: Waiting, stopping: AbortSignal) {
    this.#services = services;
    this.#row = row;
    this.#stopping = stopping;
  }

  /** @returns the result; `DELETED` if the file was deleted or replaced meanwhile */
  async run(): Promise<{ result: Optimized; loudness?: Loudness } | typeof DELETED> {
    const { media } = this.#services;
    const { hash, entry, type } = this.#row;
    // The main file of a model may refer to others in its folder.
    if (entry.includes('/')) await media.entryOf(hash, entry.split('/')[0]!);
    const source = await media.fileOf(hash, entry);
    const nothing = { loudness_reason: '' };
    if (!(await isThere(source))) return { result: { ...this.#kept('The stored file is missing.'), ...nothing } };
    // Audio that can't be converted is measured anyway.
    const converted = await this.#convert(source).catch((error: unknown) => {
      if (this.#stopping.aborted || !(error instanceof ApiError) || error.code === 'unavailable') throw error;
      return this.#kept(Object.values(error.msg).flat().join(' '));
    });
    if (converted === DELETED) return DELETED;
    if (type !== 'audio' && type !== 'video') return { result: { ...converted, ...nothing } };
    const measured = await this.#measure(source);
    if (measured === DELETED) return DELETED;
    if ('reason' in measured) return { result: { ...converted, loudness_reason: measured.reason } };
    return { result: { ...converted, ...nothing }, loudness: measured };
  }

  async #convert(source: string): Promise<Converted | typeof DELETED> {
    const equal = await findEqual(this.#services.db, this.#row);
    if (equal) return equal;
    const { type } = this.#row;
    if (type === 'image') return this.#image(source);
    if (type === 'hdr') return this.#environment(source);
    return type === 'object' ? this.#model(source) : this.#played(source);
  }

  #kept(reason: string): Converted {
    return { state: 'kept', reason, bytes: null, ...NO_GPU, levels: null, ...this.#made() };
  }

  /** The result for a file with lighter versions. @param bytes size of the smallest one of the whole file */
  #done(bytes: number, more: Partial<Converted> = {}): Converted {
    return { state: 'done', reason: '', bytes, ...NO_GPU, levels: null, ...more, ...this.#made() };
  }

  #made(): Pick<Optimized, 'versions'> {
    return { versions: JSON.stringify(this.#versions) };
  }

  async #image(source: string): Promise<Converted | typeof DELETED> {
    const whole: number[] = [];
    let reason = '';
    for (const width of [undefined, ...lighterWidths(this.#row.width ?? 0)])
      for (const format of width === undefined ? (['avif', 'webp'] as const) : (['avif'] as const)) {
        const made = await this.#version(format, width, (target) =>
          this.#services.workers.run(
            'lightenImage',
            { source, target, format, width },
            ofOrganization(this.#row.organization_id),
          ),
        );
        if (made === DELETED) return DELETED;
        if (width !== undefined) continue;
        if ('bytes' in made) whole.push(made.bytes);
        else reason ||= made.reason;
      }
    if (whole.length === 0) return this.#kept(reason);
    return this.#done(Math.min(...whole));
  }

  async #model(source: string): Promise<Converted | typeof DELETED> {
    let more: Partial<Converted> = {};
    const made = await this.#version('glb', undefined, async (target) => {
      const order = { source, target };
      const requester = ofOrganization(this.#row.organization_id);
      const lightened = await this.#services.workers.run('lightenModel', order, requester);
      if (!('bytes' in lightened)) return lightened;
      const { bytes, gpuBefore, gpuAfter, levels } = lightened;
      more = { gpu_bytes_before: gpuBefore, gpu_bytes: gpuAfter, levels: JSON.stringify(levels) };
      return { bytes, copies: levels.triangles.length - 1 };
    });
    if (made === DELETED) return DELETED;
    return 'bytes' in made ? this.#done(made.bytes, more) : this.#kept(made.reason);
  }

  async #environment(source: string): Promise<Converted | typeof DELETED> {
    let more: Partial<Converted> = {};
    const made = await this.#version(environmentFormat(this.#row.entry)!, undefined, async (target) => {
      const order = { source, target };
      const requester = ofOrganization(this.#row.organization_id);
      const lightened = await this.#services.workers.run('lightenEnvironment', order, requester);
      if ('bytes' in lightened) more = { gpu_bytes_before: lightened.gpuBefore, gpu_bytes: lightened.gpuAfter };
      return lightened;
    });
    if (made === DELETED) return DELETED;
    return 'bytes' in made ? this.#done(made.bytes, more) : this.#kept(made.reason);
  }

  /** Moves the index of audio or a video to its start. Formats other than MP4 have none. */
  async #played(source: string): Promise<Converted | typeof DELETED> {
    const format = playedFormat(this.#row.entry);
    const requester = ofOrganization(this.#row.organization_id);
    if (!format || (await this.#services.workers.run('startsFast', { source }, requester)))
      return this.#kept('Playback starts before the whole file has loaded.');
    const made = await this.#version(format, undefined, (target) =>
      moveIndex({ source, target, format }, this.#stopping),
    );
    if (made === DELETED) return DELETED;
    return 'bytes' in made ? this.#done(made.bytes) : this.#kept(made.reason);
  }

  /** Measures the loudness of audio or a video, unless that of an equal file is known. */
  async #measure(source: string): Promise<Loudness | { reason: string } | typeof DELETED> {
    const { db } = this.#services;
    const known = await findLoudness(db, this.#row);
    if (known) return known;
    return (await this.#extendLease()) ? measureLoudness(source, this.#stopping) : DELETED;
  }

  /** @returns whether the content still waits; ends with an error if the server stops */
  #extendLease(): Promise<boolean> {
    const { db, clock } = this.#services;
    if (this.#stopping.aborted) throw new ApiError('unavailable');
    return extendLease(db, this.#row, timestampOf(clock.now() + LEASE));
  }

  /**
   * Makes a version, unless an interrupted attempt has, and stores it.
   * @param make writes it to a path, and copies of it to the same path with `-1` and so on
   */
  async #version<R extends { bytes: number; copies?: number } | { reason: string }>(
    format: LighterFormat,
    width: number | undefined,
    make: (target: string) => Promise<R>,
  ): Promise<R | { bytes: number } | typeof DELETED> {
    const { db, media } = this.#services;
    const { hash, entry } = this.#row;
    if (!(await this.#extendLease())) return DELETED;
    const path = lighterPath(entry, format, width);
    // Their results have more than the size.
    const isAgain = ['glb', 'hdr', 'exr'].includes(format);
    const before = isAgain ? null : await stat(join(media.folderOf(hash), path)).catch(() => null);
    if (before) {
      this.#versions.push(path);
      return { bytes: before.size };
    }
    const folder = await media.draft();
    try {
      const target = join(folder, 'lighter');
      const made = await make(target);
      if ('reason' in made) return made;
      // A file that is deleted meanwhile may be deleted before this one is stored.
      const keep = async (from: string, to: string) => {
        const isWanted = await media.keep(hash, from, to, () => isNoted(db, hash));
        if (isWanted) this.#versions.push(to);
        return isWanted;
      };
      let isWanted = true;
      for (let copy = 1; isWanted && copy <= (made.copies ?? 0); copy++)
        isWanted = await keep(`${target}-${copy}`, lighterPath(entry, format, copy));
      if (isWanted && (await keep(target, path))) return made;
      await media.remove(hash, () => neededOf(db, hash));
      return DELETED;
    } finally {
      await media.discard({ folder });
    }
  }
}

/** Why an attempt failed, for users; undefined if the server is at fault for another reason. */
function reasonOf(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk of the server is full.';
  if (error instanceof ApiError && error.code === 'unavailable') return 'The server was busy.';
  return undefined;
}

/** Makes the lighter versions of a file, and records the result. */
async function optimizeOne(services: Shared, id: number, stopping: AbortSignal): Promise<void> {
  const { db, clock } = services;
  const row = await findWaiting(db, id);
  if (!row) return;
  try {
    const ended = await new Optimization(services, row, stopping).run();
    if (ended === DELETED) return;
    await db.transaction().execute(async (locked) => {
      // A file that is replaced or removed meanwhile locks its rows in another order, which would deadlock.
      await lockOrganization(locked, row.organization_id);
      const changed = await endOptimization(locked, row, ended.result, ended.loudness);
      if (changed) await services.touchRooms(locked, row.organization_id);
    });
  } catch (error) {
    const nothing = { bytes: null, ...NO_GPU, levels: null, versions: '[]', loudness_reason: '' };
    if (stopping.aborted)
      return postponeOptimization(db, row, {
        ...{ attempts: row.attempts, next_at: timestampOf(clock.now()), reason: '' },
      });
    const reason = reasonOf(error) ?? 'The conversion failed.';
    const attempts = row.attempts + 1;
    const next = retryAt(clock, BACKOFF, attempts);
    if (next === null) await endOptimization(db, row, { state: 'kept', reason, ...nothing });
    else await postponeOptimization(db, row, { attempts, next_at: next, reason });
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Makes lighter versions of uploaded files while the server runs, one at a time. */
export function optimizeMedia(app: FastifyInstance, services: Shared): void {
  const { db, clock, settings } = services;
  if (!settings.OPTIMIZE_MEDIA) return;
  app.addHook('onReady', async () => {
    // SQLite has one server, so nothing is under way when it starts; with several servers, leases have to end.
    if (!isPostgres(db))
      await resumeOptimizations(db, timestampOf(clock.now())).catch((error: unknown) =>
        logFailure(app.health, app.log, error),
      );
  });
  runQueue(app, services, {
    ...{ name: 'make lighter files', every: POLL, table: 'media_optimizations', lease: LEASE },
    ...{ perOrganization: 1, organizations: 1 },
    run: (id, stopping) => optimizeOne(services, id, stopping),
  });
}
