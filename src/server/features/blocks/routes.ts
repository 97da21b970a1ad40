import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { listBlocks } from './queries.ts';
import { createBlock, readBlock, readBlocks, readPlaces, removeBlock, updateBlock } from './service.ts';
import { updatePlacesIn } from './update-places.ts';

export const blocks: Handlers<'blocks'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listBlocks(context.db, context.organizationId, query);
    return { data: await readBlocks(context, rows), meta: pageMeta(total, query) };
  },

  read: (context, { params, query }) => readBlock(context, params.id, query.version),

  create: async (context, { body }) => readBlock(context, await createBlock(context, body)),

  update: async (context, { params, body }) => {
    await updateBlock(context, params.id, body);
    return readBlock(context, params.id);
  },

  remove: async (context, { params }) => {
    await removeBlock(context, params.id);
    return null;
  },

  places: async (context, { params, query }) => {
    const { places, total } = await readPlaces(context, params.id, query);
    return { data: places, meta: pageMeta(total, query) };
  },

  updateIn: (context, { params, body }) => updatePlacesIn(context, params.id, body),
};
