import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError } from '../../../contract/errors.ts';
import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { type NewRecord, removedRows } from '../../core/changes/records.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { smallPicture } from '../../core/files/copies/thumbnails.ts';
import type { Services } from '../../core/services.ts';
import { isNoted, neededOf } from '../media/queries.ts';
import { tokenOfPoster } from './queries.ts';

/** Services that file storage needs. */
type FileServices = Pick<Services, 'db' | 'clock' | 'media'>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Batch size for moving posters and removing files. */
const POSTER_BATCH = 20;
/** Folder of poster images within their content's folder. */
const FOLDER = 'poster';
const NAMES = { small: '640.webp', large: '1200.jpg' } as const;
/** The smallest size, for rows of lists; derived from the small one on first request. */
const SMALLEST = { width: 160, quality: 75 } as const;

/** Image sizes: for rows of lists, for cards, and for link previews. */
export type PosterSize = 'smallest' | 'small' | 'large';

/** Images of a poster, each as base64. */
export interface PosterImages {
  small: string;
  large: string;
}

/**
 * Stores the images of a poster. Images that no poster uses within a day are deleted.
 * @returns the reference for posters
 */
export async function keepPosterImages(
  { db, clock, media }: FileServices,
  organizationId: number,
  { small, large }: PosterImages,
): Promise<number> {
  const images = { small: Buffer.from(small, 'base64'), large: Buffer.from(large, 'base64') };
  const arrival = await media.receive({
    name: FOLDER,
    stream: Readable.from(Object.values(images)),
    truncated: () => false,
  });
  try {
    const folder = join(arrival.folder, FOLDER);
    await mkdir(folder);
    for (const size of ['small', 'large'] as const) await writeFile(join(folder, NAMES[size]), images[size]);
    return await media.keep(arrival.hash, folder, FOLDER, async () => {
      const now = clock.now();
      const at = timestampOf(now);
      const needed = { needed_until: timestampOf(now + DAY_MS), updated_at: at };
      const { hash, bytes } = arrival;
      const { id } = await db
        .insertInto('poster_files')
        .values({ organization_id: organizationId, hash, bytes, created_at: at, ...needed })
        // An image that is needed for the bin stays longer.
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'hash']).doUpdateSet((row) => ({
            updated_at: at,
            needed_until: row
              .case()
              .when('poster_files.needed_until', '>', needed.needed_until)
              .then(row.ref('poster_files.needed_until'))
              .else(needed.needed_until)
              .end(),
          })),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    });
  } finally {
    await media.discard(arrival);
  }
}

/** Keeps the images of a removed space for as long as it can be restored. */
export async function keepForBin(db: Database, clock: Services['clock'], fileId: number): Promise<void> {
  const until = timestampOf(clock.now() + RESTORABLE_FOR + DAY_MS);
  await db.updateTable('poster_files').set({ needed_until: until }).where('id', '=', fileId).execute();
}

/** Whether images still exist. */
export async function hasPosterFile(db: Database, organizationId: number, fileId: number): Promise<boolean> {
  const query = db.selectFrom('poster_files').select('id').where('id', '=', fileId);
  return (await query.where('organization_id', '=', organizationId).executeTakeFirst()) !== undefined;
}

/** The bytes of the image at a URL; undefined if there is none. */
export async function readPosterImage(
  { db, media, workers }: FileServices & Pick<Services, 'workers'>,
  token: string,
  size: PosterSize,
): Promise<Buffer | undefined> {
  const whole = size === 'large' ? 'large' : 'small';
  const row = await db
    .selectFrom('posters')
    .leftJoin('poster_files', 'poster_files.id', 'posters.file_id')
    .select(['poster_files.hash', 'posters.small', 'posters.large'])
    .where('token', '=', token)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.hash === null) return row[whole] === '' ? undefined : Buffer.from(row[whole], 'base64');
  const entry = `${FOLDER}/${NAMES[whole]}`;
  try {
    const file = await media.fileOf(row.hash, entry);
    if (size !== 'smallest') return await readFile(file);
    return await readFile(await smallPicture(workers, media.folderOf(row.hash), entry, SMALLEST));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Storage location of the small image of a poster, by URL.
 * @throws ApiError not_found if there is none
 */
export async function findPosterFile(db: Database, url: string): Promise<{ hash: string; entry: string }> {
  const token = tokenOfPoster(url);
  const row = token
    ? await db
        .selectFrom('posters')
        .innerJoin('poster_files', 'poster_files.id', 'posters.file_id')
        .select('poster_files.hash')
        .where('token', '=', token)
        .executeTakeFirst()
    : undefined;
  if (!row) throw new ApiError('not_found');
  return { hash: row.hash, entry: `${FOLDER}/${NAMES.small}` };
}

/** Moves images that versions before 0.13.0 stored in the database to file storage. Several servers may run this concurrently. */
export async function movePosterImages(services: FileServices): Promise<void> {
  const { db } = services;
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('posters')
      .select(['id', 'organization_id', 'token', 'small', 'large'])
      .where('file_id', 'is', null)
      .where('small', '<>', '')
      .where('id', '>', after)
      .orderBy('id')
      .limit(POSTER_BATCH)
      .execute();
    for (const { id, organization_id, token, small, large } of rows) {
      const file_id = await keepPosterImages(services, organization_id, { small, large });
      const moved = db.updateTable('posters').set({ file_id, small: '', large: '' });
      await moved.where('id', '=', id).where('token', '=', token).where('file_id', 'is', null).execute();
      after = id;
    }
    if (rows.length < POSTER_BATCH) return;
  }
}

/** Entries of a content that are in use: by a media library, or as images of a poster. */
async function neededNow(db: Database, hash: string, now: string): Promise<ReadonlySet<string> | null> {
  if (await isNoted(db, hash)) return neededOf(db, hash);
  const used = db
    .selectFrom('poster_files')
    .leftJoin('posters', 'posters.file_id', 'poster_files.id')
    .select('poster_files.id')
    .where('hash', '=', hash)
    .where(({ or, eb }) => or([eb('needed_until', '>=', now), eb('posters.id', 'is not', null)]));
  return (await used.executeTakeFirst()) ? new Set() : null;
}

/** Removes images that no poster uses. */
export async function sweepPosterFiles({ db, clock, media }: FileServices): Promise<void> {
  const now = timestampOf(clock.now());
  const unused = db
    .selectFrom('poster_files')
    .where('needed_until', '<', now)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('posters').select('posters.id').whereRef('posters.file_id', '=', 'poster_files.id'))),
    );
  for (;;) {
    const rows = await unused.select(['poster_files.id', 'poster_files.hash']).limit(POSTER_BATCH).execute();
    for (const { id, hash } of rows) {
      // Delete the row last, so that an interrupted sweep is repeated.
      await media.remove(hash, () => neededNow(db, hash, now));
      await db.deleteFrom('poster_files').where('id', '=', id).where('needed_until', '<', now).execute();
    }
    if (rows.length < POSTER_BATCH) return;
  }
}

/** Records of a removed entity's posters. Their images are stored as long as the entity can be restored. */
export async function* removedPosters(
  db: Database,
  clock: Clock,
  subject: 'endpoint_id' | 'template_id',
  id: number,
): AsyncGenerator<NewRecord> {
  const posters = await db.selectFrom('posters').selectAll().where(subject, '=', id).orderBy('id').execute();
  for (const { file_id } of posters) if (file_id !== null) await keepForBin(db, clock, file_id);
  if (posters.length > 0) yield removedRows('posters', { id }, posters);
}
