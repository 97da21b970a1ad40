import type { FastifyInstance } from 'fastify';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import { findRevision } from '../revisions/queries.ts';
import type { StoredRoom } from '../rooms/queries.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import {
  deleteSchedule,
  findSchedule,
  forgetPublications,
  insertPublication,
  listDue,
  lockPublications,
} from './queries.ts';

/** Milliseconds between checks. Visitors see a publication on time in any case; this only records it. */
const DUE_EVERY = 15_000;

/**
 * Records due schedules. Of several concurrent processes, the first locks the space and records it; the others find
 * nothing left.
 */
export async function publishDue({ db: database, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  for (const { room_id, organization_id } of await listDue(database, timestampOf(clock.now())))
    await database.transaction().execute(async (db) => {
      const room = await lockPublications(db, organization_id, room_id);
      if (room) await settleSchedule(db, { clock }, room);
    });
}

/** Records due schedules periodically. */
export const publishScheduled = (app: FastifyInstance, services: Services): void =>
  repeat(app, [{ name: 'publish', every: DUE_EVERY, first: 'before', run: () => publishDue(services) }]);

/** Name of a revision in change log entries: its own, or its creation time. */
export async function revisionLabel(db: Database, organizationId: number, id: number): Promise<string> {
  const revision = await findRevision(db, organizationId, id);
  return revision?.name || (revision?.created_at ?? '');
}

/**
 * Records a space's due schedule, with its publications locked. It follows everything published since it was scheduled,
 * under the name of its author; in the change log, the author is the server.
 */
export async function settleSchedule(db: Database, { clock }: Pick<Author, 'clock'>, room: StoredRoom): Promise<void> {
  const schedule = await findSchedule(db, room.id);
  if (!schedule || schedule.at > timestampOf(clock.now())) return;
  const { id: _id, ...publication } = schedule;
  await deleteSchedule(db, room.id);
  await insertPublication(db, { ...publication, is_scheduled: 0, updated_at: timestampOf(clock.now()) });
  await forgetPublications(db, room.id);
  const { organization_id: organizationId } = room;
  const server = { clock, organizationId, user: null };
  await emitWebhookEvent(db, server, 'space.published', { space: { id: room.id, title: room.title } });
  const published = await revisionLabel(db, organizationId, schedule.revision_id!);
  const facts = { published, scheduled_for: schedule.at };
  const about = { entity_id: room.id, room_id: room.id, name: room.title };
  await recordChange(db, server, { action: 'update', entity: 'room', ...about, facts });
}
