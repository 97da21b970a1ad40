import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../contract/errors.ts';
import { hashFile, isThere } from '../../core/disk.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { inspect } from '../../core/files/inspect/inspect.ts';
import { originalPath } from '../../core/files/media-store.ts';
import type { Services } from '../../core/services.ts';
import type { MediaRow } from './queries.ts';
import { wholeUpload } from './service.ts';

type Shared = Pick<Services, 'db' | 'media' | 'workers'>;

/** Rows per read. */
const BATCH = 50;

/** A stored file with the name of a user's upload; several rows may share it. */
type Stored = Pick<MediaRow, 'hash' | 'entry' | 'name' | 'organization_id' | 'width' | 'height'>;

/** File types that contain metadata. */
const CARRIERS = new Set<string>(['image', 'video', 'audio', 'hdr', 'object']);

/** The rows' new values. */
interface Stripped {
  values: Pick<MediaRow, 'bytes' | 'width' | 'height'>;
  /** Size of the separately stored upload in bytes; null if only visitors sent it. */
  originalBytes: number | null;
}

/**
 * Strips a stored file in place, so that its URLs stay valid. Users' uploads are stored next to it unchanged.
 * @returns null if there was nothing to strip
 */
async function stripOne({ db, media, workers }: Shared, row: Stored): Promise<Stripped | null> {
  const file = await media.fileOf(row.hash, row.entry);
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return null;
  const { width, height } = row;
  const original = await media.fileOf(row.hash, originalPath(row.hash));
  const before = await stat(original).catch(() => null);
  // The server stopped between the two steps: the file is stripped, but its rows don't say so yet.
  if ((await hashFile(file)) !== row.hash)
    return { values: { bytes: found.size, width, height }, originalBytes: before?.size ?? null };
  const arrival = await media.receive({ name: row.name, ...wholeUpload(createReadStream(file)) });
  try {
    const requester = ofOrganization(row.organization_id);
    const { type, extension, instead, ...shown } = await inspect(workers, arrival, { name: row.name, requester });
    const isKind = CARRIERS.has(type) && row.entry.endsWith(`.${extension}`);
    if (!isKind || !instead || instead.folder || (await hashFile(instead.path)) === row.hash) return null;
    const { size } = await stat(instead.path);
    const owner = db.selectFrom('media').select('id').where('hash', '=', row.hash).where('user_id', 'is not', null);
    const isUpload = (await owner.executeTakeFirst()) !== undefined;
    await media.replace(row.hash, row.entry, instead.path, isUpload ? arrival : undefined);
    const values = { bytes: size, width: shown.width ?? null, height: shown.height ?? null };
    return { values, originalBytes: isUpload ? arrival.bytes : null };
  } finally {
    await media.discard(arrival);
  }
}

/** Records the result in all rows of a file. */
async function noteStripped({ db: database }: Shared, row: Stored, stripped: Stripped | null): Promise<void> {
  await database.transaction().execute(async (db) => {
    const rows = db.updateTable('media').where('hash', '=', row.hash).where('entry', '=', row.entry);
    const bytes = stripped?.originalBytes ?? null;
    if (bytes !== null)
      await rows
        .set(({ ref }) => ({ original_hash: row.hash, original_bytes: bytes, original_name: ref('name') }))
        .where('user_id', 'is not', null)
        .execute();
    await rows.set(stripped ? { ...stripped.values, stripping: 'stripped' } : { stripping: 'checked' }).execute();
  });
}

/** Deletes local copies of bucket files that another server has stripped since. */
export async function removeUnstrippedCopies({ db, media }: Shared): Promise<void> {
  if (!media.bucket) return;
  const rows = await db.selectFrom('media').select(['hash', 'entry']).where('stripping', '=', 'stripped').execute();
  for (const { hash, entry } of rows) {
    const copy = join(media.folderOf(hash), entry);
    if ((await isThere(copy)) && (await hashFile(copy)) === hash) await rm(copy, { force: true });
  }
}

/**
 * Strips metadata from files stored by versions that didn't: one at a time, each once, resuming after an interruption.
 * @returns number of stripped files
 */
export async function stripOldFiles(services: Shared, isStopping: () => boolean): Promise<number> {
  const { db } = services;
  let count = 0;
  for (;;) {
    const rows = await db
      .selectFrom('media')
      .select(['hash', 'entry', 'name', 'organization_id', 'width', 'height'])
      .where('stripping', 'is', null)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (rows.length === 0) return count;
    for (const row of rows) {
      if (isStopping()) return count;
      const stripped = await stripOne(services, row).catch((error: unknown) => {
        // Unreadable files are served unchanged and not retried every day.
        if (error instanceof ApiError && ['bad_file', 'wrong_type'].includes(error.code)) return null;
        throw error;
      });
      if (stripped) count++;
      await noteStripped(services, row, stripped);
    }
  }
}
