import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { deleteSchedule, findSchedule } from '../../store/publications/publications-repository.ts';
import { calledRevision } from '../../store/publications/settle-schedule.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Cancels what is scheduled of a space.
 * @throws ApiError not_found, or invalid where nothing is scheduled
 */
export async function removeSchedule(context: CallContext, roomId: number): Promise<void> {
  await updatePublication(context, roomId, async ({ db, room }) => {
    const schedule = await findSchedule(db, room.id);
    if (!schedule) throw new ApiError('invalid', 'Nothing is scheduled for this space.');
    await deleteSchedule(db, room.id);
    const { at, zone, revision_id } = schedule;
    return { canceled: await calledRevision(db, context.organizationId, revision_id!), at, zone };
  });
}
