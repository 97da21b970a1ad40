import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for the order of structures. */
export const changingOrder: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'endpoints.move': ({ endpoint, other }) => ({
    right: { params: { id: endpoint }, body: { parent_endpoint_id: other } },
    wrong: { params: { id: endpoint }, body: { parent_endpoint_id: null, before_id: 999_999 } },
    said: { action: 'update', entity: 'endpoint', after: { one: { parent_endpoint_id: other } } },
  }),
  'endpoints.reorder': ({ endpoint, other }) => ({
    right: { body: { sort: [{ id: other, children: [{ id: endpoint }] }] } },
    wrong: { body: { sort: [{ id: other }] } },
    said: {
      action: 'update',
      entity: 'endpoint',
      after: { one: { parent_endpoint_id: other }, two: { order_rank: 0 } },
    },
  }),
};
