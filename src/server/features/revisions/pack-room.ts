import { createHash } from 'node:crypto';
import { nestedRoom, parseRoom, type Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { packText, unpackText } from '../../core/packed-text.ts';
import { fileNames, findRoomFiles } from '../media/queries.ts';
import { readDocument } from '../rooms/document-cache.ts';
import type { StoredRoom } from '../rooms/rooms-repository.ts';
import { findTemplate } from '../templates/queries.ts';

/** Longest document in bytes: twenty thousand elements with a page of text each. */
const MAX_REVISION_BYTES = 64 * 1024 * 1024;

/** What a revision keeps. */
export interface RevisionContent {
  /** The document as it is stored: files by their ids, without the template itself. */
  room: Room;
  /** Name of its template; null for none. */
  template: string | null;
  /** Names of the files that it used, by id. */
  files: Record<string, string>;
}

/** What a revision of a space would keep, as its columns have it. */
export interface PackedContent {
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
 * Reads a space as a revision keeps it.
 * @throws ApiError too_large
 */
export async function packRoom(db: Database, row: StoredRoom): Promise<PackedContent> {
  const { count, ...content } = await contentOf(db, row);
  const text = JSON.stringify({ ...content, room: nestedRoom(content.room) });
  if (Buffer.byteLength(text) > MAX_REVISION_BYTES)
    throw new ApiError('too_large', 'This space is too large for a revision: it has more than 64 MB of text.');
  const hash = createHash('sha256').update(JSON.stringify(content.room)).digest('hex');
  return { hash, elements: count, content: await packText(text) };
}

/** What a revision keeps; documents of older versions are lifted. */
export async function unpackRoom(packed: string): Promise<RevisionContent> {
  const content = JSON.parse(await unpackText(packed, MAX_REVISION_BYTES * 2));
  return { ...content, room: parseRoom(content.room) };
}
