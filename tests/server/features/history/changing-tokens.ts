import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for access tokens and check-in. */
export const changingTokens: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'accessTokens.create': ({ endpoint }) => ({
    right: { body: { endpoint_id: endpoint, token: 'A secret code' } },
    wrong: { body: { endpoint_id: endpoint, token: 'known' } },
    said: { action: 'create', entity: 'access_token', before: null, after: { endpoint_id: endpoint } },
  }),
  'accessTokens.createMany': ({ endpoint }) => ({
    right: { body: { endpoint_id: endpoint, count: 30 } },
    wrong: { body: { endpoint_id: endpoint, count: 10_000, length: 6 } },
    said: { action: 'create', entity: 'access_token', after: { endpoint_id: endpoint, count: 30 } },
  }),
  'accessTokens.update': ({ token }) => ({
    right: { params: { id: token }, body: { valid_duration: 30 } },
    wrong: { params: { id: token }, body: { endpoint_id: 999_999 } },
    said: { action: 'update', entity: 'access_token', before: { valid_duration: null }, after: { valid_duration: 30 } },
  }),
  'accessTokens.revoke': ({ token }) => ({
    right: { params: { id: token } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'access_token', before: { valid_till: null } },
  }),
  'checkIn.create': ({ endpoint }) => ({
    right: { params: { id: endpoint }, body: { name: 'Back door' } },
    wrong: { params: { id: endpoint }, body: { name: '' } },
    said: { action: 'update', entity: 'endpoint', after: { check_in_link_added: 'Back door' } },
  }),
  'checkIn.remove': ({ checkInLink }) => ({
    right: { params: { id: checkInLink } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'endpoint', after: { check_in_link_removed: 'Front door' } },
  }),
  'accessTokens.remove': ({ token }) => ({
    right: { params: { id: token } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'access_token', after: null },
  }),
  'accessTokens.removeMany': ({ token }) => ({
    right: { body: { ids: [token] } },
    wrong: { body: { ids: [token, 999_999] } },
    said: { action: 'delete', entity: 'access_token', before: { count: 1, ids: [token] }, after: null },
  }),
};
