import type { FileReference } from '../../../../engine/document/fields.ts';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import { type SheetWork, type WorkSheet, withFileTexts } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { MAX_SHEET_BYTES } from '../../../contract/file-limits.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { RowWork } from '../../core/files/inspect/sheets/read-works.ts';
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import {
  asFileReference,
  findImageNames,
  findMediaByHash,
  findMediaRows,
  type MediaRow,
  textsOf,
} from '../media/queries.ts';

/** An ID in the library. */
const ID = /^[1-9]\d{0,14}$/;

const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

/** File name at the end of a path. */
const baseOf = (image: string) => image.split(/[\\/]/).at(-1)!.trim();

/** Images of the library by normalized name and by normalized name without extension, newest first. */
class NamedImages {
  readonly #whole = new Map<string, number[]>();
  readonly #stems = new Map<string, number[]>();

  constructor(rows: readonly { id: number; name: string }[]) {
    const put = (map: Map<string, number[]>, key: string, id: number) => map.set(key, [...(map.get(key) ?? []), id]);
    for (const { id, name } of rows) {
      put(this.#whole, keyOf(name), id);
      put(this.#stems, keyOf(name.replace(/\.[^.]*$/, '')), id);
    }
  }

  /** IDs of the images that a cell names. */
  all(image: string): readonly number[] {
    const key = keyOf(baseOf(image));
    return this.#whole.get(key) ?? this.#stems.get(key) ?? [];
  }
}

/** The image with a URL on this server. */
async function imageAt({ db, organizationId }: SignedInContext, image: string): Promise<MediaRow | undefined> {
  const path = URL.parse(image, 'https://here.invalid')?.pathname ?? '';
  const address = readMediaUrl(path);
  if (!address) return undefined;
  const rows = await findMediaByHash(db, organizationId, address.hash);
  return rows.findLast(({ entry, type }) => entry === address.entry && type === 'image');
}

/** Maximum difference between the proportions of a size and of its image, as a fraction. */
const TOLERANCE = 0.05;

/**
 * The size of a work in the proportions of its image. Of two sides without an order, the order closer to the image counts.
 */
function sizeOf({ width, height, isUnordered }: RowWork, file: FileReference | null) {
  const ratio = file?.width && file.height ? file.width / file.height : undefined;
  if (width === null || height === null || ratio === undefined) return { size: { width, height } };
  const away = (across: number, up: number) => Math.abs(Math.log(across / up / ratio));
  const isTurned = isUnordered && away(height, width) < away(width, height);
  const [across, up] = isTurned ? [height, width] : [width, height];
  const note =
    away(across, up) > TOLERANCE
      ? `The size ${across} × ${up} cm doesn't have the proportions of the image, which is fitted into it.`
      : undefined;
  return { size: { width: across, height: up }, note };
}

/**
 * Reads works from a spreadsheet, and finds their images in the media library.
 * @throws ApiError bad_file, or too_large
 */
export async function readWorks(context: SignedInContext, upload: Upload | undefined): Promise<WorkSheet> {
  if (!upload) throw new ApiError('invalid', { file: ['Choose a file.'] });
  const { db, media, workers, organizationId } = context;
  const arrival = await media.receive(upload, { most: MAX_SHEET_BYTES });
  const sheet = await workers
    .run('readWorks', arrival.file, ofOrganization(organizationId))
    .finally(() => media.discard(arrival));
  const named = new NamedImages(await findImageNames(db, organizationId));
  // A number can be a name, too, which takes precedence.
  const ids = sheet.works.flatMap(({ image }) => named.all(image)[0] ?? (ID.test(image) ? Number(image) : []));
  const rows = await findMediaRows(db, organizationId, [...new Set(ids)]);
  const works: SheetWork[] = [];
  const notes: WorkSheet['notes'] = [...sheet.notes];
  for (const work of sheet.works) {
    const { row, image } = work;
    const alike = named.all(image);
    const known = rows.get(alike[0] ?? Number(image));
    const found = known?.type === 'image' ? known : await imageAt(context, image);
    const file = found ? asFileReference(found) : null;
    const shown = `“${image.slice(0, 80)}”`;
    if (!file) notes.push({ row, kind: 'missing', text: `No image is named ${shown} in the media library.` });
    if (alike.length > 1)
      notes.push({ row, kind: 'note', text: `${alike.length} images are named ${shown}; the newest is used.` });
    const { size, note } = sizeOf(work, file);
    if (note) notes.push({ row, kind: 'note', text: note });
    const { isUnordered: _, ...rest } = work;
    const made = { ...rest, ...size, file };
    works.push(
      found ? withFileTexts(made, { ...textsOf(found), translations: parseTranslations(found.translations) }) : made,
    );
  }
  return { works, notes: notes.toSorted((a, b) => a.row - b.row) };
}
