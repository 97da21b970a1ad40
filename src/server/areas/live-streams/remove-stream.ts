import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { deleteLiveStream, lockLiveStream } from '../../store/live-streams/live-streams-repository.ts';
import { touchRooms } from '../../store/rooms/rooms-repository.ts';
import { loggedStream } from './read-stream.ts';

/** Removes a live stream; the platform keeps its broadcast. @throws ApiError not_found */
export async function removeStream(context: CallContext, id: number): Promise<void> {
  const { organizationId } = context;
  await context.db.transaction().execute(async (db) => {
    const row = await lockLiveStream(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    await deleteLiveStream(db, row.id);
    await touchRooms(db, organizationId);
    const change = { action: 'delete', entity: 'live_stream', entity_id: row.id, name: row.name } as const;
    await recordChange(db, context, { ...change, before: loggedStream(row), content: { rows: [row] } });
  });
}
