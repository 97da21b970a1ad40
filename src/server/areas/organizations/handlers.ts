import { type Organization, type OwnTexts, ownTextsSchema } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { forUpdate } from '../../base/db/for-update.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { CallContext } from '../../store/call-context.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { checkFiles } from '../../store/media/check-files.ts';
import { findFiles } from '../../store/media/files-repository.ts';
import { moduleNames, modulesOf } from '../../store/organizations/modules.ts';
import { usageOf } from '../../store/quotas/quotas.ts';
import { findTemplate } from '../../store/templates/templates-repository.ts';
import type { Handlers } from '../handler.ts';

async function readOrganization({ db, organizationId, outgoing }: CallContext): Promise<Organization> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirst();
  if (!row) throw new ApiError('not_found');
  const files = await findFiles(db, organizationId, [row.font_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return {
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    template_id: row.template_id,
    font_file_id: row.font_file_id,
    font_file: files.get(row.font_file_id ?? 0) ?? null,
    font_color: row.font_color,
    embed_domains: domains.map(({ domain }, index) => ({ id: index + 1, domain })),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: ownTextsSchema.parse(JSON.parse(row.texts)),
    audit_days: row.audit_days,
    shares_days: row.shares_days,
    updated_at: row.updated_at,
  };
}

async function checkTemplate(db: Database, organizationId: number, id: number | null | undefined): Promise<void> {
  if (id && !(await findTemplate(db, organizationId, id)))
    throw new ApiError('invalid', { template_id: ['This template does not exist. Choose another one.'] });
}

/** Settings whose changes stand in the audit log too. */
const SAFETY_FIELDS = ['embed_domains', 'audit_days', 'shares_days'] as const;

/** Sites as they are stored: each once, empty ones left out. */
const storedDomains = (list: readonly { domain: string }[]): string =>
  JSON.stringify([...new Set(list.map(({ domain }) => domain))].filter(Boolean).map((domain) => ({ domain })));

/** Own texts as they are stored: empty ones are the viewer's again. */
const storedTexts = (texts: OwnTexts): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(texts).map(([language, own]) => [
        language,
        Object.fromEntries(Object.entries(own).filter(([, text]) => text !== '')),
      ]),
    ),
  );

export const organizations: Handlers<'organizations'> = {
  read: async (context) => readOrganization(context),

  usage: async (context) => usageOf(context, context.organizationId),

  update: async (context, { body }) => {
    const { organizationId, clock } = context;
    const { updated_at, embed_domains, texts, ...fields } = body;
    await context.db.transaction().execute(async (db) => {
      const query = db.selectFrom('organizations').selectAll().where('id', '=', organizationId);
      const row = await forUpdate(db, query).executeTakeFirst();
      if (!row) throw new ApiError('not_found');
      refuseStale(row.updated_at, updated_at);
      await checkTemplate(db, organizationId, fields.template_id);
      if (fields.font_file_id !== undefined && fields.font_file_id !== row.font_file_id)
        await checkFiles(db, organizationId, [{ field: 'font_file_id', id: fields.font_file_id, kinds: ['font'] }]);
      const columns = {
        ...fields,
        ...(embed_domains && { embed_domains: storedDomains(embed_domains) }),
        ...(texts && { texts: storedTexts(texts) }),
      };
      await db
        .updateTable('organizations')
        .set({ ...columns, updated_at: nextTimestamp(clock, row.updated_at) })
        .where('id', '=', organizationId)
        .execute();
      const after = { ...row, ...columns };
      const about = { entity_id: row.id, name: after.name, before: row, after };
      await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
      const changed = SAFETY_FIELDS.filter((field) => after[field] !== row[field]);
      if (changed.length > 0)
        await recordEvent(db, context, { event: 'settings_changed', details: { fields: changed } });
    });
    return readOrganization(context);
  },
};

export const modules: Handlers<'modules'> = {
  list: async ({ outgoing, organizationId }) => modulesOf(await outgoing.of(organizationId)),
};
