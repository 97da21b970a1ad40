import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { listLiveStreams, noteStreamState } from './queries.ts';
import {
  asLiveStreams,
  createStream,
  currentStream,
  findPlatform,
  removeStream,
  shownBroadcast,
  streamRowOf,
  turnStream,
  updateStream,
} from './service.ts';

export const liveStreams: Handlers<'liveStreams'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listLiveStreams(context.db, context.organizationId, query);
    return { data: await asLiveStreams(context, rows), meta: pageMeta(total, query) };
  },

  read: async (context, { params }) => currentStream(context, await streamRowOf(context, params.id)),

  create: async (context, { body }) => createStream(context, body),

  update: async (context, { params, body }) => updateStream(context, params.id, body),

  remove: async (context, { params }) => {
    await removeStream(context, params.id);
    return null;
  },

  start: async (context, { params }) => turnStream(context, params.id, 'start'),
  stop: async (context, { params }) => turnStream(context, params.id, 'stop'),

  moduleList: async (context, { params }) => {
    const platform = await findPlatform(context, params.module);
    const list = await platform.list();
    return list.map((stream) => shownBroadcast(context, stream));
  },

  moduleRead: async (context, { params }) => {
    const platform = await findPlatform(context, params.module);
    return shownBroadcast(context, await platform.read(params.id));
  },

  moduleState: async (context, { params }) => {
    const { db, organizationId } = context;
    const platform = await findPlatform(context, params.module);
    const state = await platform.state(params.id);
    await noteStreamState(db, organizationId, { type: params.module, reference: params.id, state });
    return { state };
  },
};
