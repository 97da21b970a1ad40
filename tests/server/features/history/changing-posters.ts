import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for posters. */
export const changingPosters: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'rooms.choosePoster': ({ room, media }) => ({
    right: { params: { id: room }, body: { file_id: media } },
    wrong: { params: { id: room }, body: { file_id: 999_999 } },
    said: { action: 'update', entity: 'room', after: { poster: 'pixel.png' } },
  }),
  'rooms.removePoster': ({ published }) => ({
    right: { params: { id: published } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'room', after: { poster: null } },
  }),
  'templates.choosePoster': ({ template, media }) => ({
    right: { params: { id: template }, body: { file_id: media } },
    wrong: { params: { id: template }, body: { file_id: 999_999 } },
    said: { action: 'update', entity: 'template', after: { poster: 'pixel.png' } },
  }),
  'templates.removePoster': ({ template }) => ({
    right: { params: { id: template } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'template', after: { poster: null } },
  }),
  'endpoints.choosePoster': ({ endpoint, media }) => ({
    right: { params: { id: endpoint }, body: { file_id: media } },
    wrong: { params: { id: endpoint }, body: { file_id: 999_999 } },
    said: { action: 'update', entity: 'endpoint', after: { poster: 'pixel.png' } },
  }),
  'endpoints.removePoster': ({ other }) => ({
    right: { params: { id: other } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'endpoint', after: { poster: null } },
  }),
};
