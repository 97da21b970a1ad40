import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for tours. */
export const changingTours: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'tours.create': ({ tour }) => ({
    right: { body: { name: 'Walk', files: tour?.photos, template_id: tour?.template } },
    wrong: { body: { name: 'Walk', files: [1, 999_999] } },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Walk', elements: 4 } },
  }),
  'tours.merge': ({ tour }) => ({
    right: { body: { name: 'Walk', rooms: tour?.rooms } },
    wrong: { body: { name: 'Walk', rooms: [1, 999_999] } },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Walk', elements: 2 } },
  }),
  'tours.importTour': ({ tour }) => ({
    right: {
      body: {
        name: 'Walk',
        template_id: tour?.template,
        configs: [{ path: 'tour.json', text: '{"title": "Hall", "panorama": "hall.jpg"}' }],
        panoramas: [{ key: 'Hall', file_id: tour?.photos?.[0] }],
      },
    },
    wrong: { body: { name: 'Walk', configs: [{ path: 'tour.json', text: '{' }] } },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Walk', elements: 1 } },
  }),
  'iiif.hang': ({ tour }) => ({
    right: { body: { name: 'Walk', files: tour?.photos, template_id: tour?.template } },
    wrong: { body: { name: 'Walk', files: [1, 999_999] } },
    said: { action: 'import', entity: 'room', before: null, after: { title: 'Walk' } },
  }),
};
