import { formOf } from './api-app.ts';

/** Ids of access tokens, and of what their holders get. */
export interface GuestFixture {
  endpoint: number;
  token: number;
  /** A check-in link of the structure, and the headers of its page's requests. */
  checkInLink: { id: number; headers: Record<string, string> };
  /** Mailings in each state, and e-mails of the one that is done. */
  mailing: Record<'draft' | 'sending' | 'paused' | 'done' | 'rejected' | 'uncertain', number>;
}

/** A request of each call about access tokens, check-in and e-mails. */
export const guestRequests = {
  'accessTokens.list': () => ({}),
  'accessTokens.export': () => ({}),
  'accessTokens.groups': () => ({}),
  'accessTokens.read': ({ token }) => ({ params: { id: token } }),
  'accessTokens.create': ({ endpoint }) => ({ body: { endpoint_id: endpoint } }),
  'accessTokens.update': ({ token }) => ({ params: { id: token }, body: { valid_duration: 30 } }),
  'accessTokens.revoke': ({ token }) => ({ params: { id: token } }),
  'accessTokens.remove': ({ token }) => ({ params: { id: token } }),
  'accessTokens.createMany': ({ endpoint }) => ({ body: { endpoint_id: endpoint, count: 3 } }),
  'accessTokens.importFile': ({ endpoint }) => ({
    params: { id: endpoint },
    form: formOf({}, { field: 'access_tokens_file', name: 'codes.csv', content: new Blob(['abc']) }),
  }),
  'accessTokens.readTable': () => ({
    form: formOf({}, { field: 'access_tokens_file', name: 'codes.csv', content: new Blob(['abc']) }),
  }),
  'accessTokens.removeMany': ({ token }) => ({ body: { ids: [token] } }),
  'checkIn.links': ({ endpoint }) => ({ params: { id: endpoint } }),
  'checkIn.create': ({ endpoint }) => ({ params: { id: endpoint }, body: { name: 'Entrance' } }),
  'checkIn.remove': ({ checkInLink: { id } }) => ({ params: { id } }),
  'checkIn.guests': ({ checkInLink: { headers } }) => ({ headers }),
  'checkIn.find': ({ checkInLink: { headers } }) => ({ headers, body: { token: 'x' } }),
  'checkIn.checkIn': ({ token, checkInLink: { headers } }) => ({ params: { id: token }, headers, body: {} }),
  'checkIn.undo': ({ token, checkInLink: { headers } }) => ({
    params: { id: token },
    headers,
    body: { checked_in_at: '2026-03-10T12:00:00.000Z' },
  }),
  'mailings.list': () => ({}),
  'mailings.read': ({ mailing }) => ({ params: { id: mailing.draft } }),
  'mailings.create': ({ endpoint }) => ({
    body: { endpoint_id: endpoint, name: 'New', subject: 'Welcome', text: '{link}' },
  }),
  'mailings.update': ({ mailing }) => ({ params: { id: mailing.draft }, body: { name: 'Changed' } }),
  'mailings.remove': ({ mailing }) => ({ params: { id: mailing.draft } }),
  'mailings.test': ({ mailing, token }) => ({ params: { id: mailing.draft }, body: { ids: [token] } }),
  'mailings.recipients': ({ endpoint, token }) => ({ body: { endpoint_id: endpoint, ids: [token] } }),
  'mailings.send': ({ mailing, token }) => ({ params: { id: mailing.draft }, body: { ids: [token] } }),
  'mailings.pause': ({ mailing }) => ({ params: { id: mailing.sending } }),
  'mailings.resume': ({ mailing }) => ({ params: { id: mailing.paused } }),
  'mailings.emails': ({ mailing }) => ({ params: { id: mailing.done } }),
  'mailings.resend': ({ mailing }) => ({ params: { id: mailing.done }, body: { ids: [mailing.rejected] } }),
  'mailings.markSent': ({ mailing }) => ({ params: { id: mailing.done }, body: { ids: [mailing.uncertain] } }),
  'mail.read': () => ({}),
  'mail.update': () => ({ body: { rate: 2 } }),
  'mail.test': () => ({}),
  'mail.testMailbox': () => ({}),
} satisfies Record<string, (fixture: GuestFixture) => object>;
