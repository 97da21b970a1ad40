import type { FastifyInstance } from 'fastify';
import { logFailure } from '../../storage/log-failure.ts';
import { sweepChanges } from '../../store/history/sweep-changes.ts';
import { isHeldByAny } from '../../store/media/held-content.ts';
import { sweepDemoFiles } from '../../store/onboarding/sweep-demo-files.ts';
import { movePosterImages, sweepPosterFiles } from '../../store/posters/poster-files.ts';
import { foldLogs } from '../../store/rooms/fold-logs.ts';
import type { Services } from '../../store/services.ts';
import { sweepPasswordTokens } from '../../store/users/password-links.ts';
import { sweepKept } from './sweep-kept.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Forgets what is kept for a time only, when the server starts and once a day from then on. */
export function sweepDaily(app: FastifyInstance, services: Services): void {
  let timer: NodeJS.Timeout | undefined;
  let sweepingMedia: Promise<void> | undefined;
  const sweepMedia = async () => {
    try {
      const { db, clock, media } = services;
      await media.sweep(clock.now(), (hash) => isHeldByAny(db, hash));
      await movePosterImages(services);
      await sweepPosterFiles(services);
    } catch (error) {
      logFailure(app.health, app.log, error);
    }
  };
  const sweep = async () => {
    try {
      await sweepChanges(services);
      await foldLogs(services);
      await sweepPasswordTokens(services.db, services.clock);
      await sweepKept(services);
      await sweepDemoFiles(services);
    } catch (error) {
      // It is done again tomorrow.
      logFailure(app.health, app.log, error);
    }
    // There may be many files: they are not waited for.
    sweepingMedia = sweepMedia();
  };
  app.addHook('onReady', async () => {
    await sweep();
    timer = setInterval(() => void sweep(), DAY_MS).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await sweepingMedia;
  });
}
