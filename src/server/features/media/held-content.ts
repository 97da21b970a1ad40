import type { Database } from '../../core/db/database.ts';

/**
 * What libraries and posters need of a content of the storage of files.
 * @returns hashes of the originals that stay with it; null when nobody needs the content
 */
export async function neededOf(db: Database, hash: string): Promise<ReadonlySet<string> | null> {
  const rows = await db.selectFrom('media').select('original_hash').where('hash', '=', hash).distinct().execute();
  if (rows.length > 0) return new Set(rows.flatMap(({ original_hash }) => original_hash ?? []));
  const poster = db.selectFrom('poster_files').select('id').where('hash', '=', hash);
  return (await poster.executeTakeFirst()) ? new Set() : null;
}
