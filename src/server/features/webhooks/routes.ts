import { pageMeta } from '../../core/db/paging.ts';
import { orNotFound } from '../../core/http/found.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { listDeliveries, listWebhooks, webhookRows } from './queries.ts';
import {
  createWebhook,
  readDelivery,
  readWebhook,
  redeliver,
  removeWebhook,
  rotateSecret,
  sendTest,
  updateWebhook,
} from './service.ts';

export const webhooks: Handlers<'webhooks'> = {
  list: async ({ db, organizationId }) => (await listWebhooks(db, organizationId)).map(readWebhook),

  create: (context, { body }) => createWebhook(context, body),

  update: (context, { params, body }) => updateWebhook(context, params.id, body),

  remove: async (context, { params }) => {
    await removeWebhook(context, params.id);
    return null;
  },

  rotate: (context, { params }) => rotateSecret(context, params.id),

  test: (context, { params }) => sendTest(context, params.id),

  deliveries: async ({ db, organizationId }, { params, query }) => {
    orNotFound(await webhookRows.find(db, organizationId, params.id));
    const { rows, total } = await listDeliveries(db, params.id, query);
    return { data: rows.map(readDelivery), meta: pageMeta(total, query) };
  },

  redeliver: (context, { params }) => redeliver(context, params.id),
};
