import type { Selectable, Updateable } from 'kysely';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import type { OrganizationTable } from '../../core/db/tables.ts';

export type StoredOrganization = Selectable<OrganizationTable>;

const rowQuery = (db: Database, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id);

const notThere = () => new ApiError('not_found');

/** @throws ApiError not_found */
export async function findOrganization(db: Database, id: number): Promise<StoredOrganization> {
  return rowQuery(db, id).executeTakeFirstOrThrow(notThere);
}

/** Like `findOrganization`, and nobody else changes the row until the transaction ends. */
export async function findOrganizationToChange(db: Database, id: number): Promise<StoredOrganization> {
  return forUpdate(db, rowQuery(db, id)).executeTakeFirstOrThrow(notThere);
}

/** Every organization, the first one first. */
export async function listOrganizations(db: Database): Promise<StoredOrganization[]> {
  return db.selectFrom('organizations').selectAll().orderBy('id').execute();
}

export async function updateOrganization(
  db: Database,
  id: number,
  values: Updateable<OrganizationTable>,
): Promise<void> {
  await db.updateTable('organizations').set(values).where('id', '=', id).execute();
}

/** The contents of the fonts that organizations have for their screens. */
export async function listOrganizationFonts(db: Database): Promise<{ id: number; hash: string }[]> {
  return db
    .selectFrom('organizations')
    .innerJoin('media', 'media.id', 'organizations.font_file_id')
    .select(['organizations.id', 'media.hash'])
    .execute();
}
