import type { Database } from '../db/database.ts';
import { lockOrganization } from '../db/for-update.ts';
import { touchRooms } from '../rooms/rooms-repository.ts';

/** Where a file is used, as sentences. */
export async function usesOf(db: Database, organizationId: number, mediaId: number): Promise<string[]> {
  const templates = await db
    .selectFrom('templates')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or(
        (['file_id', 'background_file_id', 'hdr_file_id', 'font_file_id', 'logo_file_id'] as const).map((column) =>
          where(column, '=', mediaId),
        ),
      ),
    )
    .execute();
  const rooms = await db
    .selectFrom('elements')
    .innerJoin('rooms', 'rooms.id', 'elements.room_id')
    .select('rooms.title')
    .distinct()
    .where('elements.organization_id', '=', organizationId)
    .where('elements.file_id', '=', mediaId)
    .execute();
  const organizations = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .where('font_file_id', '=', mediaId)
    .execute();
  return [
    ...templates.map(({ name }) => `Template ${name}`),
    ...rooms.map(({ title }) => `Space ${title}`),
    ...organizations.map(() => 'Settings of the organization'),
  ];
}

/** Takes a file out of everything that uses it, within the caller's transaction. */
export async function detachMedia(db: Database, organizationId: number, mediaId: number): Promise<void> {
  await lockOrganization(db, organizationId);
  // Settings of a room name files as well, so any room of the organization may look different from now on.
  await touchRooms(db, organizationId);
  for (const column of ['file_id', 'background_file_id', 'hdr_file_id', 'font_file_id', 'logo_file_id'] as const) {
    await db
      .updateTable('templates')
      .set({ [column]: null })
      .where('organization_id', '=', organizationId)
      .where(column, '=', mediaId)
      .execute();
  }
  await db
    .updateTable('organizations')
    .set({ font_file_id: null })
    .where('id', '=', organizationId)
    .where('font_file_id', '=', mediaId)
    .execute();
  await db
    .updateTable('elements')
    .set({ file_id: null })
    .where('organization_id', '=', organizationId)
    .where('file_id', '=', mediaId)
    .execute();
}
