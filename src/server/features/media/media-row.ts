import type { Selectable } from 'kysely';
import type { FileReference } from '../../../../engine/document/fields.ts';
import type { Media, MediaType } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { MediaTable } from './table.ts';

export type MediaRow = Selectable<MediaTable>;

/** Which part of a sphere an image is; nothing of what is none, or whole. */
function partOf({ type, details }: MediaRow): Pick<FileReference, 'part'> {
  if (type !== 'image' || !details.includes('"part"')) return {};
  const { panorama } = JSON.parse(details) as { panorama?: { part?: FileReference['part'] } };
  return panorama?.part ? { part: panorama.part } : {};
}

/** How many lights a model brings; nothing where it has none. */
function lightsOf({ type, details }: MediaRow): Pick<FileReference, 'lights'> {
  if (type !== 'object' || !details.includes('"lights"')) return {};
  const { lights } = JSON.parse(details) as { lights?: number };
  return lights ? { lights } : {};
}

/** A stored file as elements and templates carry it. */
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

/** Whether the upload that a file was made from is stored beside it, as the file itself differs from it. */
export const hasStoredOriginal = ({
  hash,
  entry,
  original_hash,
  stripping,
}: Pick<MediaRow, 'hash' | 'entry' | 'original_hash' | 'stripping'>): boolean =>
  original_hash !== null && (original_hash !== hash || entry.includes('/') || stripping === 'stripped');

/** A stored file as the media calls give it. @param turntableUrl what was drawn of it */
export const asMedia = (row: MediaRow, turntableUrl: string | undefined): Media => ({
  ...asFileReference(row),
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

/** Whether an organization's library holds a content. */
export async function isHeldBy(db: Database, organizationId: number, hash: string): Promise<boolean> {
  const query = db.selectFrom('media').select('id').where('organization_id', '=', organizationId);
  return (await query.where('hash', '=', hash).executeTakeFirst()) !== undefined;
}

/** Whether any library holds a content. */
export async function isNoted(db: Database, hash: string): Promise<boolean> {
  return (await db.selectFrom('media').select('id').where('hash', '=', hash).executeTakeFirst()) !== undefined;
}
