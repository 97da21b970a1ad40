import { ApiError } from '../../../contract/errors.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findWebhook, listDeliveries, listWebhooks } from './queries.ts';
import {
  createWebhook,
  readDelivery,
  readWebhook,
  removeWebhook,
  sendAgain,
  sendTest,
  updateSecret,
  updateWebhook,
} from './service.ts';

export const webhooks: Handlers<'webhooks'> = {
  list: async ({ db, organizationId }) => (await listWebhooks(db, organizationId)).map(readWebhook),

  create: async (context, { body }) => {
    const { row, secret } = await createWebhook(context, body);
    return { ...readWebhook(row), secret };
  },

  update: async (context, { params, body }) => readWebhook(await updateWebhook(context, params.id, body)),

  remove: async (context, { params }) => {
    await removeWebhook(context, params.id);
    return null;
  },

  rotate: async (context, { params }) => {
    const { row, secret } = await updateSecret(context, params.id);
    return { ...readWebhook(row), secret };
  },

  test: async (context, { params }) => readDelivery(await sendTest(context, params.id)),

  deliveries: async ({ db, organizationId }, { params, query }) => {
    if (!(await findWebhook(db, organizationId, params.id))) throw new ApiError('not_found');
    const { rows, total } = await listDeliveries(db, params.id, query);
    return { data: rows.map(readDelivery), meta: pageMeta(total, query) };
  },

  redeliver: async (context, { params }) => readDelivery(await sendAgain(context, params.id)),
};
