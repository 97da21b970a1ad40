import type { Selectable, Updateable } from 'kysely';
import type { FileReference } from '../../../../engine/document/fields.ts';
import { gainOf, type Loudness } from '../../../../engine/document/loudness.ts';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import type { Author, Media, MediaTexts, MediaType, OptimizedMedia } from '../../../contract/entities.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import type { PhotoMetadata } from '../../core/files/inspect/metadata/photo-metadata.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { ContentColumns, MediaTable } from './table.ts';

/** Media library files by id. */
export type Files = ReadonlyMap<number, FileReference>;

const byId = (files: FileReference[]): Files => new Map(files.map((file) => [file.id, file]));

/** An organization's files by id; unknown ids are omitted. */
export async function findFiles(db: Database, organizationId: number, ids: readonly (number | null)[]): Promise<Files> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  return byId([...(await findMediaRows(db, organizationId, wanted)).values()].map(asFileReference));
}

/**
 * Clears references to missing files, and names these files.
 * @param names names of the files, by id, as far as they are known
 * @returns the same objects if their files exist
 */
export async function withoutMissingFiles<T extends { file_id: number | null }>(
  db: Database,
  organizationId: number,
  rows: readonly T[],
  names: Record<string, string> = {},
): Promise<{ rows: T[]; missing: string[] }> {
  const wanted = rows.map(({ file_id }) => file_id);
  const files = await findFiles(db, organizationId, wanted);
  const gone = new Set(wanted.filter((id) => id !== null && !files.has(id)));
  return {
    rows: rows.map((row) => (gone.has(row.file_id) ? { ...row, file_id: null } : row)),
    missing: [...gone].map((id) => `File ${names[id!] ?? id}`),
  };
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

const rowsIn = (db: Database, organizationId: number) =>
  db.selectFrom('media').where('organization_id', '=', organizationId);

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

/**
 * Deletes a file with its earlier versions, within the caller's transaction.
 * @returns hashes of their contents, which may be unused then
 */
export async function deleteMedia(db: Database, id: number): Promise<string[]> {
  // Locked: a concurrent replacement would add a version.
  const file = await forUpdate(db, db.selectFrom('media').select('hash').where('id', '=', id)).executeTakeFirst();
  const versions = await db.selectFrom('media_versions').select('hash').where('media_id', '=', id).execute();
  await db.deleteFrom('media').where('id', '=', id).execute();
  return [...new Set([...(file ? [file] : []), ...versions].map(({ hash }) => hash))];
}

/** Organizations with each of these contents in their library, or in an earlier version. */
export async function findHolders(
  db: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const holders = new Map<string, Set<number>>();
  for (const some of chunksOf(hashes))
    for (const table of CONTENTS) {
      const query = db
        .selectFrom(table as 'media')
        .select(['hash', 'organization_id'])
        .distinct()
        .where('hash', 'in', some);
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

/** Numbers of lights and splats in a model, as far as it has some. */
function countsOf({ type, details }: MediaRow): Pick<FileReference, 'lights' | 'splats'> {
  if (type !== 'object' || !/"(?:lights|splats)"/.test(details)) return {};
  const { lights, splats } = JSON.parse(details) as { lights?: number; splats?: number };
  return { ...(lights && { lights }), ...(splats && { splats }) };
}

/** The measured loudness of audio or a video; null if there is none. */
export const loudnessOf = ({ loudness, true_peak }: Pick<MediaRow, 'loudness' | 'true_peak'>): Loudness | null =>
  loudness === null || true_peak === null ? null : { loudness, true_peak };

/** A stored file as referenced by elements and templates. */
export function asFileReference(row: MediaRow): FileReference {
  const measured = loudnessOf(row);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    url: mediaUrl(row),
    mime: row.mime,
    width: row.width,
    height: row.height,
    duration: row.duration,
    ...(measured && { gain: gainOf(measured) }),
    ...partOf(row),
    ...countsOf(row),
  };
}

/** Whether the upload is stored separately, because it differs from the file. */
export const hasStoredOriginal = ({
  hash,
  entry,
  original_hash,
  stripping,
}: Pick<MediaRow, 'hash' | 'entry' | 'original_hash' | 'stripping'>): boolean =>
  original_hash !== null && (original_hash !== hash || entry.includes('/') || stripping === 'stripped');

/** The texts of a stored file. */
export const textsOf = ({
  title,
  description,
  creator,
  credit,
  rights,
  date,
  alt,
  long_description,
  transcript,
  keywords,
}: Pick<MediaRow, keyof MediaTexts>): MediaTexts => ({
  ...{ title, description, creator, credit, rights, date, alt, long_description, transcript },
  keywords: JSON.parse(keywords) as string[],
});

/** Texts as columns. */
export const textColumns = ({ keywords, ...texts }: Partial<MediaTexts>): Updateable<MediaTable> => ({
  ...texts,
  ...(keywords && { keywords: JSON.stringify(keywords) }),
});

/** Languages into which a transcript is translated; null without a transcript. */
const transcriptLanguages = ({ transcript, translations }: MediaRow): string[] | null =>
  transcript === ''
    ? null
    : Object.entries(parseTranslations(translations)).flatMap(([tag, own]) => (own.transcript ? [tag] : []));

/**
 * A stored file as in API responses.
 * @param turntableUrl URL of the drawn model views
 * @param uploader the user who uploaded it
 */
export const asMedia = (
  row: MediaRow,
  turntableUrl: string | undefined,
  uploader: Author | undefined,
  optimized: OptimizedMedia | undefined,
): Media => ({
  ...asFileReference(row),
  ...anglesOf(row),
  ...textsOf(row),
  translations: parseTranslations(row.translations),
  transcript_languages: transcriptLanguages(row),
  type: row.type as MediaType,
  mime: row.mime,
  bytes: row.bytes,
  details: JSON.parse(row.details),
  ...loudnessOf(row),
  turntable_url: turntableUrl ?? null,
  original:
    row.original_hash === null
      ? null
      : { name: row.original_name ?? row.name, bytes: row.original_bytes ?? row.bytes, hash: row.original_hash },
  optimized: optimized ?? null,
  folder_id: row.folder_id,
  uploaded_by: uploader ?? null,
  created_at: row.created_at,
});

/** Tables with contents: files, and their earlier versions. */
const CONTENTS = ['media', 'media_versions'] as const;

/** The first result of a query for files or their earlier versions. */
async function firstOf<T>(find: (table: 'media') => Promise<T | undefined>): Promise<T | undefined> {
  for (const table of CONTENTS) {
    const found = await find(table as 'media');
    if (found) return found;
  }
  return undefined;
}

/** Whether an organization's library contains a content, or contained it before a file was replaced. */
export const isHeldBy = async (db: Database, organizationId: number, hash: string): Promise<boolean> =>
  (await firstOf((table) =>
    db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('hash', '=', hash)
      .executeTakeFirst(),
  )) !== undefined;

/** Whether any library contains a content, or contained it before a file was replaced. */
export const isNoted = async (db: Database, hash: string): Promise<boolean> =>
  (await firstOf((table) => db.selectFrom(table).select('id').where('hash', '=', hash).executeTakeFirst())) !==
  undefined;

/** Whether a user uploaded a content, in any library. */
export const isOfUser = async (db: Database, hash: string): Promise<boolean> =>
  (await firstOf((table) =>
    db.selectFrom(table).select('id').where('hash', '=', hash).where('user_id', 'is not', null).executeTakeFirst(),
  )) !== undefined;

/** Stored files and earlier versions that haven't been checked for metadata, with a name; several may share one. */
export async function findUnstripped(db: Database, limit: number) {
  const files = await db
    .selectFrom('media')
    .select(['hash', 'entry', 'name', 'organization_id', 'width', 'height'])
    .where('stripping', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  if (files.length > 0) return files;
  return db
    .selectFrom('media_versions as version')
    .innerJoin('media', 'media.id', 'version.media_id')
    .select(['version.hash', 'version.entry', 'media.name', 'version.organization_id'])
    .select(['version.width', 'version.height'])
    .where('version.stripping', 'is', null)
    .orderBy('version.id')
    .limit(limit)
    .execute();
}

/** Files and earlier versions that were stripped in place. */
export async function findStripped(db: Database): Promise<Pick<MediaRow, 'hash' | 'entry'>[]> {
  const found = [];
  for (const table of CONTENTS)
    found.push(
      ...(await db
        .selectFrom(table as 'media')
        .select(['hash', 'entry'])
        .where('stripping', '=', 'stripped')
        .execute()),
    );
  return found;
}

/**
 * References to a stored content from libraries, posters and image sheets.
 * @returns hashes of the originals to retain; null if the content is unused
 */
export async function neededOf(db: Database, hash: string): Promise<ReadonlySet<string> | null> {
  const originals = (table: 'media') =>
    db.selectFrom(table).select('original_hash').where('hash', '=', hash).distinct().execute();
  const rows = [];
  for (const table of CONTENTS) rows.push(...(await originals(table as 'media')));
  if (rows.length > 0) return new Set(rows.flatMap(({ original_hash }) => original_hash ?? []));
  for (const table of ['poster_files', 'image_sheets'] as const) {
    const made = db
      .selectFrom(table as 'image_sheets')
      .select('id')
      .where('hash', '=', hash);
    if (await made.executeTakeFirst()) return new Set();
  }
  return null;
}

/** Hashes of the earlier versions of an organization's files with some current contents, by current hash. */
export async function findEarlierHashes(
  db: Database,
  organizationId: number,
  hashes: readonly string[],
): Promise<{ hash: string; earlier: string }[]> {
  const found: { hash: string; earlier: string }[] = [];
  for (const some of chunksOf(hashes))
    found.push(
      ...(await db
        .selectFrom('media_versions')
        .innerJoin('media', 'media.id', 'media_versions.media_id')
        .select(['media.hash', 'media_versions.hash as earlier'])
        .where('media.organization_id', '=', organizationId)
        .where('media.hash', 'in', some)
        .execute()),
    );
  return found;
}

/** What a file contains, without its name and texts. */
export const contentOf = (row: Selectable<ContentColumns>): Selectable<ContentColumns> => ({
  user_id: row.user_id,
  mime: row.mime,
  bytes: row.bytes,
  hash: row.hash,
  entry: row.entry,
  width: row.width,
  height: row.height,
  duration: row.duration,
  details: row.details,
  loudness: row.loudness,
  true_peak: row.true_peak,
  photo: row.photo,
  original_hash: row.original_hash,
  original_bytes: row.original_bytes,
  original_name: row.original_name,
  stripping: row.stripping,
});

/** Like `findMediaRows`, and locks the files until the transaction ends. */
export async function lockMediaRows(db: Database, organizationId: number, ids: readonly number[]): Promise<MediaRow[]> {
  if (ids.length === 0) return [];
  const query = rowsIn(db, organizationId).selectAll().where('id', 'in', ids).orderBy('id');
  return forUpdate(db, query).execute();
}

/** Finds a file and locks it until the transaction ends. */
export const lockMedia = (db: Database, organizationId: number, id: number): Promise<MediaRow | undefined> =>
  forUpdate(db, rowsIn(db, organizationId).selectAll().where('id', '=', id)).executeTakeFirst();
