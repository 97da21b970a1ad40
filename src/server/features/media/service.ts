import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Selectable } from 'kysely';
import type { FileReference } from '../../../../engine/document/fields.ts';
import type { TextTranslations } from '../../../../engine/document/translation-fields.ts';
import type { MediaTexts, MediaType } from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { hashFile } from '../../core/disk.ts';
import { headOf } from '../../core/files/checked-head.ts';
import { smallPicture } from '../../core/files/copies/thumbnails.ts';
import { cutIfWide } from '../../core/files/copies/tiles.ts';
import type { Requester } from '../../core/files/decoders/turns.ts';
import { inspect } from '../../core/files/inspect/inspect.ts';
import { type Inspection, unusable } from '../../core/files/inspect/inspection.ts';
import { KIND_NAMES } from '../../core/files/inspect/kind-names.ts';
import type { ImageTexts } from '../../core/files/inspect/metadata/media-texts.ts';
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Upload } from '../../core/files/upload.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { removeSheetsWith } from './image-sheets.ts';
import { planUpload } from './optimizations.ts';
import { PAGE_COPY } from './preview.ts';
import { findFiles, hasStoredOriginal, type MediaRow, neededOf, textColumns } from './queries.ts';
import type { ContentColumns } from './table.ts';

/** Owner and name of a file. */
interface FileOwner {
  organizationId: number;
  userId: number | null;
  name: string;
  /** Network address of the sending visitor; undefined for users, whose limits are higher. */
  visitor?: string;
  /** Accepted type; others are rejected. */
  accept?: MediaType;
  /** Folder of a new file; the caller checks that it exists. */
  folderId?: number | null;
  /** Texts of a new file, in place of those in its metadata, and their translations. */
  texts?: Partial<MediaTexts>;
  translations?: TextTranslations;
}

/** A file name without path, control characters or excess length. */
export function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1)!.toWellFormed();
  return (
    base
      .replace(/\p{Cc}/gu, '')
      .trim()
      .slice(0, 255) || 'file'
  );
}

/** A URL-safe file name with the content's extension. */
function entryName(name: string, extension: string): string {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 80)
    .toLowerCase();
  return `${stem || 'file'}.${extension}`;
}

/** The file to store after inspection, with its hash and name. */
async function storedContent(found: Inspection, file: string, hash: string, name: string) {
  const path = found.instead?.path ?? file;
  const folder = found.instead?.folder;
  // Stripped or converted content differs from the upload.
  const kept = found.instead && !folder ? await hashFile(path) : hash;
  const top = folder ? folder.name : entryName(name, found.extension);
  const { size } = await stat(path);
  return { hash: kept, path, top, entry: folder ? `${top}/${folder.entry}` : top, size: folder ? null : size };
}

/** Whether the organization keeps original uploads of this size. */
async function keepsOriginal(db: Database, { organizationId }: FileOwner, bytes: number): Promise<boolean> {
  const query = db.selectFrom('organizations').select('originals_megabytes').where('id', '=', organizationId);
  const { originals_megabytes: most } = await query.executeTakeFirstOrThrow();
  return most === null || bytes <= most * 1e6;
}

/** The texts in the metadata of an image; none if reading it takes too much time or memory. */
export const textsOfImage = (
  workers: Services['workers'],
  path: string,
  requester: Requester,
): Promise<ImageTexts | null> =>
  workers.run('readTexts', { path }, requester).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'bad_file') return null;
    throw error;
  });

/** A checked and stored file. */
interface StoredFile {
  type: MediaType;
  name: string;
  content: Selectable<ContentColumns>;
  /** Hash of the upload, whether or not it is stored. */
  uploadHash: string;
  /** Texts of a user's image. */
  texts: Partial<MediaTexts> | undefined;
}

/**
 * Checks an incoming file and stores it on disk under its hash. Users' uploads are also stored unchanged.
 * @param note records it in the database; its result is returned
 * @throws ApiError if it is too large, damaged, or of an unaccepted type; nothing is stored then
 */
export async function withStoredFile<T>(
  services: Services,
  owner: FileOwner,
  upload: Omit<Upload, 'name'>,
  note: (db: Database, stored: StoredFile) => Promise<T>,
): Promise<T> {
  const { clock, media, workers } = services;
  const name = cleanName(owner.name);
  const { organizationId, visitor, accept } = owner;
  const requester: Requester = {
    sender: visitor === undefined ? 'user' : 'visitor',
    organizationId,
    address: visitor ?? null,
  };
  const check = accept && headOf(workers, accept, requester);
  const arrival = await media.receive({ name, ...upload }, { check });
  try {
    const found = await inspect(workers, arrival, { name, requester, accept });
    if (owner.accept && found.type !== owner.accept)
      throw unusable(`This is ${KIND_NAMES[found.type]}, but ${KIND_NAMES[owner.accept]} is required.`);
    const kept = await storedContent(found, arrival.file, arrival.hash, name);
    const isUser = visitor === undefined;
    const isOther = hasStoredOriginal({ ...kept, original_hash: arrival.hash, stripping: 'checked' });
    const isKept = isUser && (!isOther || (await keepsOriginal(services.db, owner, arrival.bytes)));
    const original = isKept ? { hash: arrival.hash, bytes: arrival.bytes, path: arrival.file } : null;
    const read = isUser && found.type === 'image' ? await textsOfImage(workers, arrival.file, requester) : null;
    const stored: StoredFile = {
      type: found.type,
      name,
      texts: read?.texts,
      uploadHash: arrival.hash,
      content: {
        user_id: owner.userId,
        mime: found.mime,
        bytes: kept.size ?? arrival.bytes,
        hash: kept.hash,
        entry: kept.entry,
        width: found.width ?? null,
        height: found.height ?? null,
        duration: found.duration ?? null,
        details: JSON.stringify({ ...found.details, ...(read?.hasCredentials && { credentials: true }) }),
        loudness: null,
        true_peak: null,
        photo: found.photo ? JSON.stringify(found.photo) : null,
        original_hash: original?.hash ?? null,
        original_bytes: original?.bytes ?? null,
        original_name: original && name,
        stripping: 'checked',
      },
    };
    const limited = { db: services.db, clock, organizationId };
    const noteStored = () => withinQuotas(limited, ['storage'], (db) => note(db, stored));
    return await media
      .keep(kept.hash, kept.path, kept.top, noteStored, (isOther && original) || undefined)
      .catch(async (error: unknown) => {
        // Over quota: the file is deleted from disk, too.
        if (error instanceof ApiError) await media.remove(kept.hash, () => neededOf(services.db, kept.hash));
        throw error;
      });
  } finally {
    await media.discard(arrival);
  }
}

/** The id of a folder; null if it was removed while the file was uploaded. */
const folderNow = (db: Database, organizationId: number, id: number) =>
  db.selectFrom('media_folders').select('id').where('organization_id', '=', organizationId).where('id', '=', id);

/**
 * Stores an incoming file as a row of the media library. Equal content with the same name and metadata returns the
 * existing row.
 * @throws ApiError like `withStoredFile`
 */
export const storeFile = (services: Services, owner: FileOwner, upload: Omit<Upload, 'name'>): Promise<MediaRow> =>
  withStoredFile(services, owner, upload, async (db, { type, name, content, texts, uploadHash }) => {
    const { hash, entry, details, photo, original_hash, original_bytes, original_name } = content;
    const same = await db
      .selectFrom('media')
      .selectAll()
      .where('organization_id', '=', owner.organizationId)
      .where('hash', '=', hash)
      .where('entry', '=', entry)
      .where('name', '=', name)
      // A stripped image may equal another one with different camera metadata.
      .$if(type === 'image', (query) => query.where('details', '=', details))
      // Users get their own upload back, visitors any equal content.
      .$if(owner.visitor === undefined, (query) =>
        query.where(({ or, and, eb }) =>
          or([
            eb('original_hash', '=', uploadHash),
            and([eb('original_hash', 'is', null), eb('user_id', 'is not', null)]),
          ]),
        ),
      )
      .orderBy('id')
      .executeTakeFirst();
    // Files stored by older versions lack their original or what their camera recorded.
    const isWhole =
      same && (original_hash === null || (same.original_hash !== null && (photo === null || same.photo !== null)));
    if (isWhole) return same;
    if (same)
      return await db
        .updateTable('media')
        .set({ original_hash, original_bytes, original_name, photo })
        .where('id', '=', same.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    const now = timestampOf(services.clock.now());
    const row = await db
      .insertInto('media')
      .values({
        ...content,
        organization_id: owner.organizationId,
        folder_id: owner.folderId ? folderNow(db, owner.organizationId, owner.folderId) : null,
        name,
        type,
        ...textColumns({ ...texts, ...owner.texts }),
        ...(owner.translations && { translations: JSON.stringify(owner.translations) }),
        texts_read: 1,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (services.settings.OPTIMIZE_MEDIA) await planUpload(db, services.clock, row);
    return row;
  });

/** An upload from a complete stream, such as a local file. */
export const wholeUpload = (stream: Readable): Omit<Upload, 'name'> => ({ stream, truncated: () => false });

/** A file id in a request: its field, and the accepted types. */
export interface FileUse {
  field: string;
  id: number | null;
  kinds: readonly string[];
  /** Why a file of the right kind can't be used; null if it can. */
  problemOf?(file: FileReference): string | null;
}

/**
 * Checks that file ids exist in the organization's media library.
 * @throws ApiError invalid, naming every field whose file is missing or has the wrong type
 */
export async function checkFiles(db: Database, organizationId: number, uses: readonly FileUse[]): Promise<void> {
  const files = await findFiles(
    db,
    organizationId,
    uses.map(({ id }) => id),
  );
  const msg: Messages = {};
  for (const { field, id, kinds, problemOf } of uses) {
    if (id === null) continue;
    const file = files.get(id);
    if (!file) msg[field] = ['File not found; it may have been deleted. Choose another one.'];
    else if (kinds.length === 0) msg[field] = ['This field accepts no file.'];
    else if (!kinds.includes(file.type)) msg[field] = [`Choose a file of type ${kinds.join(' or ')}.`];
    else {
      const problem = problemOf?.(file);
      if (problem) msg[field] = [problem];
    }
  }
  if (Object.keys(msg).length > 0) throw new ApiError('invalid', msg);
}

/**
 * Prepares the first files that visitors of a panorama load, so that no one waits for them: the small copy inlined in
 * pages, and the tiles of a wide image.
 * @param url URL of the stored image; other files are ignored
 */
export async function preparePanorama({ media, workers }: Services, url: string): Promise<void> {
  const stored = readMediaUrl(url);
  if (!stored) return;
  await media.fileOf(stored.hash, stored.entry);
  const folder = media.folderOf(stored.hash);
  await smallPicture(workers, folder, stored.entry, PAGE_COPY);
  await cutIfWide(workers, folder, stored.entry);
}

/** Deletes contents that nothing uses any more, and the image sheets that show them. */
export async function removeContents(
  { db, media }: Pick<Services, 'db' | 'media'>,
  hashes: readonly string[],
): Promise<void> {
  await removeSheetsWith({ db, media }, hashes);
  for (const hash of hashes) await media.remove(hash, () => neededOf(db, hash));
}
