import type { z } from 'zod';
import { MOST_DOMAINS } from '../../../contract/calls/organizations.ts';
import type { calls } from '../../../contract/calls.ts';
import type { OwnTexts } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { checkFiles } from '../media/check-files.ts';
import {
  findOrganizationToChange,
  updateOrganization as storeOrganization,
} from '../organizations/organizations-repository.ts';
import { findTemplate } from '../templates/templates-repository.ts';
import { adoptForElements, adoptForStructures } from './update-times.ts';

async function checkTemplate(db: Database, organizationId: number, id: number | null | undefined): Promise<void> {
  if (id && !(await findTemplate(db, organizationId, id)))
    throw new ApiError('invalid', {
      template_id: ['Template not found; it may have been deleted. Choose another one.'],
    });
}

/** Settings whose changes stand in the audit log too. */
const SAFETY_FIELDS = ['embed_domains', 'audit_days', 'shares_days', 'has_statistics', 'has_statistics_poses'] as const;

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

type Row = Awaited<ReturnType<typeof findOrganizationToChange>>;

/** Stores columns of an organization, and records what has changed. */
async function storeChange(db: Database, context: CallContext, row: Row, columns: Partial<Row>): Promise<void> {
  await storeOrganization(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
  const after = { ...row, ...columns };
  const about = { entity_id: row.id, name: after.name, before: row, after };
  await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
  const changed = SAFETY_FIELDS.filter((field) => after[field] !== row[field]);
  if (changed.length > 0) await recordEvent(db, context, { event: 'settings_changed', details: { fields: changed } });
}

/** Lets one more site embed the rooms of the caller's organization. @throws ApiError invalid */
export async function allowSite(context: CallContext, site: string): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = await findOrganizationToChange(db, context.organizationId);
    const domains: { domain: string }[] = JSON.parse(row.embed_domains);
    if (domains.some(({ domain }) => domain === site)) return;
    if (domains.length >= MOST_DOMAINS)
      throw new ApiError('invalid', { site: [`Use at most ${MOST_DOMAINS} sites. Remove one in the embed settings.`] });
    await storeChange(db, context, row, { embed_domains: storedDomains([...domains, { domain: site }]) });
  });
}

/**
 * Changes the settings of the caller's organization. Its first time zone is given to all times that fit it.
 * @throws ApiError stale or invalid
 */
export async function updateOrganization(
  context: CallContext,
  body: z.output<typeof calls.organizations.update.body>,
): Promise<void> {
  const { organizationId } = context;
  const { updated_at, embed_domains, texts, has_statistics, has_statistics_poses, ...fields } = body;
  const adopted = await context.db.transaction().execute(async (db) => {
    const row = await findOrganizationToChange(db, organizationId);
    refuseStale(row.updated_at, updated_at);
    await checkTemplate(db, organizationId, fields.template_id);
    if (fields.font_file_id !== undefined && fields.font_file_id !== row.font_file_id)
      await checkFiles(db, organizationId, [{ field: 'font_file_id', id: fields.font_file_id, kinds: ['font'] }]);
    const columns = {
      ...fields,
      ...(embed_domains && { embed_domains: storedDomains(embed_domains) }),
      ...(texts && { texts: storedTexts(texts) }),
      ...(has_statistics !== undefined && { has_statistics: Number(has_statistics) }),
      ...(has_statistics_poses !== undefined && { has_statistics_poses: Number(has_statistics_poses) }),
    };
    await storeChange(db, context, row, columns);
    if (row.time_zone !== null || !fields.time_zone) return null;
    await adoptForStructures(db, context, fields.time_zone);
    return fields.time_zone;
  });
  if (adopted !== null) await adoptForElements(context, adopted);
}
