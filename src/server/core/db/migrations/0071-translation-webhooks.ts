import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnsFor, required } from './columns.ts';

/** Machine translation of organizations. */
export const translationWebhooks: Migration = {
  up: async (db: Kysely<unknown>) => {
    const { owned, index } = columnsFor(db);
    await owned('translation_webhooks')
      .addColumn('url', 'text', required)
      .addColumn('sealed', 'text', required)
      .execute();
    await index('translation_webhooks', ['organization_id'], true);
  },
};
