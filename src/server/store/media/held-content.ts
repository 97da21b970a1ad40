import type { Database } from '../../base/db/database.ts';
import { isNoted } from './media-row.ts';

/** Whether a content of the storage of files is needed: by a library, or as images of a poster. */
export async function isHeldByAny(db: Database, hash: string): Promise<boolean> {
  if (await isNoted(db, hash)) return true;
  const query = db.selectFrom('poster_files').select('id').where('hash', '=', hash);
  return (await query.executeTakeFirst()) !== undefined;
}
