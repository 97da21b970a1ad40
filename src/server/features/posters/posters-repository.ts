import type { Selectable } from 'kysely';
import type { Poster } from '../../../contract/entities.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { createToken } from '../../core/secrets/token.ts';
import type { PosterTable } from './table.ts';

/** What stands for a space, a template, a structure or a model, with its images. */
export type StoredPoster = Selectable<PosterTable>;

/** What a poster can stand for, by the column that names it. */
export type PosterSubject = 'room_id' | 'template_id' | 'endpoint_id' | 'media_id';

/** Where posters are served. */
export const POSTER_PREFIX = '/posters';

const ADDRESS = /^\/posters\/([\w-]{32})-(?:(?:160|640)\.webp|1200\.jpg)$/;

/** Address of a poster that fits a list, and of one that fits a link preview. Nobody can guess it. */
const urlsOf = (token: string) => ({
  small_url: `${POSTER_PREFIX}/${token}-640.webp`,
  large_url: `${POSTER_PREFIX}/${token}-1200.jpg`,
});

/** What an address of a poster is made of; undefined where it is none. */
export const tokenOfPoster = (url: string): string | undefined => ADDRESS.exec(url)?.[1];

type Found = Pick<StoredPoster, 'kind' | 'token' | 'updated_at'>;

const asPoster = ({ kind, token, updated_at }: Found): Poster => ({
  ...urlsOf(token),
  is_chosen: kind === 'chosen',
  updated_at,
});

const bySubject = (subject: PosterSubject) =>
  prepared((db, id: number) =>
    db.selectFrom('posters').select(['kind', 'token', 'updated_at']).where(subject, '=', id),
  );
const FIND = {
  room_id: bySubject('room_id'),
  template_id: bySubject('template_id'),
  endpoint_id: bySubject('endpoint_id'),
  media_id: bySubject('media_id'),
};

/** What stands for a space, a template, a structure or a model; null where nothing does. */
export async function findPoster(db: Database, subject: PosterSubject, id: number): Promise<Poster | null> {
  const [row] = await FIND[subject](db, id);
  return row ? asPoster(row) : null;
}

/** URLs of small posters, by the ids of what they show. */
export async function smallPosters(
  db: Database,
  subject: PosterSubject,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const posters = new Map<number, string>();
  for (const chunk of chunksOf(ids))
    for (const row of await db.selectFrom('posters').select([subject, 'token']).where(subject, 'in', chunk).execute())
      posters.set(Number(row[subject]), urlsOf(row.token).small_url);
  return posters;
}

/** Where the images of a poster are: in the storage of files, or as base64 with the poster, as versions before 0.13.0 had it. */
export type PosterSource = Pick<StoredPoster, 'file_id' | 'small' | 'large'>;

/** Images that stand in the storage of files. */
export const storedImages = (fileId: number): PosterSource => ({ file_id: fileId, small: '', large: '' });

/** What names the version of a space that a poster is drawn of: the same as long as the space and its template stay as they are. */
export const roomDrawingVersion = (seq: number, templateUpdatedAt: string | null): string =>
  `${seq} ${templateUpdatedAt ?? ''}`;

/** The version of what a poster is drawn of, as it is now; null where there is none. */
async function versionNow(db: Database, subject: PosterSubject, id: number): Promise<string | null> {
  if (subject === 'endpoint_id' || subject === 'media_id') return null;
  if (subject === 'template_id') {
    const row = await db.selectFrom('templates').select('updated_at').where('id', '=', id).executeTakeFirst();
    return row?.updated_at ?? null;
  }
  const row = await db
    .selectFrom('rooms')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .select(['rooms.seq', 'templates.updated_at'])
    .where('rooms.id', '=', id)
    .executeTakeFirst();
  return row ? roomDrawingVersion(row.seq, row.updated_at) : null;
}

/**
 * Puts a poster in the place of the one before; a drawn one never takes the place of one that somebody chose.
 * @param drawnOf version that it was drawn of; the present one when left out
 * @returns what stands there now
 */
export async function putPoster(
  db: Database,
  { organizationId, clock }: { organizationId: number; clock: Clock },
  { subject, id }: { subject: PosterSubject; id: number },
  kind: 'drawn' | 'chosen',
  { file_id, small, large }: PosterSource,
  drawnOf?: string,
): Promise<Poster> {
  const at = nextTimestamp(clock);
  const version = kind === 'chosen' ? null : (drawnOf ?? (await versionNow(db, subject, id)));
  const values = { kind, token: createToken().slice(0, 32), file_id, small, large, version, updated_at: at };
  const owner = { room_id: null, template_id: null, endpoint_id: null, media_id: null, [subject]: id };
  await db
    .insertInto('posters')
    .values({ ...values, ...owner, organization_id: organizationId, created_at: at })
    .onConflict((conflict) => {
      const put = conflict.column(subject).doUpdateSet(values);
      return kind === 'chosen' ? put : put.where('posters.kind', '=', 'drawn');
    })
    .execute();
  const query = db.selectFrom('posters').select(['kind', 'token', 'updated_at']).where(subject, '=', id);
  return asPoster(await query.executeTakeFirstOrThrow());
}

export async function deletePoster(db: Database, subject: PosterSubject, id: number): Promise<void> {
  await db.deleteFrom('posters').where(subject, '=', id).execute();
}

/** The whole row, for the bin and for copies. */
export const readPosterRow = (db: Database, subject: PosterSubject, id: number): Promise<StoredPoster | undefined> =>
  db.selectFrom('posters').selectAll().where(subject, '=', id).executeTakeFirst();
