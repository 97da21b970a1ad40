import type { Handlers } from '../../core/http/handler.ts';
import { readWebhook, rotateSecret, testWebhook, updateWebhook } from './webhook.ts';

export const translationWebhook: Handlers<'translationWebhook'> = {
  read: (context) => readWebhook(context),

  update: (context, { body }) => updateWebhook(context, body),

  rotate: (context) => rotateSecret(context),

  test: (context) => testWebhook(context),
};
