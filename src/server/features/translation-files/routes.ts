import type { Handlers } from '../../core/http/handler.ts';
import { draftTranslations } from '../translations/drafts.ts';
import { exportTranslations, importTranslations } from './service.ts';

export const translations: Handlers<'translations'> = {
  export: (context, { params, query }) => exportTranslations(context, params.id, query),

  import: (context, { params, body, file }) => importTranslations(context, params.id, file, body),

  draft: (context, { params, body }) => draftTranslations(context, params.id, body),
};
