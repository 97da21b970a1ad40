import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { LiveStream } from '../../../contract/entities.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { insertLiveStream } from '../../store/live-streams/live-streams-repository.ts';
import { findBroadcast } from './find-broadcast.ts';
import { findPlatform } from './find-platform.ts';
import { asLiveStream, columnsOf, loggedStream } from './read-stream.ts';

/** Adds a live stream, of a broadcast that the platform has or that is made there. */
export async function createStream(
  context: CallContext,
  body: z.output<typeof calls.liveStreams.create.body>,
): Promise<LiveStream> {
  const { organizationId, clock } = context;
  const { name, type, reference, new_stream } = body;
  const platform = await findPlatform(context, type);
  const stream = new_stream ? await platform.create(new_stream) : await findBroadcast(platform, reference!);
  const at = nextTimestamp(clock);
  const values = {
    ...columnsOf(stream),
    name,
    type,
    organization_id: organizationId,
    created_at: at,
    updated_at: at,
  };
  const row = await context.db.transaction().execute(async (db) => {
    const made = await insertLiveStream(db, values);
    const change = { action: 'create', entity: 'live_stream', entity_id: made.id, name } as const;
    await recordChange(db, context, { ...change, after: loggedStream(made) });
    return made;
  });
  return asLiveStream(context, row, stream);
}
