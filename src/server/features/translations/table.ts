import type { Owned } from '../../core/db/column-types.ts';

/** Machine translation: at most one webhook per organization. */
export interface TranslationWebhookTable extends Owned {
  url: string;
  /** Signing secret, sealed with the server's key. */
  sealed: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    translation_webhooks: TranslationWebhookTable;
  }
}
