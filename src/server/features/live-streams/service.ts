import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { LiveStream, LiveStreamType, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { refuseStale } from '../../core/http/stale.ts';
import type { LivePlatform } from '../../providers/live/live-platform.ts';
import { vimeoRecurring, vimeoSingle } from '../../providers/live/vimeo-live.ts';
import { wowzaLive } from '../../providers/live/wowza.ts';
import { youtubeLive } from '../../providers/live/youtube-live.ts';
import { touchRooms } from '../rooms/queries.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import { type LiveStreamRow, liveStreamRows, updateLiveStream } from './queries.ts';

/**
 * The platform for a type of live stream, with the organization's account.
 * @throws ApiError not_set_up
 */
export async function findPlatform(
  { outgoing, organizationId, clock }: CallContext,
  type: LiveStreamType,
): Promise<LivePlatform> {
  const { wowza, youtube, vimeo } = await outgoing.of(organizationId);
  if (type === 'wowza_live' && wowza) return wowzaLive(wowza.client, wowza.location);
  if (type === 'youtube_live' && youtube) return youtubeLive(youtube, clock);
  if (type === 'vimeo' && vimeo) return vimeoSingle(vimeo);
  if (type === 'vimeo_live' && vimeo) return vimeoRecurring(vimeo);
  throw new ApiError('not_set_up');
}

/** Whether the caller may see the ingest address, which allows anyone to broadcast. */
const mayConnect = ({ user }: CallContext): boolean => user?.policies.live_streams.update ?? false;

/** A broadcast with the fields that the caller may see. */
export const shownBroadcast = (context: CallContext, stream: ModuleStream): ModuleStream =>
  mayConnect(context) ? stream : { ...stream, source_connection_information: null, webrtc_url: '' };

/** A live stream in back-office format. */
async function asLiveStream(
  context: CallContext,
  row: LiveStreamRow,
  stream: ModuleStream | null,
): Promise<LiveStream> {
  const [shown] = await asLiveStreams(context, [row], stream);
  return shown!;
}

/** Live streams in back-office format. @param stream the platform's current data for a single live stream */
export async function asLiveStreams(
  context: CallContext,
  rows: readonly LiveStreamRow[],
  stream: ModuleStream | null = null,
): Promise<LiveStream[]> {
  const { db, organizationId } = context;
  const editors = await lastEditors(
    db,
    organizationId,
    'live_stream',
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.type as LiveStreamType,
    reference: row.reference,
    state: row.state as LiveStream['state'],
    encoder: row.encoder as LiveStream['encoder'],
    source_connection_information: stream && shownBroadcast(context, stream).source_connection_information,
    player_hls_playback_url: row.player_hls_playback_url,
    webrtc_url: mayConnect(context) ? row.webrtc_url : '',
    updated_at: row.updated_at,
    edited_by: editors.get(row.id) ?? null,
    policies: entryPoliciesOf(context, 'live_streams'),
  }));
}

/** The stored fields of a broadcast. The ingest address isn't stored; it is requested each time. */
const columnsOf = ({ id, state, encoder, player_hls_playback_url, webrtc_url }: ModuleStream) => ({
  reference: id,
  state,
  encoder,
  player_hls_playback_url,
  webrtc_url,
});

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** A broadcast of the platform; null if it no longer exists. */
const readIfThere = (platform: LivePlatform, id: string): Promise<ModuleStream | null> =>
  platform.read(id).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });

/** Syncs the stored state with the platform. This isn't an edit and doesn't make anyone's edit stale. */
async function refresh(
  { db: database, organizationId }: CallContext,
  row: LiveStreamRow,
  stream: ModuleStream | null,
): Promise<LiveStreamRow> {
  const now = stream ? columnsOf(stream) : { ...row, state: 'stopped' };
  const { state, encoder, player_hls_playback_url, webrtc_url } = now;
  const values = { state, encoder, player_hls_playback_url, webrtc_url };
  const names = Object.keys(values) as (keyof typeof values)[];
  if (names.every((name) => row[name] === values[name])) return row;
  await database.transaction().execute(async (db) => {
    await updateLiveStream(db, row.id, values);
    if (row.player_hls_playback_url !== player_hls_playback_url) await touchRooms(db, organizationId);
  });
  return { ...row, ...values };
}

/** @throws ApiError not_found */
export async function streamRowOf({ db, organizationId }: CallContext, id: number): Promise<LiveStreamRow> {
  return orNotFound(await liveStreamRows.find(db, organizationId, id));
}

/** The platform of a live stream. @throws ApiError not_set_up */
const platformOfRow = (context: CallContext, { type }: LiveStreamRow) => findPlatform(context, type as LiveStreamType);

/** A live stream in its current state on the platform. */
export async function currentStream(context: CallContext, row: LiveStreamRow): Promise<LiveStream> {
  const stream = await readIfThere(await platformOfRow(context, row), row.reference);
  return asLiveStream(context, await refresh(context, row, stream), stream);
}

/**
 * Finds the chosen broadcast.
 * @throws ApiError invalid if the platform no longer has it
 */
async function findBroadcast(platform: LivePlatform, reference: string): Promise<ModuleStream> {
  const stream = await readIfThere(platform, reference);
  if (!stream)
    throw new ApiError('invalid', { reference: ['Broadcast not found on the platform. Choose another one.'] });
  return stream;
}

/** Adds a live stream for an existing or a new broadcast of the platform. */
export async function createStream(
  context: CallContext,
  body: z.output<typeof calls.liveStreams.create.body>,
): Promise<LiveStream> {
  const { name, type, reference, new_stream } = body;
  const platform = await findPlatform(context, type);
  const stream = new_stream ? await platform.create(new_stream) : await findBroadcast(platform, reference!);
  const values = { ...columnsOf(stream), name, type };
  const row = await context.db.transaction().execute((db) => liveStreamRows.create(db, context, values));
  return asLiveStream(context, row, stream);
}

/** Removes a live stream; the platform keeps its broadcast. @throws ApiError not_found */
export async function removeStream(context: CallContext, id: number): Promise<void> {
  const { organizationId } = context;
  await context.db.transaction().execute(async (db) => {
    await liveStreamRows.remove(db, context, id);
    await touchRooms(db, organizationId);
  });
}

/**
 * Updates a live stream that is off the air.
 * @throws ApiError not_found, stale or in_use
 */
export async function updateStream(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.liveStreams.update.body>,
): Promise<LiveStream> {
  const { organizationId } = context;
  const { updated_at, name, reference } = body;
  const before = await streamRowOf(context, id);
  refuseStale(before.updated_at, updated_at);
  const platform = await platformOfRow(context, before);
  const running = await refresh(context, before, await readIfThere(platform, before.reference));
  if (running.state !== 'stopped')
    throw new ApiError('in_use', 'This live stream is starting or live. Stop it before you change it.');
  const stream = reference === undefined ? null : await findBroadcast(platform, reference);
  await context.db.transaction().execute(async (db) => {
    const values = { ...(stream && columnsOf(stream)), ...(name !== undefined && { name }) };
    await liveStreamRows.update(db, context, id, { seen: updated_at, values: () => values });
    if (stream) await touchRooms(db, organizationId);
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
    if (verb === 'start')
      await emitWebhookEvent(db, context, 'stream.started', { live_stream: { id, name: row.name } });
  });
  return after;
}
