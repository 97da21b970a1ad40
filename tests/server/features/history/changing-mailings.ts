import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for mailings. */
export const changingMailings: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'mailings.create': ({ endpoint }) => ({
    right: { body: { endpoint_id: endpoint, name: 'New', subject: 'Welcome', text: '{link}' } },
    wrong: { body: { endpoint_id: endpoint, name: 'New', subject: 'Welcome', text: '{lnik}' } },
    said: { action: 'create', entity: 'mailing', before: null, after: { name: 'New' } },
  }),
  'mailings.update': ({ mailing }) => ({
    right: { params: { id: mailing }, body: { name: 'Other' } },
    wrong: { params: { id: mailing }, body: { endpoint_id: 999_999 } },
    said: { action: 'update', entity: 'mailing', before: { name: 'Opening' }, after: { name: 'Other' } },
  }),
  'mailings.remove': ({ mailing }) => ({
    right: { params: { id: mailing } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'mailing', before: { name: 'Opening' }, after: null },
  }),
  'mail.update': () => ({
    right: { body: { rate: 2 } },
    wrong: { body: { rate: 1000 } },
    said: { action: 'update', entity: 'organization', before: { mail_rate: 5 }, after: { mail_rate: 2 } },
  }),
};
