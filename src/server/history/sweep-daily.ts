import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { sweepPasswordTokens } from '../users/password-links.ts';
import { sweepChanges } from './sweep-changes.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Forgets what is kept for a time only, when the server starts and once a day from then on. */
export function sweepDaily(app: FastifyInstance, services: Services): void {
  let timer: NodeJS.Timeout | undefined;
  const sweep = async () => {
    try {
      await sweepChanges(services);
      await sweepPasswordTokens(services.db, services.clock);
    } catch (error) {
      // It is done again tomorrow.
      app.log.error(error);
    }
  };
  app.addHook('onReady', async () => {
    await sweep();
    timer = setInterval(() => void sweep(), DAY).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}
