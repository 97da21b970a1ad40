import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FileReference } from '../../../../engine/document/fields.ts';
import type { MediaType } from '../../../contract/entities.ts';
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
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Upload } from '../../core/files/upload.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { PAGE_COPY } from './preview.ts';
import { findFiles, hasStoredOriginal, type MediaRow, neededOf } from './queries.ts';

/** Owner and name of a file. */
interface FileOwner {
  organizationId: number;
  userId: number | null;
  name: string;
  /** Network address of the sending visitor; undefined for users, whose limits are higher. */
  visitor?: string;
  /** Accepted type; others are rejected. */
  accept?: MediaType;
}

/** A file name without path, control characters or excess length. */
function cleanName(name: string): string {
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

/**
 * Checks an incoming file and stores it: on disk under its hash, and as a row of the media library. Equal content with
 * the same name and metadata returns the existing row. Users' uploads are also stored unchanged.
 * @throws ApiError if it is too large, damaged, or of an unaccepted type; nothing is stored then
 */
export async function storeFile(services: Services, owner: FileOwner, upload: Omit<Upload, 'name'>): Promise<MediaRow> {
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
    const original = visitor === undefined ? { hash: arrival.hash, bytes: arrival.bytes, path: arrival.file } : null;
    const isOther =
      original !== null && hasStoredOriginal({ ...kept, original_hash: original.hash, stripping: 'checked' });
    const limited = { db: services.db, clock, organizationId: owner.organizationId };
    const details = JSON.stringify(found.details ?? {});
    const photo = found.photo ? JSON.stringify(found.photo) : null;
    const note = () =>
      withinQuotas(limited, ['storage'], async (db) => {
        const same = await db
          .selectFrom('media')
          .selectAll()
          .where('organization_id', '=', owner.organizationId)
          .where('hash', '=', kept.hash)
          .where('entry', '=', kept.entry)
          .where('name', '=', name)
          // A stripped image may equal another one with different camera metadata.
          .$if(found.type === 'image', (query) => query.where('details', '=', details))
          // Users get their own upload back, visitors any equal content.
          .$if(original !== null, (query) =>
            query.where(({ or, and, eb }) =>
              or([
                eb('original_hash', '=', arrival.hash),
                and([eb('original_hash', 'is', null), eb('user_id', 'is not', null)]),
              ]),
            ),
          )
          .orderBy('id')
          .executeTakeFirst();
        // Files stored by older versions lack their original or what their camera recorded.
        const isWhole = same && (!original || (same.original_hash !== null && (photo === null || same.photo !== null)));
        if (isWhole) return same;
        if (same)
          return await db
            .updateTable('media')
            .set({ original_hash: original!.hash, original_bytes: original!.bytes, original_name: name, photo })
            .where('id', '=', same.id)
            .returningAll()
            .executeTakeFirstOrThrow();
        const now = timestampOf(clock.now());
        return await db
          .insertInto('media')
          .values({
            organization_id: owner.organizationId,
            user_id: owner.userId,
            name,
            type: found.type,
            mime: found.mime,
            bytes: kept.size ?? arrival.bytes,
            hash: kept.hash,
            entry: kept.entry,
            width: found.width ?? null,
            height: found.height ?? null,
            duration: found.duration ?? null,
            details,
            photo,
            stripping: 'checked',
            ...(original && {
              original_hash: original.hash,
              original_bytes: original.bytes,
              original_name: name,
            }),
            created_at: now,
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
    return await media
      .keep(kept.hash, kept.path, kept.top, note, isOther ? original : undefined)
      .catch(async (error: unknown) => {
        // Over quota: the file is deleted from disk, too.
        if (error instanceof ApiError) await media.remove(kept.hash, () => neededOf(services.db, kept.hash));
        throw error;
      });
  } finally {
    await media.discard(arrival);
  }
}

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
