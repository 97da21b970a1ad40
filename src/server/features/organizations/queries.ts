import { domainToASCII } from 'node:url';
import type { Selectable, Updateable } from 'kysely';
import {
  type Module,
  NO_STATEMENT,
  type Settings,
  type Statement,
  settingsSchema,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { OTHER_STATEMENT_PATH, STATEMENT_PATH } from '../../../contract/statement-path.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { OrganizationTable } from '../../core/db/tables.ts';
import { SUSPENDED_IDS } from '../../core/organization-state.ts';
import type { Services } from '../../core/services.ts';
import type { Platforms } from '../../providers/platforms.ts';
import { findFiles } from '../media/queries.ts';

export type StoredOrganization = Selectable<OrganizationTable>;

const rowQuery = (db: Database, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id);

const notThere = () => new ApiError('not_found');

/** @throws ApiError not_found */
export async function findOrganization(db: Database, id: number): Promise<StoredOrganization> {
  return rowQuery(db, id).executeTakeFirstOrThrow(notThere);
}

/** Like `findOrganization`, but locks the row until the transaction ends. */
export async function findOrganizationToChange(db: Database, id: number): Promise<StoredOrganization> {
  return forUpdate(db, rowQuery(db, id)).executeTakeFirstOrThrow(notThere);
}

/** Every organization, oldest first. */
export async function listOrganizations(db: Database): Promise<StoredOrganization[]> {
  return db.selectFrom('organizations').selectAll().orderBy('id').execute();
}

/** Ids of all suspended organizations. */
export async function listSuspended(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('organizations').select('id').where('id', 'in', SUSPENDED_IDS).execute();
  return rows.map(({ id }) => id);
}

export async function updateOrganization(
  db: Database,
  id: number,
  values: Updateable<OrganizationTable>,
): Promise<void> {
  await db.updateTable('organizations').set(values).where('id', '=', id).execute();
}

/** Content hashes of the organizations' fonts and logos, which are open to everyone. */
export async function listOrganizationFiles(db: Database): Promise<{ id: number; hash: string }[]> {
  return db
    .selectFrom('organizations')
    .innerJoin('media', (join) =>
      join.on((on) =>
        on.or([
          on('media.id', '=', on.ref('organizations.font_file_id')),
          on('media.id', '=', on.ref('organizations.logo_file_id')),
        ]),
      ),
    )
    .select(['organizations.id', 'media.hash'])
    .execute();
}

const organizationById = prepared((db, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id));

/** The accessibility statement of an organization. */
export const statementOf = ({ statement }: Pick<StoredOrganization, 'statement'>): Statement => ({
  ...NO_STATEMENT,
  ...(JSON.parse(statement) as Partial<Statement>),
});

const structureAtStatement = prepared((db, organizationId: number) =>
  db
    .selectFrom('endpoints')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('parent_endpoint_id', 'is', null)
    .where('slug', '=', STATEMENT_PATH.slice(1))
    .where('is_visible', '=', 1),
);

/**
 * Path of an organization's accessibility statement; empty if it has none. A visible structure that got this path before
 * it was reserved keeps it; the statement is then at the other one.
 */
export async function statementPathOf(
  db: Database,
  { id, statement }: Pick<StoredOrganization, 'id' | 'statement'>,
): Promise<string> {
  if (statementOf({ statement }).kind === 'none') return '';
  return (await structureAtStatement(db, id)).length === 0 ? STATEMENT_PATH : OTHER_STATEMENT_PATH;
}

/** Public settings of an organization. */
export async function publicSettings(
  { db, outgoing }: Pick<Services, 'db' | 'outgoing'>,
  organizationId: number,
): Promise<Settings> {
  const [row] = await organizationById(db, organizationId);
  if (!row) throw new ApiError('not_found');
  const files = await findFiles(db, organizationId, [row.font_file_id, row.logo_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return settingsSchema.parse({
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    font_color: row.font_color,
    logo_url: files.get(row.logo_file_id ?? 0)?.url ?? '',
    accent_color: row.accent_color,
    font_url: files.get(row.font_file_id ?? 0)?.url ?? '',
    embed_domains: domains.map(({ domain }) => domain),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: JSON.parse(row.texts),
    has_statistics: row.has_statistics === 1,
    has_statistics_poses: row.has_statistics === 1 && row.has_statistics_poses === 1,
    third_parties: row.third_parties,
    tag_manager_id: row.tag_manager_id,
    statement_url: await statementPathOf(db, row),
    realtime_api_key: row.realtime_api_key,
  });
}

/** Maximum length of a host name in DNS. */
const MAX_HOST_LENGTH = 253;

/**
 * Normalizes a host name as browsers send it: lower case and ASCII
 * (IDNA, https://url.spec.whatwg.org/#idna), without port and trailing dot.
 * @param text a name, or an IPv6 address in brackets, with or without port
 * @returns null if the name is invalid
 */
export function normalizeHost(text: string): string | null {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^[\]:/\\?#@\s]+?)\.?(?::(\d{0,5}))?$/i.exec(text.trim()) ?? [];
  const ascii = domainToASCII(host);
  if (ascii === '' || ascii.length > MAX_HOST_LENGTH || Number(port ?? 0) > 65_535) return null;
  return ascii.startsWith('[') || /^(?!-)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(ascii) ? ascii : null;
}

/** The services available to an organization: the built-in ones, and each platform with a key. */
export function modulesOf({ youtube, vimeo, wowza, instagram }: Platforms): Module[] {
  const list: (Module | false | null | undefined)[] = [
    { module: 'local', type: 'video', name: 'Uploaded videos' },
    youtube && { module: 'youtube', type: 'video', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'video', name: 'Vimeo' },
    wowza && { module: 'wowza_live', type: 'live_stream', name: 'Wowza' },
    youtube?.isOwner && { module: 'youtube_live', type: 'live_stream', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'live_stream', name: 'Vimeo single event' },
    vimeo && { module: 'vimeo_live', type: 'live_stream', name: 'Vimeo recurring event' },
    instagram && { module: 'instagram', type: 'feed', name: 'Instagram' },
    { module: 'picdrop', type: 'feed', name: 'Picdrop' },
    { module: 'local', type: 'feed', name: 'Local' },
  ];
  return list.filter((entry): entry is Module => Boolean(entry));
}

/** Names of the services. */
export const moduleNames = (platforms: Platforms): { module: string }[] =>
  [...new Set(modulesOf(platforms).map(({ module }) => module))].map((module) => ({ module }));
