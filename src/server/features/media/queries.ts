import type { Selectable, Updateable } from 'kysely';
import type { FileReference } from '../../../../engine/document/fields.ts';
import type { Media, MediaType } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { containsWords } from '../../core/db/search.ts';
import type { PhotoMetadata } from '../../core/files/inspect/metadata/photo-metadata.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { MediaTable } from './table.ts';

/** Media library files by id. */
export type Files = ReadonlyMap<number, FileReference>;

const byId = (files: FileReference[]): Files => new Map(files.map((file) => [file.id, file]));

/** An organization's files by id; unknown ids are omitted. */
export async function findFiles(db: Database, organizationId: number, ids: readonly (number | null)[]): Promise<Files> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  return byId([...(await findMediaRows(db, organizationId, wanted)).values()].map(asFileReference));
}

/** Stored files of an organization by id; unknown ids are omitted. */
export async function findMediaRows(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MediaRow>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsIn(db, organizationId).selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** All files used by a room's elements, and additional ones. */
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

/** Names of files by id, as a storable object. */
export const fileNames = (files: Files): Record<string, string> =>
  Object.fromEntries([...files.values()].map(({ id, name }) => [id, name]));

/** Values per query. */
const CHUNK = 500;

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('media').where('organization_id', '=', organizationId);

/** Filter of a file list. */
interface MediaFilter {
  /** Types; empty for all. */
  types: readonly MediaType[];
  userId?: number;
  ids?: readonly number[];
  search?: string;
}

/** An organization's files, newest first, and the total count. */
export async function listMedia(
  db: Database,
  organizationId: number,
  { types, userId, ids, search }: MediaFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MediaRow[]; total: number }> {
  let found = rowsIn(db, organizationId);
  if (types.length > 0) found = found.where('type', 'in', types);
  if (userId !== undefined) found = found.where('user_id', '=', userId);
  if (ids) found = found.where('id', 'in', ids);
  if (search) found = found.where(containsWords('name', search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { rows, total: Number(total) };
}

export async function findMedia(db: Database, organizationId: number, id: number): Promise<MediaRow | undefined> {
  return rowsIn(db, organizationId).selectAll().where('id', '=', id).executeTakeFirst();
}

/** An organization's files with a content, oldest first. */
export async function findMediaByHash(db: Database, organizationId: number, hash: string): Promise<MediaRow[]> {
  return rowsIn(db, organizationId).selectAll().where('hash', '=', hash).orderBy('id').execute();
}

/** Ids and names of an organization's images, newest first. */
export async function findImageNames(db: Database, organizationId: number): Promise<{ id: number; name: string }[]> {
  const images = rowsIn(db, organizationId).select(['id', 'name']).where('type', '=', 'image');
  return images.orderBy('id', 'desc').execute();
}

export async function updateMedia(db: Database, id: number, values: Updateable<MediaTable>): Promise<void> {
  await db.updateTable('media').set(values).where('id', '=', id).execute();
}

export async function deleteMedia(db: Database, id: number): Promise<void> {
  await db.deleteFrom('media').where('id', '=', id).execute();
}

/** Organizations with each of these contents in their library. */
export async function findHolders(
  db: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const holders = new Map<string, Set<number>>();
  for (let start = 0; start < hashes.length; start += CHUNK) {
    const some = hashes.slice(start, start + CHUNK);
    const query = db.selectFrom('media').select(['hash', 'organization_id']).distinct().where('hash', 'in', some);
    for (const { hash, organization_id } of await query.execute())
      holders.set(hash, (holders.get(hash) ?? new Set()).add(organization_id));
  }
  return holders;
}

export type MediaRow = Selectable<MediaTable>;

/** The part of a sphere that an image covers; empty for other files and full spheres. */
function partOf({ type, details }: MediaRow): Pick<FileReference, 'part'> {
  if (type !== 'image' || !details.includes('"part"')) return {};
  const { panorama } = JSON.parse(details) as { panorama?: { part?: FileReference['part'] } };
  return panorama?.part ? { part: panorama.part } : {};
}

/** Camera angles of an image in degrees; empty if they aren't recorded. Its position and time stay on the server. */
function anglesOf({ photo }: MediaRow): Pick<Media, 'heading' | 'pitch' | 'roll'> {
  if (photo === null) return {};
  const { heading, pitch, roll } = JSON.parse(photo) as PhotoMetadata;
  return {
    ...(heading !== undefined && { heading }),
    ...(pitch !== undefined && { pitch }),
    ...(roll !== undefined && { roll }),
  };
}

/** Number of lights in a model; empty if it has none. */
function lightsOf({ type, details }: MediaRow): Pick<FileReference, 'lights'> {
  if (type !== 'object' || !details.includes('"lights"')) return {};
  const { lights } = JSON.parse(details) as { lights?: number };
  return lights ? { lights } : {};
}

/** A stored file as referenced by elements and templates. */
export const asFileReference = (row: MediaRow): FileReference => ({
  id: row.id,
  name: row.name,
  type: row.type,
  url: mediaUrl(row),
  mime: row.mime,
  width: row.width,
  height: row.height,
  duration: row.duration,
  ...partOf(row),
  ...lightsOf(row),
});

/** Whether the upload is stored separately, because it differs from the file. */
export const hasStoredOriginal = ({
  hash,
  entry,
  original_hash,
  stripping,
}: Pick<MediaRow, 'hash' | 'entry' | 'original_hash' | 'stripping'>): boolean =>
  original_hash !== null && (original_hash !== hash || entry.includes('/') || stripping === 'stripped');

/** A stored file as in API responses. @param turntableUrl URL of the drawn model views */
export const asMedia = (row: MediaRow, turntableUrl: string | undefined): Media => ({
  ...asFileReference(row),
  ...anglesOf(row),
  type: row.type as MediaType,
  mime: row.mime,
  bytes: row.bytes,
  details: JSON.parse(row.details),
  turntable_url: turntableUrl ?? null,
  original:
    row.original_hash === null
      ? null
      : { name: row.original_name ?? row.name, bytes: row.original_bytes ?? row.bytes, hash: row.original_hash },
  created_at: row.created_at,
});

/** Whether an organization's library contains a content. */
export async function isHeldBy(db: Database, organizationId: number, hash: string): Promise<boolean> {
  const query = db.selectFrom('media').select('id').where('organization_id', '=', organizationId);
  return (await query.where('hash', '=', hash).executeTakeFirst()) !== undefined;
}

/** Whether any library contains a content. */
export async function isNoted(db: Database, hash: string): Promise<boolean> {
  return (await db.selectFrom('media').select('id').where('hash', '=', hash).executeTakeFirst()) !== undefined;
}

/**
 * References to a stored content from libraries and posters.
 * @returns hashes of the originals to retain; null if the content is unused
 */
export async function neededOf(db: Database, hash: string): Promise<ReadonlySet<string> | null> {
  const rows = await db.selectFrom('media').select('original_hash').where('hash', '=', hash).distinct().execute();
  if (rows.length > 0) return new Set(rows.flatMap(({ original_hash }) => original_hash ?? []));
  const poster = db.selectFrom('poster_files').select('id').where('hash', '=', hash);
  return (await poster.executeTakeFirst()) ? new Set() : null;
}
