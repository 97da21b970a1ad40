import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { TranslationWebhook } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { findOrganization } from '../organizations/queries.ts';
import { createSecret, refuseCredentials } from '../webhooks/service.ts';
import { askTranslator } from './ask-translator.ts';
import type { TranslationWebhookTable } from './table.ts';

type WebhookRow = Selectable<TranslationWebhookTable>;

/** Version of a webhook that was never set. */
const UNSET = timestampOf(0);

const rowsOf = (db: Database, organizationId: number) =>
  db.selectFrom('translation_webhooks').selectAll().where('organization_id', '=', organizationId);

const asWebhook = (id: number, row: Pick<WebhookRow, 'url' | 'updated_at'> | undefined): TranslationWebhook => ({
  id,
  url: row?.url ?? null,
  updated_at: row?.updated_at ?? UNSET,
});

/** The translation webhook in the format of the API. */
export async function readWebhook({ db, organizationId }: CallContext): Promise<TranslationWebhook> {
  return asWebhook(organizationId, await rowsOf(db, organizationId).executeTakeFirst());
}

/**
 * The translation webhook of an organization. Limited users translate with it, too, although they don't see the
 * settings.
 * @throws ApiError not_set_up
 */
export async function webhookOf(db: Database, organizationId: number): Promise<WebhookRow> {
  const row = await rowsOf(everywhere(db), organizationId).executeTakeFirst();
  if (!row)
    throw new ApiError('not_set_up', 'There is no translation webhook. Set its URL under Settings, Translation.');
  return row;
}

/** Records a change of the webhook, without its secret. */
async function recordWebhook(db: Database, context: CallContext, change: object): Promise<void> {
  const { organizationId } = context;
  const { name } = await findOrganization(db, organizationId);
  const about = { entity_id: organizationId, name, ...change };
  await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
  await recordEvent(db, context, { event: 'settings_changed', subject: 'Translation' });
}

/** Sets or removes the URL. A new webhook gets a secret. @throws ApiError stale or invalid */
export async function updateWebhook(
  context: CallContext,
  { url, updated_at: seen }: z.output<typeof calls.translationWebhook.update.body>,
): Promise<TranslationWebhook & { secret: string | null }> {
  const { organizationId, clock } = context;
  if (url) {
    refuseCredentials(url);
    await context.outgoing.guarded.requirePublic(url, 'url');
  }
  const made = await createSecret(context.settings, organizationId);
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const row = await rowsOf(db, organizationId).executeTakeFirst();
    refuseStale(row?.updated_at ?? UNSET, seen);
    if (url === undefined || url === (row?.url ?? null)) return { ...asWebhook(organizationId, row), secret: null };
    await recordWebhook(db, context, {
      before: { translation_webhook: row?.url ?? null },
      after: { translation_webhook: url },
    });
    if (url === null) {
      await db.deleteFrom('translation_webhooks').where('organization_id', '=', organizationId).execute();
      return { ...asWebhook(organizationId, undefined), secret: null };
    }
    const updated_at = nextTimestamp(clock, row?.updated_at);
    if (row) await db.updateTable('translation_webhooks').set({ url, updated_at }).where('id', '=', row.id).execute();
    else {
      const { sealed } = made;
      const values = { organization_id: organizationId, url, sealed, created_at: updated_at, updated_at };
      await db.insertInto('translation_webhooks').values(values).execute();
    }
    return { ...asWebhook(organizationId, { url, updated_at }), secret: row ? null : made.secret };
  });
}

/** Replaces the signing secret. @throws ApiError not_set_up */
export async function rotateSecret(context: CallContext): Promise<{ secret: string }> {
  const { organizationId, clock } = context;
  const { secret, sealed } = await createSecret(context.settings, organizationId);
  await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const row = await webhookOf(db, organizationId);
    const values = { sealed, updated_at: nextTimestamp(clock, row.updated_at) };
    await db.updateTable('translation_webhooks').set(values).where('id', '=', row.id).execute();
    await recordWebhook(db, context, { facts: { new_translation_secret: true } });
  });
  return { secret };
}

/** Sends a text to the webhook. @throws ApiError not_set_up */
export async function testWebhook(context: CallContext): Promise<{ works: boolean; text: string }> {
  const webhook = await webhookOf(context.db, context.organizationId);
  const texts = [{ id: 'test', text: 'Good morning', format: 'plain' }] as const;
  try {
    const translations = await askTranslator(context, webhook, { source: 'en', target: 'nl', texts });
    return { works: true, text: `The webhook works: “${texts[0].text}” is “${translations.get('test')}” in Dutch.` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { works: false, text: error.message };
  }
}
