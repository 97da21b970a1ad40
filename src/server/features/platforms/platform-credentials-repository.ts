import type { Insertable, Selectable, Updateable } from 'kysely';
import type { PlatformName } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import type { PlatformCredentialTable } from './table.ts';

/** The credentials that an organization has of a platform. */
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
