import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import {
  deleteSchedule,
  findPublished,
  findSchedule,
  insertPublication,
} from '../../store/publications/publications-repository.ts';
import { calledRevision } from '../../store/publications/settle-schedule.ts';
import { changePublication } from './change-publication.ts';

/**
 * Takes the publication of a space back. What is scheduled stays so.
 * @throws ApiError not_found, or invalid where nothing is published
 */
export async function unpublishRoom(context: CallContext, roomId: number): Promise<void> {
  const { organizationId, user } = context;
  await changePublication(context, roomId, async ({ db, room, at }) => {
    const revision = await findPublished(db, organizationId, room.id, at);
    if (revision === null) throw new ApiError('invalid', 'Nothing is published of this space.');
    await insertPublication(db, {
      organization_id: organizationId,
      room_id: room.id,
      revision_id: null,
      user_id: user?.userId ?? null,
      at,
      zone: null,
      is_scheduled: 0,
      template_id: null,
      file_ids: '[]',
      created_at: at,
      updated_at: at,
    });
    return { unpublished: await calledRevision(db, organizationId, revision) };
  });
}

/**
 * Cancels what is scheduled of a space.
 * @throws ApiError not_found, or invalid where nothing is scheduled
 */
export async function cancelSchedule(context: CallContext, roomId: number): Promise<void> {
  await changePublication(context, roomId, async ({ db, room }) => {
    const schedule = await findSchedule(db, room.id);
    if (!schedule) throw new ApiError('invalid', 'Nothing is scheduled for this space.');
    await deleteSchedule(db, room.id);
    const { at, zone, revision_id } = schedule;
    return { canceled: await calledRevision(db, context.organizationId, revision_id!), at, zone };
  });
}
