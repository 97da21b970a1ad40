import type { Handlers } from '../../core/http/handler.ts';
import { draftTranslations } from './drafts.ts';
import { exportTranslations, importTranslations } from './service.ts';
import { readWebhook, rotateSecret, testWebhook, updateWebhook } from './webhook.ts';

export const translations: Handlers<'translations'> = {
  export: (context, { params, query }) => exportTranslations(context, params.id, query),

  import: (context, { params, body, file }) => importTranslations(context, params.id, file, body),

  draft: (context, { params, body }) => draftTranslations(context, params.id, body),
};

export const translationWebhook: Handlers<'translationWebhook'> = {
  read: (context) => readWebhook(context),

  update: (context, { body }) => updateWebhook(context, body),

  rotate: (context) => rotateSecret(context),

  test: (context) => testWebhook(context),
};
