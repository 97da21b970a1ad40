import type { Handlers } from '../../core/http/handler.ts';
import { createPreviewLink, publishRoom, readPublication, removeSchedule, unpublishRoom } from './service.ts';

export const publications: Handlers<'publications'> = {
  read: async (context, { params }) => readPublication(context, params.id),

  publish: async (context, { params, body }) => {
    await publishRoom(context, params.id, body);
    return readPublication(context, params.id);
  },

  unpublish: async (context, { params }) => {
    await unpublishRoom(context, params.id);
    return readPublication(context, params.id);
  },

  cancel: async (context, { params }) => {
    await removeSchedule(context, params.id);
    return readPublication(context, params.id);
  },

  createPreviewLink: async (context, { params, body }) => createPreviewLink(context, params.id, body),
};
