import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../base/clock.ts';
import { logFailure } from '../../storage/log-failure.ts';
import { listDue, lockPublications } from '../../store/publications/publications-repository.ts';
import { settleSchedule } from '../../store/publications/settle-schedule.ts';
import type { Services } from '../../store/services.ts';

/** Milliseconds between looking for what is due. Visitors see it at its time in any case: this only writes it down. */
const DUE_EVERY = 15_000;

/**
 * Does what was scheduled and is due. Of several processes that find the same, the first locks the space and does it, and
 * the others find nothing left.
 */
export async function publishDue({ db: database, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  for (const { room_id, organization_id } of await listDue(database, timestampOf(clock.now())))
    await database.transaction().execute(async (db) => {
      const room = await lockPublications(db, organization_id, room_id);
      if (room) await settleSchedule(db, { clock }, room);
    });
}

/** Does what was scheduled, when the server starts and a few times a minute from then on. */
export function publishScheduled(app: FastifyInstance, services: Services): void {
  let timer: NodeJS.Timeout | undefined;
  let publishing: Promise<void> | undefined;
  const publish = async () => {
    try {
      await publishDue(services);
    } catch (error) {
      // It is looked for again soon.
      logFailure(app.health, app.log, error);
    }
  };
  app.addHook('onReady', async () => {
    await publish();
    timer = setInterval(() => {
      publishing = publish();
    }, DUE_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await publishing;
  });
}
