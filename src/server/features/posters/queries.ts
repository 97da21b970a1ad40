import type { Selectable } from 'kysely';
import type { Poster } from '../../../contract/entities.ts';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import { createToken } from '../../core/secrets/token.ts';
import { listSuspended } from '../organizations/queries.ts';
import type { PosterTable } from './table.ts';

/** The poster of a space, a template, a structure or a model, with its images. */
export type StoredPoster = Selectable<PosterTable>;

/** Entities with posters, by id column. */
export type PosterSubject = 'room_id' | 'template_id' | 'endpoint_id' | 'media_id';

/** URL prefix of posters. */
export const POSTER_PREFIX = '/posters';

const ADDRESS = /^\/posters\/([\w-]{32})-(?:(?:160|640)\.webp|1200\.jpg)$/;

/** URLs of a poster for lists and for link previews. The token makes them unguessable. */
const urlsOf = (token: string) => ({
  small_url: `${POSTER_PREFIX}/${token}-640.webp`,
  large_url: `${POSTER_PREFIX}/${token}-1200.jpg`,
});

/** The token in a poster URL; undefined if the URL is invalid. */
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

/** The poster of a space, a template, a structure or a model; null if there is none. */
export async function findPoster(db: Database, subject: PosterSubject, id: number): Promise<Poster | null> {
  const [row] = await FIND[subject](db, id);
  return row ? asPoster(row) : null;
}

/** URLs of small posters, by entity id. */
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

/** Location of a poster's images: in file storage or, from versions before 0.13.0, as base64 in the row. */
export type PosterSource = Pick<StoredPoster, 'file_id' | 'small' | 'large'>;

/** Images in file storage. */
export const storedImages = (fileId: number): PosterSource => ({ file_id: fileId, small: '', large: '' });

/** Version of a space for posters; it changes with the space and its template. */
const roomDrawingVersion = (seq: number, templateUpdatedAt: string | null): string =>
  `${seq} ${templateUpdatedAt ?? ''}`;

/** The current version of a drawn entity; null if there is none. */
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
 * Replaces a poster; a drawn one never replaces a chosen one.
 * @param drawnOf version at the time of drawing; the current one by default
 * @returns the resulting poster
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

/** Entities that are drawn by default. */
export type DrawnSubject = 'room_id' | 'template_id';

/** A space or a template without a poster of its current version. */
export interface Undrawn {
  subject: DrawnSubject;
  id: number;
  organizationId: number;
  version: string;
  /** Whether the drawing of this version is planned, or was given up. */
  isPlanned: boolean;
}

interface Looked {
  id: number;
  organization_id: number;
  version: string;
  kind: string | null;
  drawn: string | null;
  planned: string | null;
}

async function lookAtRooms(db: Database, after: number, limit: number): Promise<Looked[]> {
  const rows = await db
    .selectFrom('rooms')
    .leftJoin('templates', 'templates.id', 'rooms.template_id')
    .leftJoin('posters', 'posters.room_id', 'rooms.id')
    .leftJoin('poster_drawings', 'poster_drawings.room_id', 'rooms.id')
    .select(['rooms.id', 'rooms.organization_id', 'rooms.seq', 'templates.updated_at', 'posters.kind'])
    .select(['posters.version as drawn', 'poster_drawings.version as planned'])
    .where('rooms.id', '>', after)
    .orderBy('rooms.id')
    .limit(limit)
    .execute();
  return rows.map(({ seq, updated_at, ...row }) => ({ ...row, version: roomDrawingVersion(seq, updated_at) }));
}

const lookAtTemplates = (db: Database, after: number, limit: number): Promise<Looked[]> =>
  db
    .selectFrom('templates')
    .leftJoin('posters', 'posters.template_id', 'templates.id')
    .leftJoin('poster_drawings', 'poster_drawings.template_id', 'templates.id')
    .select(['templates.id', 'templates.organization_id', 'templates.updated_at as version', 'posters.kind'])
    .select(['posters.version as drawn', 'poster_drawings.version as planned'])
    .where('templates.id', '>', after)
    .orderBy('templates.id')
    .limit(limit)
    .execute();

/**
 * Scans spaces or templates in id order.
 * @param after last scanned id; 0 to begin
 * @param limit number of scanned rows
 * @returns those without a poster of their version, and the next `after`: 0 at the end
 */
export async function listUndrawn(
  db: Database,
  subject: DrawnSubject,
  after: number,
  limit: number,
): Promise<{ undrawn: Undrawn[]; next: number }> {
  const rows = await (subject === 'room_id' ? lookAtRooms : lookAtTemplates)(db, after, limit);
  const suspended = new Set(await listSuspended(db));
  const undrawn = rows
    .filter(({ kind, version, drawn }) => kind !== 'chosen' && version !== drawn)
    .filter(({ organization_id }) => !suspended.has(organization_id))
    .map(({ id, organization_id: organizationId, version, planned }) => ({
      subject,
      id,
      organizationId,
      version,
      isPlanned: version === planned,
    }));
  return { undrawn, next: rows.length < limit ? 0 : rows.at(-1)!.id };
}

/** Milliseconds without changes before drawing: an open editor draws sooner. */
export const QUIET = 60_000;

/** Plans a drawing, in place of one of an older version. @param at stamp of the first attempt */
export async function planDrawing(
  db: Database,
  clock: Clock,
  { subject, id, organizationId, version }: Undrawn,
  at: string,
): Promise<void> {
  const now = timestampOf(clock.now());
  const plan = { version, attempts: 0, next_at: at, updated_at: now };
  const owner = { room_id: null, template_id: null, [subject]: id };
  await db
    .insertInto('poster_drawings')
    .values({ ...plan, ...owner, organization_id: organizationId, created_at: now })
    .onConflict((conflict) =>
      conflict.column(subject).doUpdateSet(plan).where('poster_drawings.version', '<>', version),
    )
    .execute();
}

/** A planned drawing. */
export interface Drawing extends Omit<Undrawn, 'isPlanned'> {
  /** Id of the plan. */
  drawing: number;
  attempts: number;
}

export async function findDrawing(db: Database, drawing: number): Promise<Drawing | undefined> {
  const row = await db.selectFrom('poster_drawings').selectAll().where('id', '=', drawing).executeTakeFirst();
  if (!row) return undefined;
  const { organization_id: organizationId, version, attempts } = row;
  const of =
    row.room_id === null
      ? { subject: 'template_id' as const, id: row.template_id! }
      : { subject: 'room_id' as const, id: row.room_id };
  return { drawing, ...of, organizationId, version, attempts };
}

/** Stores a drawn poster, unless its entity was removed or has a chosen image. */
export async function putDrawnPoster(
  { db: database, clock }: { db: Database; clock: Clock },
  { subject, id, organizationId, version }: Omit<Undrawn, 'isPlanned'>,
  images: PosterSource,
): Promise<void> {
  const table = subject === 'room_id' ? 'rooms' : 'templates';
  await database.transaction().execute(async (db) => {
    const still = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    if (still) await putPoster(db, { organizationId, clock }, { subject, id }, 'drawn', images, version);
  });
}

/** Deletes the plan of a successful drawing, unless a newer version is planned. */
export async function endDrawing(db: Database, { drawing, version }: Drawing): Promise<void> {
  await db.deleteFrom('poster_drawings').where('id', '=', drawing).where('version', '=', version).execute();
}

/**
 * Ends an attempt without a poster, unless a newer version is planned.
 * @param attempts number of failed attempts
 * @param at stamp of the next attempt; null to wait for another version
 */
export async function postponeDrawing(
  db: Database,
  clock: Clock,
  { drawing, version }: Drawing,
  attempts: number,
  at: string | null,
): Promise<void> {
  await db
    .updateTable('poster_drawings')
    .set({ attempts, next_at: at, updated_at: timestampOf(clock.now()) })
    .where('id', '=', drawing)
    .where('version', '=', version)
    .execute();
}
