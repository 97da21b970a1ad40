import type { Selectable } from 'kysely';
import type { Poster } from '../../../contract/entities.ts';
import { type Clock, nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { prepared } from '../../base/db/prepared.ts';
import type { PosterTable } from '../../base/db/room-tables.ts';
import { createToken } from '../../base/secrets/token.ts';

/** What stands for a space, with its images. */
export type StoredPoster = Selectable<PosterTable>;

/** Where posters are served. */
export const POSTER_PREFIX = '/posters';

const ADDRESS = /^\/posters\/([\w-]{32})-(?:640\.webp|1200\.jpg)$/;

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

const byRoom = prepared((db, roomId: number) =>
  db.selectFrom('posters').select(['kind', 'token', 'updated_at']).where('room_id', '=', roomId),
);

/** What stands for a space; null where nothing does. */
export async function findPoster(db: Database, roomId: number): Promise<Poster | null> {
  const [row] = await byRoom(db, roomId);
  return row ? asPoster(row) : null;
}

/** Addresses of the small posters of spaces, by the ids of the spaces. */
export async function smallPosters(db: Database, roomIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (roomIds.length === 0) return new Map();
  const rows = await db.selectFrom('posters').select(['room_id', 'token']).where('room_id', 'in', roomIds).execute();
  return new Map(rows.map(({ room_id, token }) => [Number(room_id), urlsOf(token).small_url]));
}

/** The same for all spaces of an organization. */
export async function allSmallPosters(db: Database, organizationId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('posters')
    .select(['room_id', 'token'])
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map(({ room_id, token }) => [Number(room_id), urlsOf(token).small_url]));
}

/** Where the images of a poster are: in the storage of files, or as base64 with the poster, as versions before 0.13.0 had it. */
export type PosterSource = Pick<StoredPoster, 'file_id' | 'small' | 'large'>;

/** Images that stand in the storage of files. */
export const storedImages = (fileId: number): PosterSource => ({ file_id: fileId, small: '', large: '' });

/**
 * Puts a poster in the place of the one before; a drawn one never takes the place of one that somebody chose.
 * @returns what stands for the space now
 */
export async function putPoster(
  db: Database,
  { organizationId, clock }: { organizationId: number; clock: Clock },
  roomId: number,
  kind: 'drawn' | 'chosen',
  { file_id, small, large }: PosterSource,
): Promise<Poster> {
  const at = nextTimestamp(clock);
  const values = { kind, token: createToken().slice(0, 32), file_id, small, large, updated_at: at };
  await db
    .insertInto('posters')
    .values({ ...values, room_id: roomId, organization_id: organizationId, created_at: at })
    .onConflict((conflict) => {
      const put = conflict.column('room_id').doUpdateSet(values);
      return kind === 'chosen' ? put : put.where('posters.kind', '=', 'drawn');
    })
    .execute();
  const query = db.selectFrom('posters').select(['kind', 'token', 'updated_at']).where('room_id', '=', roomId);
  return asPoster(await query.executeTakeFirstOrThrow());
}

export async function deletePoster(db: Database, roomId: number): Promise<void> {
  await db.deleteFrom('posters').where('room_id', '=', roomId).execute();
}

/** The whole row, for the bin and for copies. */
export const readPosterRow = (db: Database, roomId: number): Promise<StoredPoster | undefined> =>
  db.selectFrom('posters').selectAll().where('room_id', '=', roomId).executeTakeFirst();
