import type { z } from 'zod';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { hasOffset, utcOffsetAt } from '../../../../engine/document/time-zone.ts';
import { MAX_DOMAINS } from '../../../contract/calls/organizations.ts';
import type { calls } from '../../../contract/calls.ts';
import {
  type Embedding,
  type Organization,
  type OwnTexts,
  ownTextsSchema,
  type Policies,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { startOf } from '../../../contract/opening.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { listEndpoints, updateEndpoint } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { findFiles } from '../media/queries.ts';
import { checkFiles } from '../media/service.ts';
import {
  findOrganization,
  findOrganizationToChange,
  moduleNames,
  statementOf,
  updateOrganization as storeOrganization,
} from '../organizations/queries.ts';
import { roomsWithFixedTimes } from '../rooms/checks.ts';
import { changeRoom } from '../rooms/edit-elements.ts';
import { findTemplate } from '../templates/queries.ts';
import { listAllUsers } from '../users/queries.ts';

/** Limit on listed users who may change a setting. */
const MAX_MANAGERS = 10;

/** The embedding setting, and the users who may change it. */
export async function readEmbedding({ db, organizationId }: CallContext): Promise<Embedding> {
  const row = await findOrganization(db, organizationId);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  const users = await listAllUsers(db, organizationId);
  const managers = users.filter(
    ({ is_active, policies }) => is_active === 1 && (JSON.parse(policies) as Policies).settings.update,
  );
  return {
    sites: domains.map(({ domain }) => domain),
    managers: managers.slice(0, MAX_MANAGERS).map(({ name }) => name),
  };
}

/** The caller's organization in settings format. */
export async function readOrganization({ db, organizationId, outgoing }: CallContext): Promise<Organization> {
  const row = await findOrganization(db, organizationId);
  const files = await findFiles(db, organizationId, [row.font_file_id, row.logo_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return {
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    lists_rooms: row.lists_rooms === 1,
    template_id: row.template_id,
    font_file_id: row.font_file_id,
    font_file: files.get(row.font_file_id ?? 0) ?? null,
    font_color: row.font_color,
    logo_file_id: row.logo_file_id,
    logo_file: files.get(row.logo_file_id ?? 0) ?? null,
    accent_color: row.accent_color,
    embed_domains: domains.map(({ domain }, index) => ({ id: index + 1, domain })),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: ownTextsSchema.parse(JSON.parse(row.texts)),
    time_zone: row.time_zone,
    audit_days: row.audit_days,
    shares_days: row.shares_days,
    originals_megabytes: row.originals_megabytes,
    has_statistics: row.has_statistics === 1,
    has_statistics_poses: row.has_statistics_poses === 1,
    third_parties: row.third_parties,
    tag_manager_id: row.tag_manager_id,
    statement: statementOf(row),
    updated_at: row.updated_at,
  };
}

async function checkTemplate(db: Database, organizationId: number, id: number | null | undefined): Promise<void> {
  if (id && !(await findTemplate(db, organizationId, id)))
    throw new ApiError('invalid', {
      template_id: ['Template not found; it may have been deleted. Choose another one.'],
    });
}

/** Settings whose changes are also in the audit log. */
const SAFETY_FIELDS = [
  ...(['embed_domains', 'audit_days', 'shares_days', 'originals_megabytes'] as const),
  ...(['lists_rooms', 'has_statistics', 'has_statistics_poses'] as const),
  ...(['third_parties', 'tag_manager_id', 'statement'] as const),
] as const;

/** Unique, non-empty sites. */
const storedDomains = (list: readonly { domain: string }[]): string =>
  JSON.stringify([...new Set(list.map(({ domain }) => domain))].filter(Boolean).map((domain) => ({ domain })));

/** Custom texts; empty ones fall back to the viewer's. */
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

/** Stores organization columns, and records the changes. */
async function storeChange(db: Database, context: CallContext, row: Row, columns: Partial<Row>): Promise<void> {
  await storeOrganization(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
  const after = { ...row, ...columns };
  const about = { entity_id: row.id, name: after.name, before: row, after };
  await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
  const changed = SAFETY_FIELDS.filter((field) => after[field] !== row[field]);
  if (changed.length > 0) await recordEvent(db, context, { event: 'settings_changed', details: { fields: changed } });
}

/** Adds a site to those that may embed the caller's rooms. @throws ApiError invalid */
export async function allowSite(context: CallContext, site: string): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = await findOrganizationToChange(db, context.organizationId);
    const domains: { domain: string }[] = JSON.parse(row.embed_domains);
    if (domains.some(({ domain }) => domain === site)) return;
    if (domains.length >= MAX_DOMAINS)
      throw new ApiError('invalid', { site: [`Use at most ${MAX_DOMAINS} sites. Remove one in the embed settings.`] });
    await storeChange(db, context, row, { embed_domains: storedDomains([...domains, { domain: site }]) });
  });
}

/**
 * Updates the settings of the caller's organization. Its first time zone is applied to all compatible start times.
 * @throws ApiError stale or invalid
 */
export async function updateOrganization(
  context: CallContext,
  body: z.output<typeof calls.organizations.update.body>,
): Promise<void> {
  const { organizationId } = context;
  const { updated_at, embed_domains, texts, statement, lists_rooms, has_statistics, has_statistics_poses, ...fields } =
    body;
  const adopted = await context.db.transaction().execute(async (db) => {
    const row = await findOrganizationToChange(db, organizationId);
    refuseStale(row.updated_at, updated_at);
    await checkTemplate(db, organizationId, fields.template_id);
    if (fields.font_file_id !== undefined && fields.font_file_id !== row.font_file_id)
      await checkFiles(db, organizationId, [{ field: 'font_file_id', id: fields.font_file_id, kinds: ['font'] }]);
    if (fields.logo_file_id !== undefined && fields.logo_file_id !== row.logo_file_id)
      await checkFiles(db, organizationId, [{ field: 'logo_file_id', id: fields.logo_file_id, kinds: ['image'] }]);
    const columns = {
      ...fields,
      ...(embed_domains && { embed_domains: storedDomains(embed_domains) }),
      ...(texts && { texts: storedTexts(texts) }),
      ...(statement && { statement: JSON.stringify(statement) }),
      ...(lists_rooms !== undefined && { lists_rooms: Number(lists_rooms) }),
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

/**
 * Applies an organization's first time zone to structures whose fixed offset is one of the zone's. Other offsets
 * stay.
 */
async function adoptForStructures(db: Database, context: CallContext, zone: string): Promise<void> {
  const now = context.clock.now() / 1000;
  for (const row of await listEndpoints(db, context.organizationId)) {
    const offset = row.start_time === null || row.time_zone !== null ? null : row.start_time_utc_offset;
    if (offset === null || !hasOffset(zone, offset, now)) continue;
    // A start on a date stays at its instant.
    const starts = row.start_date === null ? null : startOf({ ...row, is_timed: true, current_time: now }, null);
    if (starts !== null && utcOffsetAt(zone, starts) !== offset) continue;
    const columns = { time_zone: zone, start_time_utc_offset: null };
    await updateEndpoint(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
    await recordEndpoint(db, context, 'update', row, { ...row, ...columns });
  }
}

/** Does the same for elements, one room at a time, as edits that open editors receive. */
async function adoptForElements(context: CallContext, zone: string): Promise<void> {
  const now = context.clock.now() / 1000;
  for (const roomId of await roomsWithFixedTimes(context.db, context.organizationId))
    await changeRoom(context, roomId, async ({ room, commit }) => {
      const commands = room.elements.flatMap(({ id, time_zone, utc_offset }): RoomCommand[] =>
        time_zone == null && utc_offset !== null && hasOffset(zone, utc_offset, now)
          ? [{ type: 'element.update', id, fields: { time_zone: zone } }]
          : [],
      );
      if (commands.length > 0) await commit(commands, cleanNow);
    });
}
