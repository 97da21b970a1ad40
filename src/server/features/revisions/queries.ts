import { createHash } from 'node:crypto';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { nestedRoom, parseRoom, type Room } from '../../../../engine/document/room.ts';
import { MAX_REVISIONS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { packText, unpackText } from '../../core/packed-text.ts';
import { fileNames, findRoomFiles } from '../media/queries.ts';
import { readDocument } from '../rooms/document-cache.ts';
import type { StoredRoom } from '../rooms/queries.ts';
import { findTemplate } from '../templates/queries.ts';
import type { RevisionTable } from './table.ts';

type StoredRevision = Selectable<RevisionTable>;
/** A revision in lists: without content, with its author's name. */
export type ListedRevision = Omit<StoredRevision, 'content' | 'author_name'> & { user_name: string | null };

const listed = (db: Database, organizationId: number) =>
  db
    .selectFrom('revisions')
    .leftJoin('users', 'users.id', 'revisions.user_id')
    .select(['revisions.id', 'revisions.organization_id', 'revisions.room_id', 'revisions.user_id', 'revisions.kind'])
    .select(['revisions.name', 'revisions.hash', 'revisions.elements', 'revisions.created_at', 'revisions.updated_at'])
    .select(({ fn }) => fn.coalesce('users.name', 'revisions.author_name').as('user_name'))
    .where('revisions.organization_id', '=', organizationId);

/** Revisions of a space, newest first. */
export async function listRevisions(db: Database, organizationId: number, roomId: number): Promise<ListedRevision[]> {
  return listed(db, organizationId).where('room_id', '=', roomId).orderBy('revisions.id', 'desc').execute();
}

export async function findRevision(
  db: Database,
  organizationId: number,
  id: number,
): Promise<ListedRevision | undefined> {
  return listed(db, organizationId).where('revisions.id', '=', id).executeTakeFirst();
}

/** The compressed content of a revision. */
export async function readContent(db: Database, organizationId: number, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('content')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.content;
}

export async function insertRevision(db: Database, values: Insertable<RevisionTable>): Promise<number> {
  const { id } = await db.insertInto('revisions').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateRevision(db: Database, id: number, values: Updateable<RevisionTable>): Promise<void> {
  await db.updateTable('revisions').set(values).where('id', '=', id).execute();
}

export async function deleteRevision(db: Database, id: number): Promise<void> {
  await db.deleteFrom('revisions').where('id', '=', id).execute();
}

/** Number of named revisions of a space. */
export async function countNamed(db: Database, roomId: number): Promise<number> {
  const { total } = await db
    .selectFrom('revisions')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('room_id', '=', roomId)
    .where('kind', '=', 'named')
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Deletes the oldest unnamed revisions above the limit; those of publications stay. */
export async function forgetOldest(db: Database, roomId: number): Promise<void> {
  const last = await db
    .selectFrom('revisions')
    .select('id')
    .where('room_id', '=', roomId)
    .where('kind', '!=', 'named')
    .orderBy('id', 'desc')
    .offset(MAX_REVISIONS.automatic)
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  await db
    .deleteFrom('revisions')
    .where('room_id', '=', roomId)
    .where('kind', '!=', 'named')
    .where('id', '<=', last.id)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('publications')
        .select('revision_id')
        .where('room_id', '=', roomId)
        .where('revision_id', 'is not', null)
        .$narrowType<{ revision_id: number }>(),
    )
    .execute();
}

/** Whether a revision is published, scheduled, or among the stored publications. */
export async function isPublication(db: Database, revisionId: number): Promise<boolean> {
  const row = await db
    .selectFrom('publications')
    .select('id')
    .where('revision_id', '=', revisionId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Limit on the bytes of a document: twenty thousand elements with a page of text each. */
const MAX_REVISION_BYTES = 64 * 1024 * 1024;

/** The content of a revision. */
export interface RevisionContent {
  /** The document as stored: files by id, without the template itself. */
  room: Room;
  /** Name of its template; null if there is none. */
  template: string | null;
  /** Names of its files by id. */
  files: Record<string, string>;
}

/** The content of a revision in column format. */
interface PackedContent {
  hash: string;
  elements: number;
  content: string;
}

async function contentOf(db: Database, row: StoredRoom): Promise<RevisionContent & { count: number }> {
  const room = await readDocument(db, row);
  const markers = [room.config.realtime_file_id];
  const template = row.template_id === null ? null : await findTemplate(db, row.organization_id, row.template_id);
  return {
    room,
    template: template?.name ?? null,
    files: fileNames(await findRoomFiles(db, row.organization_id, row.id, markers)),
    count: room.elements.length,
  };
}

/**
 * Reads a space as revision content.
 * @throws ApiError too_large
 */
export async function packRoom(db: Database, row: StoredRoom): Promise<PackedContent> {
  const { count, ...content } = await contentOf(db, row);
  const text = JSON.stringify({ ...content, room: nestedRoom(content.room) });
  if (Buffer.byteLength(text) > MAX_REVISION_BYTES)
    throw new ApiError('too_large', 'This space is too large for a revision: its text exceeds 64 MB.');
  const hash = createHash('sha256').update(JSON.stringify(content.room)).digest('hex');
  return { hash, elements: count, content: await packText(text) };
}

/** Parses the content of a revision; older document versions are migrated. */
export async function unpackRoom(packed: string): Promise<RevisionContent> {
  const content = JSON.parse(await unpackText(packed, MAX_REVISION_BYTES * 2));
  return { ...content, room: parseRoom(content.room) };
}
