import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import { settingsOfFile } from '../../../contract/entities.ts';
import { panoramaProblem } from '../../../contract/template-file.ts';
import type { PhotoMetadata } from '../../core/files/inspect/metadata/photo-metadata.ts';
import { type MediaRow, textsOf } from '../media/queries.ts';

/** A 360° photo of a tour. */
export interface TourPhoto {
  id: number;
  fileName: string;
  recorded: PhotoMetadata;
  /** Settings of its place that come from its texts. */
  texts: Record<string, unknown>;
}

/** Settings of a place that come from the texts of its photo, with their translations. */
export const placeTexts = (row: MediaRow): Record<string, unknown> =>
  settingsOfFile({ ...textsOf(row), translations: parseTranslations(row.translations) }, ['alt', 'long_description']);

/** A file that can't be a place. */
interface Skipped {
  file_id: number;
  file_name: string;
  reason: string;
}

/** Why a file is not a 360° photo; null if it is one. */
export function reasonAgainst(row: MediaRow): string | null {
  if (row.type !== 'image') return 'Not an image.';
  const details = JSON.parse(row.details) as Record<string, unknown>;
  return panoramaProblem({ width: row.width, height: row.height, details });
}

/** Sorts the requested files into 360° photos and others, in the order of the request. A repeated file counts once. */
export function sortOut(
  rows: ReadonlyMap<number, MediaRow>,
  files: readonly number[],
): { photos: TourPhoto[]; skipped: Skipped[] } {
  const photos: TourPhoto[] = [];
  const skipped: Skipped[] = [];
  for (const id of new Set(files)) {
    const row = rows.get(id);
    const reason = row ? reasonAgainst(row) : 'File not found; it may have been deleted.';
    if (reason !== null || !row) skipped.push({ file_id: id, file_name: row?.name ?? '', reason: reason ?? '' });
    else
      photos.push({
        id,
        fileName: row.name,
        recorded: JSON.parse(row.photo ?? '{}') as PhotoMetadata,
        texts: placeTexts(row),
      });
  }
  return { photos, skipped };
}

const byFileName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Milliseconds of a capture time. Without an offset it counts as UTC, so that only times of one kind compare. */
const timeOf = (at: string, isZoned: boolean) => Date.parse(isZoned ? at : `${at.replace(/[+-]\d\d:\d\d$/, '')}Z`);

/** Orders photos by capture time if all have one, and by file name otherwise; `IMG_2` comes before `IMG_10`. */
export function inOrder(photos: readonly TourPhoto[]): { photos: TourPhoto[]; order: 'capture_time' | 'file_name' } {
  const named = photos.toSorted((a, b) => byFileName.compare(a.fileName, b.fileName));
  const times = named.flatMap(({ recorded }) => recorded.taken_at ?? []);
  if (times.length < named.length) return { photos: named, order: 'file_name' };
  // Local times compare unless every camera recorded its offset.
  const isZoned = times.every((at) => /[+-]\d\d:\d\d$/.test(at));
  const at = ({ recorded }: TourPhoto) => timeOf(recorded.taken_at!, isZoned);
  return { photos: named.toSorted((a, b) => at(a) - at(b)), order: 'capture_time' };
}

/** Names that cameras give, such as `IMG`, `DSCN`, `R0010023` or `20260501`. */
const CAMERA_WORD = /^(?:IMG|IMGP|DSC[NF]?|DSCF|PANO|PIC|PXL|SAM|GS|GSA[A-Z]|R|VID|MVIMG|P|DJI|INSP|PHOTO|360)?_?\d*$/i;
/** Longest name of a place. */
const MAX_NAME = 200;

/**
 * The name of a place: the file name without extension, leading camera words and numbers, and separators;
 * `IMG_0123_kitchen.jpg` is `Kitchen`.
 * @param rank position from 0, for files without a name: `Place 3`
 */
export function placeName(fileName: string, rank: number): string {
  const words = fileName.replace(/\.[a-z0-9]{2,5}$/i, '').split(/[\s_-]+/);
  const first = words.findIndex((word) => !CAMERA_WORD.test(word));
  if (first < 0) return `Place ${rank + 1}`;
  const name = words.slice(first).filter(Boolean).join(' ').slice(0, MAX_NAME).trim();
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}
