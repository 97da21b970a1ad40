import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findPublished, insertPublication } from '../../store/publications/publications-repository.ts';
import { calledRevision } from '../../store/publications/settle-schedule.ts';
import { updatePublication } from './update-publication.ts';

/**
 * Takes the publication of a space back. What is scheduled stays so.
 * @throws ApiError not_found, or invalid where nothing is published
 */
export async function unpublishRoom(context: CallContext, roomId: number): Promise<void> {
  const { organizationId, user } = context;
  await updatePublication(context, roomId, async ({ db, room, at }) => {
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
