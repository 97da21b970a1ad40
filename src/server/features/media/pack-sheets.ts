import type { FastifyInstance } from 'fastify';
import { LAYER_WIDTHS } from '../../../../engine/document/small-copy.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { isPostgres } from '../../core/db/database.ts';
import { hasThumbnail, thumbnail } from '../../core/files/copies/thumbnails.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { retryAt, runQueue } from '../../core/jobs/queue.ts';
import type { Services } from '../../core/services.ts';
import { findHeld, findWaitingSheet, resumeSheets, SHEET_ENTRY, type Sheet, updateWaiting } from './image-sheets.ts';
import { neededOf } from './queries.ts';

type Shared = Pick<Services, 'db' | 'clock' | 'media' | 'workers' | 'settings'>;

/** Milliseconds between two polls. */
const POLL = 2000;
/** Lease in milliseconds: longer than drawing the copies of all images takes. */
const LEASE = 30 * 60_000;
/** Milliseconds between consecutive attempts. */
const BACKOFF = [60_000, 10 * 60_000, 60 * 60_000];

/** Path of the small copy of an image, as visitors load it; null if it can't be drawn. */
async function copyOf(
  { media, workers }: Shared,
  { hash, entry }: Sheet['files'][number],
  isFirstAttempt: boolean,
): Promise<string | null> {
  const folder = media.folderOf(hash);
  const { small } = LAYER_WIDTHS;
  if (!(await hasThumbnail(folder, entry, small))) await media.fileOf(hash, entry);
  return thumbnail(workers, folder, entry, small).catch((error: unknown) => {
    const isBusy = error instanceof ApiError && error.code === 'unavailable';
    // The disk may be full: only a later attempt leaves the image out.
    if (isBusy || (isFirstAttempt && !(error instanceof ApiError))) throw error;
    return null;
  });
}

/** Packs a sheet and stores it, unless it is deleted meanwhile. */
async function pack(services: Shared, sheet: Sheet, stopping: AbortSignal): Promise<void> {
  const { db, media, workers } = services;
  const { hash, files, organization_id: organizationId } = sheet;
  const held = await findHeld(
    db,
    organizationId,
    files.map((file) => file.hash),
  );
  const sources: (string | null)[] = [];
  for (const file of files) {
    if (stopping.aborted) throw new ApiError('unavailable');
    sources.push(held.has(file.hash) ? await copyOf(services, file, sheet.attempts === 0) : null);
  }
  const folder = await media.draft();
  try {
    const target = `${folder}/sheet`;
    const bytes = await workers.run('packSheet', { sources, target }, ofOrganization(organizationId));
    const isWanted = await media.keep(hash, target, SHEET_ENTRY, () =>
      updateWaiting(db, sheet, { bytes, attempts: 0, next_at: null }),
    );
    if (!isWanted) await media.remove(hash, () => neededOf(db, hash));
  } finally {
    await media.discard({ folder });
  }
}

async function packOne(services: Shared, id: number, stopping: AbortSignal): Promise<void> {
  const { db, clock } = services;
  const sheet = await findWaitingSheet(db, id);
  if (!sheet) return;
  try {
    await pack(services, sheet, stopping);
  } catch (error) {
    const attempts = sheet.attempts + 1;
    const next = stopping.aborted
      ? { next_at: timestampOf(clock.now()) }
      : { attempts, next_at: retryAt(clock, BACKOFF, attempts) };
    await updateWaiting(db, sheet, next);
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Packs the sheets of small images that rooms need, one at a time. */
export function packSheets(app: FastifyInstance, services: Shared): void {
  const { db, clock, settings } = services;
  if (!settings.OPTIMIZE_MEDIA) return;
  app.addHook('onReady', async () => {
    // SQLite has one server, so nothing is under way when it starts; with several servers, leases have to end.
    if (!isPostgres(db))
      await resumeSheets(db, timestampOf(clock.now())).catch((error: unknown) =>
        logFailure(app.health, app.log, error),
      );
  });
  runQueue(app, services, {
    ...{ name: 'pack image sheets', every: POLL, table: 'image_sheets', lease: LEASE },
    ...{ perOrganization: 1, organizations: 1 },
    run: (id, stopping) => packOne(services, id, stopping),
  });
}
