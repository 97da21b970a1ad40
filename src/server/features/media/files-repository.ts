import type { FileReference } from '../../../../engine/document/fields.ts';
import type { Database } from '../../core/db/database.ts';
import { asFileReference } from './media-row.ts';

/** Files of the media library by their id. */
export type Files = ReadonlyMap<number, FileReference>;

const byId = (files: FileReference[]): Files => new Map(files.map((file) => [file.id, file]));

/** Files of an organization by id; ids that it does not have are left out. */
export async function findFiles(db: Database, organizationId: number, ids: readonly (number | null)[]): Promise<Files> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('media')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', wanted)
    .execute();
  return byId(rows.map(asFileReference));
}

/** Every file that the elements of a room use, and the others that are named. */
export async function findRoomFiles(
  db: Database,
  organizationId: number,
  roomId: number,
  others: readonly (number | null)[],
): Promise<Files> {
  const wanted = others.filter((id) => id !== null);
  const rows = await db
    .selectFrom('media')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('id', 'in', (query) =>
          query.selectFrom('elements').select('file_id').where('room_id', '=', roomId).where('file_id', 'is not', null),
        ),
        ...(wanted.length > 0 ? [where('id', 'in', wanted)] : []),
      ]),
    )
    .execute();
  return byId(rows.map(asFileReference));
}

/** Names of files by id, as an object that can be stored. */
export const fileNames = (files: Files): Record<string, string> =>
  Object.fromEntries([...files.values()].map(({ id, name }) => [id, name]));
