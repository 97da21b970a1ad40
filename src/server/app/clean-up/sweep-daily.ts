import type { FastifyInstance } from 'fastify';
import { sweepChanges } from '../../core/changes/change-log.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { sweepSheets } from '../../features/media/image-sheets.ts';
import { readOldTexts, removeUnstrippedCopies, stripOldFiles } from '../../features/media/jobs.ts';
import { neededOf } from '../../features/media/queries.ts';
import { sweepDemoFiles } from '../../features/onboarding/steps.ts';
import { movePosterImages, sweepPosterFiles } from '../../features/posters/poster-files.ts';
import { foldLogs } from '../../features/rooms/log-queries.ts';
import { sweepPasswordTokens } from '../../features/users/passwords.ts';
import { sweepKept } from './sweep-kept.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes rows whose retention has ended. */
async function sweepRows(services: Services): Promise<void> {
  await sweepChanges(services);
  await foldLogs(services);
  await sweepPasswordTokens(services.db, services.clock);
  await sweepKept(services);
  await sweepDemoFiles(services);
}

/** Deletes unused files and strips metadata from old ones. */
async function sweepFiles(app: FastifyInstance, services: Services, stopping: AbortSignal): Promise<void> {
  const { db, clock, media } = services;
  await media.sweep(clock.now(), (hash) => neededOf(db, hash));
  await movePosterImages(services);
  await sweepPosterFiles(services);
  await sweepSheets(services);
  const stripped = await stripOldFiles(services, () => stopping.aborted);
  await removeUnstrippedCopies(services);
  await readOldTexts(services, () => stopping.aborted);
  if (stripped > 0) app.log.info({ files: stripped }, 'Metadata of stored files was stripped.');
}

/** Cleans up at startup and once a day. The server doesn't wait for it: there may be many files. */
export const sweepDaily = (app: FastifyInstance, services: Services): void =>
  repeat(app, [
    { name: 'delete old rows', every: DAY_MS, first: 'before', run: () => sweepRows(services) },
    {
      name: 'delete unused files',
      every: DAY_MS,
      first: 'after',
      run: (stopping) => sweepFiles(app, services, stopping),
    },
  ]);
