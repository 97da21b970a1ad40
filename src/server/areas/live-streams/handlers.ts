import type { LiveStream, LiveStreamType, ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import { pageMeta } from '../../base/db/paging.ts';
import type { LivePlatform } from '../../providers/live/live-platform.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import {
  deleteLiveStream,
  findLiveStream,
  insertLiveStream,
  type LiveStreamRow,
  listLiveStreams,
  lockLiveStream,
  updateLiveStream,
} from '../../store/live-streams/live-streams-repository.ts';
import { touchRooms } from '../../store/rooms/rooms-repository.ts';
import { entryPoliciesOf } from '../../store/users/entry-policies.ts';
import type { Handlers } from '../handler.ts';
import { platformOf } from './platform-of.ts';

/** Whether the caller may be told where senders connect: who knows it can send a picture of their own. */
const mayConnect = ({ user }: CallContext): boolean => user?.policies.live_streams.update ?? false;

/** A broadcast as the caller may see it. */
const shown = (context: CallContext, stream: ModuleStream): ModuleStream =>
  mayConnect(context) ? stream : { ...stream, source_connection_information: null, webrtc_url: '' };

function asLiveStream(context: CallContext, row: LiveStreamRow, stream: ModuleStream | null): LiveStream {
  return {
    id: row.id,
    name: row.name,
    type: row.type as LiveStreamType,
    reference: row.reference,
    state: row.state as LiveStream['state'],
    encoder: row.encoder as LiveStream['encoder'],
    source_connection_information: stream && shown(context, stream).source_connection_information,
    player_hls_playback_url: row.player_hls_playback_url,
    webrtc_url: mayConnect(context) ? row.webrtc_url : '',
    updated_at: row.updated_at,
    policies: entryPoliciesOf(context, 'live_streams'),
  };
}

/** What is kept of a broadcast. Where its sender connects is not: it is asked for each time. */
const columnsOf = ({ id, state, encoder, player_hls_playback_url, webrtc_url }: ModuleStream) => ({
  reference: id,
  state,
  encoder,
  player_hls_playback_url,
  webrtc_url,
});

/** What the change log shows of a live stream. */
const logged = ({ name, type, reference }: LiveStreamRow) => ({ name, type, reference });

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** A broadcast of the platform; null where it has it no longer. */
const readIfThere = (platform: LivePlatform, id: string): Promise<ModuleStream | null> =>
  platform.read(id).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });

/** A broadcast that somebody chose. */
async function chosen(platform: LivePlatform, reference: string): Promise<ModuleStream> {
  const stream = await readIfThere(platform, reference);
  if (!stream)
    throw new ApiError('invalid', { reference: ['The platform does not have this broadcast. Choose another.'] });
  return stream;
}

/** Brings what is kept in line with the platform. It counts as no edit, so that nobody's edit becomes stale by it. */
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

async function rowOf({ db, organizationId }: CallContext, id: number): Promise<LiveStreamRow> {
  const row = await findLiveStream(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

const platformOfRow = (context: CallContext, { type }: LiveStreamRow) => platformOf(context, type as LiveStreamType);

/** A live stream as it is now. */
async function current(context: CallContext, row: LiveStreamRow): Promise<LiveStream> {
  const stream = await readIfThere(await platformOfRow(context, row), row.reference);
  return asLiveStream(context, await refresh(context, row, stream), stream);
}

/** Starts or stops a live stream. */
async function turn(context: CallContext, id: number, verb: 'start' | 'stop'): Promise<LiveStream> {
  const row = await rowOf(context, id);
  const platform = await platformOfRow(context, row);
  await platform[verb](row.reference);
  const after = await current(context, row);
  const change = { action: 'update', entity: 'live_stream', entity_id: id, name: row.name } as const;
  await recordChange(context.db, context, { ...change, before: { state: row.state }, after: { state: after.state } });
  return after;
}

export const liveStreams: Handlers<'liveStreams'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listLiveStreams(context.db, context.organizationId, query);
    return { data: rows.map((row) => asLiveStream(context, row, null)), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => current(context, await rowOf(context, params.id)),

  create: async (context, { body }) => {
    const { organizationId, clock } = context;
    const { name, type, reference, new_stream } = body;
    const platform = await platformOf(context, type);
    const stream = new_stream ? await platform.create(new_stream) : await chosen(platform, reference!);
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
      await recordChange(db, context, { ...change, after: logged(made) });
      return made;
    });
    return asLiveStream(context, row, stream);
  },

  update: async (context, { params, body }) => {
    const { organizationId, clock } = context;
    const { updated_at, name, reference } = body;
    const before = await rowOf(context, params.id);
    refuseStale(before.updated_at, updated_at);
    const platform = await platformOfRow(context, before);
    const running = await refresh(context, before, await readIfThere(platform, before.reference));
    if (running.state !== 'stopped')
      throw new ApiError('in_use', 'This live stream is on the air, or about to be. Stop it before you change it.');
    const stream = reference === undefined ? null : await chosen(platform, reference);
    await context.db.transaction().execute(async (db) => {
      const row = await lockLiveStream(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      const values = { ...(stream && columnsOf(stream)), name: name ?? row.name };
      await updateLiveStream(db, row.id, { ...values, updated_at: nextTimestamp(clock, row.updated_at) });
      if (stream) await touchRooms(db, organizationId);
      const change = { action: 'update', entity: 'live_stream', entity_id: row.id, name: values.name } as const;
      await recordChange(db, context, { ...change, before: logged(row), after: logged({ ...row, ...values }) });
    });
    return current(context, await rowOf(context, params.id));
  },

  remove: async (context, { params }) => {
    const { organizationId } = context;
    await context.db.transaction().execute(async (db) => {
      const row = await lockLiveStream(db, organizationId, params.id);
      if (!row) throw new ApiError('not_found');
      await deleteLiveStream(db, row.id);
      await touchRooms(db, organizationId);
      const change = { action: 'delete', entity: 'live_stream', entity_id: row.id, name: row.name } as const;
      await recordChange(db, context, { ...change, before: logged(row) });
    });
    return null;
  },

  start: async (context, { params }) => turn(context, params.id, 'start'),
  stop: async (context, { params }) => turn(context, params.id, 'stop'),

  moduleList: async (context, { params }) => {
    const platform = await platformOf(context, params.module);
    const list = await platform.list();
    return list.map((stream) => shown(context, stream));
  },

  moduleRead: async (context, { params }) => {
    const platform = await platformOf(context, params.module);
    return shown(context, await platform.read(params.id));
  },

  moduleState: async (context, { params }) => {
    const { db, organizationId } = context;
    const platform = await platformOf(context, params.module);
    const state = await platform.state(params.id);
    await db
      .updateTable('live_streams')
      .set({ state })
      .where('organization_id', '=', organizationId)
      .where('type', '=', params.module)
      .where('reference', '=', params.id)
      .where('state', '!=', state)
      .execute();
    return { state };
  },
};
