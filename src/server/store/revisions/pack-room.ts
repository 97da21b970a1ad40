import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import { elementFromRow } from '../elements/element-row.ts';
import { listElements } from '../elements/elements-repository.ts';
import { treeOf } from '../elements/tree.ts';
import { fileNames, findRoomFiles } from '../media/files-repository.ts';
import { roomFromRow } from '../rooms/room-row.ts';
import type { StoredRoom } from '../rooms/rooms-repository.ts';
import { findTemplate } from '../templates/templates-repository.ts';

/** Longest document in bytes: twenty thousand elements with a page of text each. */
const MAX_REVISION_BYTES = 64 * 1024 * 1024;
/** Characters from which a document is packed. */
const LARGE = 4096;
const PACKED = 'gzip:';

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
  const rows = await listElements(db, row.id);
  const markers = [JSON.parse(row.config).realtime_file_id ?? null];
  const template = row.template_id === null ? null : await findTemplate(db, row.organization_id, row.template_id);
  const elements = treeOf(rows.map((element) => elementFromRow(element, new Map())));
  return {
    room: { ...roomFromRow(row, new Map()), template: null, elements },
    template: template?.name ?? null,
    files: fileNames(await findRoomFiles(db, row.organization_id, row.id, markers)),
    count: rows.length,
  };
}

/**
 * Reads a space as a revision keeps it.
 * @throws ApiError too_large
 */
export async function packRoom(db: Database, row: StoredRoom): Promise<PackedContent> {
  const { count, ...content } = await contentOf(db, row);
  const text = JSON.stringify(content satisfies RevisionContent);
  if (Buffer.byteLength(text) > MAX_REVISION_BYTES)
    throw new ApiError('too_large', 'This space is too large for a revision: it has more than 64 MB of text.');
  const packed = text.length < LARGE ? text : PACKED + (await promisify(gzip)(text)).toString('base64');
  const hash = createHash('sha256').update(JSON.stringify(content.room)).digest('hex');
  return { hash, elements: count, content: packed };
}

/** What a revision keeps; documents of older versions are lifted. */
export async function unpackRoom(packed: string): Promise<RevisionContent> {
  const isPacked = packed.startsWith(PACKED);
  const bytes = isPacked
    ? await promisify(gunzip)(Buffer.from(packed.slice(PACKED.length), 'base64'), {
        maxOutputLength: MAX_REVISION_BYTES * 2,
      })
    : packed;
  const { room, ...content }: RevisionContent = JSON.parse(bytes.toString());
  return { ...content, room: parseRoom(room) };
}
