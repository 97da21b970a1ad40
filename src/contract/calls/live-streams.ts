import { z } from 'zod';
import { line } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import {
  ENCODERS,
  LIVE_STREAM_TYPES,
  liveStreamSchema,
  liveStreamState,
  moduleStreamSchema,
  stamp,
} from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name } = liveStreamSchema.shape;
const reference = line(200).min(1, 'Choose a broadcast.').describe('Broadcast ID on the platform.');
const module = z
  .enum([...LIVE_STREAM_TYPES, 'youtube'])
  .transform((name) => (name === 'youtube' ? 'youtube_live' : name))
  .pipe(z.enum(LIVE_STREAM_TYPES))
  .describe('Platform. `youtube` is an alias of `youtube_live`.');
const moduleParams = z.object({ module });
const streamParams = z.object({ module, id: line(200).min(1).describe('ID on the platform.') });
/** Errors of calls to a platform. */
const platform = ['not_found', 'not_set_up', 'provider_failed', 'provider_busy'] as const;

export const LIVE_STREAM_ORDERS = ['name', '-name', 'type', '-type', 'state', '-state', 'edited', '-edited'] as const;

export const liveStreams = {
  list: call({
    method: 'GET',
    path: '/backend/live-streams',
    summary: 'Lists live streams, by name by default.',
    access: 'live_streams.view_any',
    query: listQuery.extend({ sort: z.enum(LIVE_STREAM_ORDERS).default('name').describe('Sort order.') }),
    output: z.array(liveStreamSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/live-streams/:id',
    summary: 'Returns a live stream with its connection settings.',
    access: 'live_streams.view_any',
    params: idParams,
    output: liveStreamSchema,
    errors: platform,
  }),
  create: call({
    method: 'POST',
    path: '/backend/live-streams',
    summary: 'Creates a live stream from an existing broadcast (`reference`) or a new one (`new_stream`).',
    access: 'live_streams.create',
    body: z
      .strictObject({
        name,
        type: module,
        reference: reference.optional(),
        new_stream: z
          .strictObject({
            name: line(200).min(1, 'Give the new stream a name.').describe('Title on the platform.'),
            encoder: z.enum(ENCODERS).describe('Encoder type.'),
          })
          .optional()
          .describe('New broadcast to create on the platform.'),
      })
      .refine((body) => (body.reference === undefined) !== (body.new_stream === undefined), {
        path: ['reference'],
        error: 'Choose a broadcast or create a new one.',
      }),
    output: liveStreamSchema,
    errors: platform,
    status: 201,
    done: 'The live stream has been added.',
  }),
  update: call({
    method: 'PUT',
    edits: {
      read: 'liveStreams.read',
      moving: ['state', 'source_connection_information', 'player_hls_playback_url', 'webrtc_url', 'edited_by'],
    },
    path: '/backend/live-streams/:id',
    summary: 'Updates the given fields while the stream is stopped.',
    access: 'live_streams.update',
    params: idParams,
    body: z.strictObject({ name: name.optional(), reference: reference.optional(), updated_at: stamp.optional() }),
    output: liveStreamSchema,
    errors: ['in_use', ...platform],
    done: 'The live stream has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/live-streams/:id',
    summary: 'Deletes a live stream. The broadcast stays on its platform.',
    access: 'live_streams.delete',
    params: idParams,
    output: z.null(),
    done: 'The live stream has been removed.',
  }),
  start: call({
    method: 'POST',
    path: '/backend/live-streams/:id/start',
    summary: 'Starts the live stream on its platform.',
    access: 'live_streams.update',
    params: idParams,
    output: liveStreamSchema,
    errors: platform,
  }),
  stop: call({
    method: 'POST',
    path: '/backend/live-streams/:id/stop',
    summary: 'Stops the live stream on its platform.',
    access: 'live_streams.update',
    params: idParams,
    output: liveStreamSchema,
    errors: platform,
  }),
  moduleList: call({
    method: 'GET',
    path: '/backend/live-streams/module/:module',
    summary: 'Lists broadcasts on a platform.',
    access: 'live_streams.view_any',
    params: moduleParams,
    output: z.array(moduleStreamSchema),
    errors: platform,
  }),
  moduleRead: call({
    method: 'GET',
    path: '/backend/live-streams/module/:module/:id',
    summary: 'Returns a broadcast on a platform.',
    access: 'live_streams.view_any',
    params: streamParams,
    output: moduleStreamSchema,
    errors: platform,
  }),
  moduleState: call({
    method: 'GET',
    path: '/backend/live-streams/module/:module/:id/state',
    summary: 'Returns the state of a broadcast on a platform.',
    access: 'live_streams.view_any',
    params: streamParams,
    output: z.object({ state: liveStreamState }),
    errors: platform,
  }),
};
