import { createReadStream } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { type Media, type MediaType, wantedMediaType } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { headOf } from '../../core/files/checked-head.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import { type MediaStore, originalPath } from '../../core/files/media-store.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { orNotFound } from '../../core/http/found.ts';
import { readJson } from '../../core/read-json.ts';
import {
  asMedia,
  deleteMedia,
  findMedia,
  hasStoredOriginal,
  listMedia,
  type MediaRow,
  neededOf,
} from '../media/queries.ts';
import { keepPosterImages } from '../posters/poster-files.ts';
import { putPoster, smallPosters, storedImages } from '../posters/queries.ts';
import { detachMedia, usesOf } from './usage.ts';

/** A file of the library. @throws ApiError not_found */
export async function findFile({ db, organizationId }: CallContext, id: number): Promise<MediaRow> {
  return orNotFound(await findMedia(db, organizationId, id));
}

/** Files in API format, with their previews. */
async function withTurntables({ db }: CallContext, rows: readonly MediaRow[]): Promise<Media[]> {
  // Only models have turntables.
  const models = rows.filter(({ type }) => type === 'object').map(({ id }) => id);
  const drawn = await smallPosters(db, 'media_id', models);
  return rows.map((row) => asMedia(row, drawn.get(row.id)));
}

/** A file of the library. @throws ApiError not_found */
export async function readMedia(context: CallContext, id: number): Promise<Media> {
  const [media] = await withTurntables(context, [await findFile(context, id)]);
  return media!;
}

/** Page size of the library. */
const PAGE = 30;

const filtersSchema = z.array(z.strictObject({ type: z.union([wantedMediaType, z.literal('current_user')]) })).max(20);

/** Parses list filters: base64-encoded JSON. */
function readFilters(encoded: string | undefined): z.output<typeof filtersSchema> {
  if (!encoded) return [];
  try {
    return filtersSchema.parse(readJson(Buffer.from(encoded, 'base64').toString('utf8')));
  } catch {
    throw new ApiError('bad_request', {
      filters: ['The filters must be the Base64 of a JSON list of {type} objects.'],
    });
  }
}

/** The requested types: the intersection of the filters and the list's types, or all types of the list. */
function kindsOf(wanted: readonly MediaType[], list: readonly MediaType[] | undefined): readonly MediaType[] {
  if (!list) return wanted;
  const both = wanted.filter((type) => list.includes(type));
  return both.length > 0 ? both : list;
}

/**
 * A page of the media library, newest first.
 * @param list media types of the list; all by default
 */
export async function pageOfMedia(
  context: SignedInContext,
  query: { search?: string; page: number; ids?: string; filters?: string },
  list?: readonly MediaType[],
): Promise<{ data: Media[]; last_page: number }> {
  const { db, organizationId, user } = context;
  const filters = readFilters(query.filters).map(({ type }) => type);
  const types = kindsOf(
    filters.filter((type) => type !== 'current_user'),
    list,
  );
  const ids = query.ids?.split(',').map(Number);
  const size = ids?.length ?? PAGE;
  const userId = filters.includes('current_user') ? user.userId : undefined;
  const filter = { types, ids, search: query.search, ...(userId !== undefined && { userId }) };
  const { rows, total } = await listMedia(db, organizationId, filter, { limit: size, offset: (query.page - 1) * size });
  return { data: await withTurntables(context, rows), last_page: Math.max(1, Math.ceil(total / size)) };
}

/** Constant archive options, so that the same files produce the same archive. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: false, forceDosTimestamp: true };

async function archiveOf(folder: string): Promise<Readable> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const zip = new ZipFile();
  const named = files.map((file) => ({ file, name: relative(folder, file).split(sep).join('/') }));
  for (const { file, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) zip.addFile(file, name, OPTIONS);
  zip.end();
  return zip.outputStream as Readable;
}

/**
 * The stored, importable form of a file: uploading it again gives the same file.
 * @throws ApiError not_found if its content is missing on disk
 */
export async function readContent(store: MediaStore, { hash, entry }: MediaRow): Promise<Download> {
  const [top = '', ...below] = entry.split('/');
  const path = await store.entryOf(hash, top);
  await access(path).catch(() => {
    throw new ApiError('not_found', 'The content of this file is missing.');
  });
  // Entry names are plain letters; sanitize anyway, because the extension appears in a header.
  const name = basename(top).replace(/[^\w.-]/g, '-');
  if (below.length === 0) return new Download(name, createReadStream(path));
  return new Download(`${name}.zip`, await archiveOf(path));
}

/**
 * A file as uploaded, byte for byte.
 * @throws ApiError not_found if its original was not stored, it came from a visitor, or it is missing on disk
 */
export async function readOriginal(store: MediaStore, row: MediaRow): Promise<Download> {
  if (row.original_hash === null)
    throw new ApiError(
      'not_found',
      'No original is stored for this file. It was uploaded before version 0.15, or shared by a visitor.',
    );
  const path = await store.fileOf(row.hash, hasStoredOriginal(row) ? originalPath(row.original_hash) : row.entry);
  await access(path).catch(() => {
    throw new ApiError('not_found', 'The original of this file is missing.');
  });
  return new Download(row.original_name ?? row.name, createReadStream(path));
}

/**
 * Removes a file from the library and from all its uses.
 * @param force whether to remove a file that is in use
 * @throws ApiError not_found, forbidden, or in_use listing its uses
 */
export async function removeFile(context: SignedInContext, id: number, force: boolean): Promise<void> {
  const { db, organizationId, media: store, user } = context;
  const { policies, apiKey, userId } = user;
  const isOwner = ({ user_id }: MediaRow) => apiKey === null && user_id === userId;
  if (!policies.media.delete && !policies.media.create) throw new ApiError('forbidden');
  const row = await findFile(context, id);
  if (!policies.media.delete && !isOwner(row)) throw new ApiError('forbidden');
  const uses = await usesOf(db, organizationId, row.id);
  if (uses.length > 0 && !force) throw new ApiError('in_use', { error: ['This file is still in use.', ...uses] });
  await db.transaction().execute(async (transaction) => {
    await detachMedia(transaction, context, row);
    await deleteMedia(transaction, row.id);
  });
  await store.remove(row.hash, () => neededOf(db, row.hash));
}

/** Limit on the bytes of a turntable: many times its usual size. */
const MAX_DRAWN = 4 * 1024 * 1024;

/**
 * Stores a browser's turntable of a model. Files never change, so the first turntable is final.
 * @throws ApiError not_found, too_large, wrong_type or bad_file
 */
export async function drawTurntable(context: CallContext, id: number, file: Upload | undefined): Promise<Media> {
  const { db, organizationId, media, workers } = context;
  const before = await readMedia(context, id);
  if (!file) throw new ApiError('invalid', { file: ['Send an image.'] });
  if (before.turntable_url !== null) return before;
  const arrival = await media.receive(file, { most: MAX_DRAWN, check: headOf(workers, 'image') });
  try {
    const images = await workers.run('drawTurntableImages', { source: arrival.file }, ofOrganization(organizationId));
    const kept = storedImages(await keepPosterImages(context, organizationId, images));
    await db.transaction().execute(async (locked) => {
      await findFile({ ...context, db: locked }, id);
      await putPoster(locked, context, { subject: 'media_id', id }, 'drawn', kept);
    });
    return readMedia(context, id);
  } finally {
    await media.discard(arrival);
  }
}
