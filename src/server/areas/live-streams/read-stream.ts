import type { LiveStream, LiveStreamType, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { LivePlatform } from '../../providers/live/live-platform.ts';
import type { CallContext } from '../../store/call-context.ts';
import { lastEditors } from '../../store/history/last-editors.ts';
import {
  findLiveStream,
  type LiveStreamRow,
  updateLiveStream,
} from '../../store/live-streams/live-streams-repository.ts';
import { touchRooms } from '../../store/rooms/rooms-repository.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import { findPlatform } from './find-platform.ts';

/** Whether the caller may be told where senders connect: who knows it can send a picture of their own. */
const mayConnect = ({ user }: CallContext): boolean => user?.policies.live_streams.update ?? false;

/** A broadcast as the caller may see it. */
export const shownBroadcast = (context: CallContext, stream: ModuleStream): ModuleStream =>
  mayConnect(context) ? stream : { ...stream, source_connection_information: null, webrtc_url: '' };

/** A live stream as the back-office shows it. */
export async function asLiveStream(
  context: CallContext,
  row: LiveStreamRow,
  stream: ModuleStream | null,
): Promise<LiveStream> {
  const [shown] = await asLiveStreams(context, [row], stream);
  return shown!;
}

/** Live streams as the back-office shows them. @param stream what the platform says, where one is asked for */
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

/** What is kept of a broadcast. Where its sender connects is not: it is asked for each time. */
export const columnsOf = ({ id, state, encoder, player_hls_playback_url, webrtc_url }: ModuleStream) => ({
  reference: id,
  state,
  encoder,
  player_hls_playback_url,
  webrtc_url,
});

/** What the change log shows of a live stream. */
export const loggedStream = ({ name, type, reference }: LiveStreamRow) => ({ name, type, reference });

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** A broadcast of the platform; null where it has it no longer. */
export const readIfThere = (platform: LivePlatform, id: string): Promise<ModuleStream | null> =>
  platform.read(id).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });

/** Brings what is kept in line with the platform. It counts as no edit, so that nobody's edit becomes stale by it. */
export async function refresh(
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
  const row = await findLiveStream(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

/** The platform of a live stream. @throws ApiError not_set_up */
export const platformOfRow = (context: CallContext, { type }: LiveStreamRow) =>
  findPlatform(context, type as LiveStreamType);

/** A live stream as it is now. */
export async function currentStream(context: CallContext, row: LiveStreamRow): Promise<LiveStream> {
  const stream = await readIfThere(await platformOfRow(context, row), row.reference);
  return asLiveStream(context, await refresh(context, row, stream), stream);
}
