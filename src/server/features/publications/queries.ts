import type { Insertable, Selectable } from 'kysely';
import { MAX_PUBLICATIONS } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { prepared } from '../../core/db/prepared.ts';
import { SUSPENDED_IDS } from '../../core/organization-state.ts';
import type { StoredRoom } from '../rooms/queries.ts';
import type { PublicationTable } from './table.ts';

export type StoredPublication = Selectable<PublicationTable>;
/** A publication in a list, with its author's name and facts about its revision. */
export type ListedPublication = Pick<
  StoredPublication,
  'id' | 'revision_id' | 'user_id' | 'at' | 'zone' | 'is_scheduled'
> & { user_name: string | null; revision_name: string | null; revision_at: string | null };

/**
 * Begins a change of a space's publications: locks them until the transaction ends. Caches of the edited space stay
 * valid.
 */
export async function lockPublications(
  db: Database,
  organizationId: number,
  roomId: number,
): Promise<StoredRoom | undefined> {
  const query = db
    .selectFrom('rooms')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', roomId);
  return forUpdate(db, query).executeTakeFirst();
}

/** Publications of a space, newest first; a scheduled one precedes all others. */
export async function listPublications(
  db: Database,
  organizationId: number,
  roomId: number,
): Promise<ListedPublication[]> {
  return db
    .selectFrom('publications')
    .leftJoin('users', 'users.id', 'publications.user_id')
    .leftJoin('revisions', 'revisions.id', 'publications.revision_id')
    .select(['publications.id', 'publications.revision_id', 'publications.user_id', 'publications.at'])
    .select(['publications.zone', 'publications.is_scheduled'])
    .select(['revisions.name as revision_name', 'revisions.created_at as revision_at'])
    .select(({ fn }) => fn.coalesce('users.name', 'publications.author_name').as('user_name'))
    .where('publications.organization_id', '=', organizationId)
    .where('publications.room_id', '=', roomId)
    .orderBy('publications.is_scheduled', 'desc')
    .orderBy('publications.id', 'desc')
    .execute();
}

const currentQuery = prepared((db, organizationId: number, roomId: number, now: string) =>
  db
    .selectFrom('publications')
    .select('revision_id')
    .where('organization_id', '=', organizationId)
    .where('room_id', '=', roomId)
    .where((where) => where.or([where('is_scheduled', '=', 0), where('at', '<=', now)]))
    .orderBy('is_scheduled', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
);

/**
 * A space's published revision at a time, whether or not due schedules have been recorded.
 * @param now timestamp
 * @returns null if nothing is published
 */
export async function findPublished(
  db: Database,
  organizationId: number,
  roomId: number,
  now: string,
): Promise<number | null> {
  const [row] = await currentQuery(db, organizationId, roomId, now);
  return row?.revision_id ?? null;
}

/** Spaces per query. */
const SPACES_PER_QUERY = 500;

/**
 * Published revisions at a time, by space; unpublished spaces are omitted.
 * @param now timestamp
 */
export async function publishedRevisions(
  db: Database,
  roomIds: readonly number[],
  now: string,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  for (let start = 0; start < roomIds.length; start += SPACES_PER_QUERY) {
    const rows = await db
      .selectFrom('publications')
      .select(['id', 'room_id', 'revision_id', 'is_scheduled'])
      .where('room_id', 'in', roomIds.slice(start, start + SPACES_PER_QUERY))
      .where((where) => where.or([where('is_scheduled', '=', 0), where('at', '<=', now)]))
      .execute();
    // The last one of each space applies.
    for (const row of rows.toSorted((a, b) => a.is_scheduled - b.is_scheduled || a.id - b.id))
      if (row.revision_id === null) found.delete(row.room_id);
      else found.set(row.room_id, row.revision_id);
  }
  return found;
}

export async function insertPublication(db: Database, values: Insertable<PublicationTable>): Promise<void> {
  await db.insertInto('publications').values(values).execute();
}

/** A space's scheduled publication. */
export async function findSchedule(db: Database, roomId: number): Promise<StoredPublication | undefined> {
  return db
    .selectFrom('publications')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('is_scheduled', '=', 1)
    .executeTakeFirst();
}

/** Deletes a space's scheduled publication. */
export async function deleteSchedule(db: Database, roomId: number): Promise<void> {
  await db.deleteFrom('publications').where('room_id', '=', roomId).where('is_scheduled', '=', 1).execute();
}

/** Spaces with a due schedule. @param now timestamp */
export async function listDue(db: Database, now: string): Promise<{ room_id: number; organization_id: number }[]> {
  return db
    .selectFrom('publications')
    .select(['room_id', 'organization_id'])
    .where('is_scheduled', '=', 1)
    .where('at', '<=', now)
    .where('organization_id', 'not in', SUSPENDED_IDS)
    .orderBy('at')
    .execute();
}

/** Deletes a space's oldest publications over the limit, and unpublications before those. */
export async function forgetPublications(db: Database, roomId: number): Promise<void> {
  const oldest = await db
    .selectFrom('publications')
    .select('id')
    .where('room_id', '=', roomId)
    .where('is_scheduled', '=', 0)
    .where('revision_id', 'is not', null)
    .orderBy('id', 'desc')
    .offset(MAX_PUBLICATIONS - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom('publications')
    .where('room_id', '=', roomId)
    .where('is_scheduled', '=', 0)
    .where('id', '<', oldest.id)
    .execute();
}
