import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Credential, PLATFORMS, type PlatformName } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { ServerSettings } from '../../core/settings.ts';
import { type Credentials, credentialsOfSettings } from '../../providers/platforms.ts';
import type { PlatformCredentialTable } from './table.ts';

/** An organization's credentials for a platform. */
export async function listCredentials(
  db: Database,
  organizationId: number,
  platform: PlatformName,
): Promise<Selectable<PlatformCredentialTable>[]> {
  return db
    .selectFrom('platform_credentials')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('platform', '=', platform)
    .execute();
}

export async function insertCredential(db: Database, values: Insertable<PlatformCredentialTable>): Promise<void> {
  await db.insertInto('platform_credentials').values(values).execute();
}

export async function updateCredential(
  db: Database,
  id: number,
  values: Updateable<PlatformCredentialTable>,
): Promise<void> {
  await db.updateTable('platform_credentials').set(values).where('id', '=', id).execute();
}

export async function deleteCredential(db: Database, id: number): Promise<void> {
  await db.deleteFrom('platform_credentials').where('id', '=', id).execute();
}
interface CredentialRow {
  id: number;
  platform: PlatformName;
  name: Credential;
  sealed: string;
  hint: string;
  updated_at: string;
}

/** An organization's stored credentials. */
export interface StoredCredentials {
  /** Whether the server's own settings apply: only for the first organization. */
  isFirst: boolean;
  rows: CredentialRow[];
}

/** Source of the active credentials. */
type Source = 'organization' | 'server' | null;

const rowsOf = prepared((db, organizationId: number) =>
  db
    .selectFrom('organizations')
    .leftJoin('platform_credentials as stored', 'stored.organization_id', 'organizations.id')
    .select(['stored.id', 'stored.platform', 'stored.name', 'stored.sealed', 'stored.hint', 'stored.updated_at'])
    .select((select) =>
      select
        .selectFrom('organizations as all')
        .select(({ fn }) => fn.min<number>('all.id').as('first'))
        .as('first'),
    )
    .where('organizations.id', '=', organizationId)
    .orderBy('stored.id'),
);

/** Reads an organization's sealed credentials. */
export async function readStored(db: Database, organizationId: number): Promise<StoredCredentials> {
  const found = await rowsOf(db, organizationId);
  const isFirst = found[0]?.first === organizationId;
  const isStored = (row: (typeof found)[number]): row is typeof row & CredentialRow => row.id !== null;
  return { isFirst, rows: found.filter(isStored) };
}

/** Fingerprint of an organization's credentials: each change sets a new stamp. */
export const stateOf = ({ isFirst, rows }: StoredCredentials): string =>
  [isFirst, ...rows.map(({ id, updated_at }) => `${id} ${updated_at}`)].join();

/** Source of an organization's credentials for a platform; its own are never mixed with the server's. */
export function sourceOf(
  { isFirst, rows }: StoredCredentials,
  platform: PlatformName,
  settings: ServerSettings,
): Source {
  if (rows.some((row) => row.platform === platform)) return 'organization';
  const own = credentialsOfSettings(settings)[platform];
  return isFirst && Object.values(own).some(Boolean) ? 'server' : null;
}

/** Seal context of a credential: the sealed value can't be opened for another organization, platform or name. */
const sealPlaceOfCredential = (organizationId: number, platform: PlatformName, name: Credential): string =>
  `organization:${organizationId}:${platform}:${name}`;

/** Seals a credential for its context. */
export const sealCredential = (
  settings: ServerSettings,
  organizationId: number,
  { platform, name, value }: { platform: PlatformName; name: Credential; value: string },
): Promise<string> => sealToken(settings, sealPlaceOfCredential(organizationId, platform, name), value);

/**
 * Opens a stored credential.
 * @returns null if the server key or the context differs
 */
export const openCredential = (
  settings: ServerSettings,
  organizationId: number,
  { platform, name, sealed }: CredentialRow,
): Promise<string | null> => openToken(settings, sealPlaceOfCredential(organizationId, platform, name), sealed);

/** The active credentials of an organization. A platform with an unreadable credential counts as not set up. */
export async function openCredentials(
  settings: ServerSettings,
  organizationId: number,
  stored: StoredCredentials,
): Promise<Credentials> {
  const ofServer = credentialsOfSettings(settings);
  const used: Credentials = { youtube: {}, vimeo: {}, wowza: {}, instagram: {} };
  for (const platform of PLATFORMS) {
    const source = sourceOf(stored, platform, settings);
    if (source === 'server') used[platform] = ofServer[platform];
    if (source !== 'organization') continue;
    const rows = stored.rows.filter((row) => row.platform === platform);
    const opened = await Promise.all(rows.map((row) => openCredential(settings, organizationId, row)));
    if (opened.includes(null)) continue;
    used[platform] = Object.fromEntries(rows.map(({ name }, index) => [name, opened[index]!]));
  }
  return used;
}
