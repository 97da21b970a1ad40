import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { listDue, lockPublications } from './publications-repository.ts';
import { settleSchedule } from './settle-schedule.ts';

/** Milliseconds between two checks. Visitors see a publication on time in any case; this only records it. */
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

/** Records scheduled publications that are due. */
export const publishScheduled = (app: FastifyInstance, services: Services): void =>
  repeat(app, [{ every: DUE_EVERY, first: 'before', run: () => publishDue(services) }]);
