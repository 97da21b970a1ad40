import type { Fixture, Request, Said } from './changing-requests.ts';

/** The same for webhooks. */
export const changingWebhooks: Record<string, (fixture: Fixture) => { right: Request; wrong: Request; said: Said }> = {
  'webhooks.create': () => ({
    right: { body: { name: 'New', url: 'https://example.com/hook', events: ['space.published'] } },
    wrong: { body: { name: 'New', url: 'https://kim:secret@example.com/', events: ['space.published'] } },
    said: { action: 'create', entity: 'webhook', before: null, after: { name: 'New' } },
  }),
  'webhooks.update': ({ webhook }) => ({
    right: { params: { id: webhook }, body: { name: 'Other' } },
    wrong: { params: { id: webhook }, body: { url: 'https://kim:secret@example.com/' } },
    said: { action: 'update', entity: 'webhook', before: { name: 'Hook' }, after: { name: 'Other' } },
  }),
  'webhooks.rotate': ({ webhook }) => ({
    right: { params: { id: webhook } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'update', entity: 'webhook', after: { new_secret: true } },
  }),
  'webhooks.remove': ({ webhook }) => ({
    right: { params: { id: webhook } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'webhook', before: { name: 'Hook' }, after: null },
  }),
  'translationWebhook.update': () => ({
    right: { body: { url: 'https://example.com/translate' } },
    wrong: { body: { url: 'https://kim:secret@example.com/' } },
    said: {
      action: 'update',
      entity: 'organization',
      before: { translation_webhook: null },
      after: { translation_webhook: 'https://example.com/translate' },
    },
  }),
};
