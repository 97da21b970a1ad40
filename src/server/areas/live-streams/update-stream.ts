import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { LiveStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { lockLiveStream, updateLiveStream } from '../../store/live-streams/live-streams-repository.ts';
import { touchRooms } from '../../store/rooms/rooms-repository.ts';
import { tellWebhooks } from '../../store/webhooks/tell-webhooks.ts';
import { findBroadcast } from './find-broadcast.ts';
import {
  columnsOf,
  currentStream,
  loggedStream,
  platformOfRow,
  readIfThere,
  refresh,
  streamRowOf,
} from './read-stream.ts';

/**
 * Changes a live stream that is off the air.
 * @throws ApiError not_found, stale or in_use
 */
export async function updateStream(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.liveStreams.update.body>,
): Promise<LiveStream> {
  const { organizationId, clock } = context;
  const { updated_at, name, reference } = body;
  const before = await streamRowOf(context, id);
  refuseStale(before.updated_at, updated_at);
  const platform = await platformOfRow(context, before);
  const running = await refresh(context, before, await readIfThere(platform, before.reference));
  if (running.state !== 'stopped')
    throw new ApiError('in_use', 'This live stream is on the air, or about to be. Stop it before you change it.');
  const stream = reference === undefined ? null : await findBroadcast(platform, reference);
  await context.db.transaction().execute(async (db) => {
    const row = await lockLiveStream(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, updated_at);
    const values = { ...(stream && columnsOf(stream)), name: name ?? row.name };
    await updateLiveStream(db, row.id, { ...values, updated_at: nextTimestamp(clock, row.updated_at) });
    if (stream) await touchRooms(db, organizationId);
    const change = { action: 'update', entity: 'live_stream', entity_id: row.id, name: values.name } as const;
    await recordChange(db, context, {
      ...change,
      before: loggedStream(row),
      after: loggedStream({ ...row, ...values }),
    });
  });
  return currentStream(context, await streamRowOf(context, id));
}

/** Starts or stops a live stream. */
export async function turnStream(context: CallContext, id: number, verb: 'start' | 'stop'): Promise<LiveStream> {
  const row = await streamRowOf(context, id);
  const platform = await platformOfRow(context, row);
  await platform[verb](row.reference);
  const after = await currentStream(context, row);
  const change = { action: 'update', entity: 'live_stream', entity_id: id, name: row.name } as const;
  await context.db.transaction().execute(async (db) => {
    await recordChange(db, context, { ...change, before: { state: row.state }, after: { state: after.state } });
    if (verb === 'start') await tellWebhooks(db, context, 'stream.started', { live_stream: { id, name: row.name } });
  });
  return after;
}
