import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../contract/errors.ts';
import { hashFile, isThere } from '../../core/disk.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { inspect } from '../../core/files/inspect/inspect.ts';
import { originalPath } from '../../core/files/media-store.ts';
import type { Services } from '../../core/services.ts';
import {
  findStripped,
  findUnstripped,
  hasStoredOriginal,
  isOfUser,
  type MediaRow,
  textColumns,
  textsOf,
} from './queries.ts';
import { textsOfImage, wholeUpload } from './service.ts';

type Shared = Pick<Services, 'db' | 'media' | 'workers'>;

/** Rows per read. */
const BATCH = 50;

/** File types that contain metadata. */
const CARRIERS = new Set<string>(['image', 'video', 'audio', 'hdr', 'object']);

type Stored = Awaited<ReturnType<typeof findUnstripped>>[number];

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
    const isUpload = await isOfUser(db, row.hash);
    await media.replace(row.hash, row.entry, instead.path, isUpload ? arrival : undefined);
    const values = { bytes: size, width: shown.width ?? null, height: shown.height ?? null };
    return { values, originalBytes: isUpload ? arrival.bytes : null };
  } finally {
    await media.discard(arrival);
  }
}

/** Records the result in all rows of a file: the current ones, and earlier versions. */
async function noteStripped({ db: database }: Shared, row: Stored, stripped: Stripped | null): Promise<void> {
  const bytes = stripped?.originalBytes ?? null;
  const original = { original_hash: row.hash, original_bytes: bytes };
  const values = stripped ? { ...stripped.values, stripping: 'stripped' as const } : { stripping: 'checked' as const };
  await database.transaction().execute(async (db) => {
    const files = db.updateTable('media').where('hash', '=', row.hash).where('entry', '=', row.entry);
    const versions = db.updateTable('media_versions').where('hash', '=', row.hash).where('entry', '=', row.entry);
    if (bytes !== null) {
      await files
        .set(({ ref }) => ({ ...original, original_name: ref('name') }))
        .where('user_id', 'is not', null)
        .execute();
      await versions
        .set(({ selectFrom }) => ({
          ...original,
          original_name: selectFrom('media').select('name').whereRef('media.id', '=', 'media_versions.media_id'),
        }))
        .where('user_id', 'is not', null)
        .execute();
    }
    await files.set(values).execute();
    await versions.set(values).execute();
  });
}

/** Deletes local copies of bucket files that another server has stripped since. */
export async function removeUnstrippedCopies({ db, media }: Shared): Promise<void> {
  if (!media.bucket) return;
  for (const { hash, entry } of await findStripped(db)) {
    const copy = join(media.folderOf(hash), entry);
    if ((await isThere(copy)) && (await hashFile(copy)) === hash) await rm(copy, { force: true });
  }
}

/** Reads the texts of images that earlier versions stored, from their originals; each once. */
export async function readOldTexts({ db, media, workers }: Shared, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const row = await db
      .selectFrom('media')
      .selectAll()
      .where('texts_read', '=', 0)
      .where('type', '=', 'image')
      .where('original_hash', 'is not', null)
      .orderBy('id')
      .executeTakeFirst();
    if (!row) return;
    const entry = hasStoredOriginal(row) ? originalPath(row.original_hash!) : row.entry;
    const path = await media.fileOf(row.hash, entry);
    const read = (await isThere(path)) ? await textsOfImage(workers, path, ofOrganization(row.organization_id)) : null;
    const isUntouched = Object.values(textsOf(row)).every(({ length }) => length === 0);
    // A file that is edited meanwhile is read again, and keeps its new texts.
    await db
      .updateTable('media')
      .set({ ...(read && isUntouched && textColumns(read.texts)), texts_read: 1 })
      .where('id', '=', row.id)
      .where('updated_at', '=', row.updated_at)
      .execute();
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
    const rows = await findUnstripped(db, BATCH);
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
