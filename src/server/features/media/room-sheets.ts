import { createHash } from 'node:crypto';
import { IMAGE_LIMITS } from '../../../../engine/document/constants.ts';
import type { Element, ElementOf } from '../../../../engine/document/element.ts';
import type { ImageSheet } from '../../../../engine/document/image-sheet.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { SHEET } from '../../../../engine/document/sheet-layout.ts';
import { sourceOf } from '../../../../engine/document/source.ts';
import { MEDIA_PREFIX, readMediaUrl } from '../../core/files/media-url.ts';

/** Changes the hashes of all sheets when they are packed differently. */
const FORMAT = 1;
/** Formats of images in sheets. Few files in other formats have a known size, which batches require. */
const PACKED = /\.(?:jpe?g|png|webp)$/i;

/** URL prefix of sheets, where browsers send the cookies that open protected files. */
export const SHEET_PREFIX = `${MEDIA_PREFIX}/sheets`;

/** A file in a sheet. */
interface SheetFile {
  id: number;
  /** Its content, as in `media`. */
  hash: string;
  entry: string;
}

/** A sheet of a room. */
export interface RoomSheet {
  /** SHA-256 of its organization and its contents, in order; hexadecimal. */
  hash: string;
  files: SheetFile[];
}

type Point = [number, number, number];

const isImage = (element: Element): element is ElementOf<'image'> =>
  element.element === 'image' && element.config.appearance === 'image';

/** Positions of elements by id. Rotations of groups don't count, which is close enough for an order. */
function positionsOf(elements: readonly Element[]): Map<number, Point> {
  const positions = new Map<number, Point>();
  for (const { id, parent_element_id: parent, position_x, position_y, position_z } of elements) {
    const [x, y, z] = (parent !== null && positions.get(parent)) || [0, 0, 0];
    positions.set(id, [x + position_x, y + position_y, z + position_z]);
  }
  return positions;
}

/** The files of a room's images, those near the visitor's start first; each once. */
function filesOf({ elements, config }: Room): SheetFile[] {
  const { x, y, z } = config.camera.position;
  const positions = positionsOf(elements);
  const distanceOf = ({ id }: Element) => {
    const [left, up, front] = positions.get(id)!;
    return Math.hypot(left - x, up - y, front - z);
  };
  const files = new Map<number, SheetFile & { distance: number }>();
  for (const element of elements.filter(isImage)) {
    const { file } = element;
    if (!file?.width || !file.height || sourceOf(element) !== file.url) continue;
    const stored = readMediaUrl(file.url);
    if (!stored || !PACKED.test(stored.entry)) continue;
    const distance = Math.min(distanceOf(element), files.get(file.id)?.distance ?? Number.POSITIVE_INFINITY);
    files.set(file.id, { id: file.id, ...stored, distance });
  }
  return [...files.values()]
    .sort((one, other) => one.distance - other.distance || one.id - other.id)
    .map(({ distance: _, ...file }) => file);
}

function sheetOf(organizationId: number, files: SheetFile[]): RoomSheet {
  // An order that moved images rarely change.
  const ordered = files.sort((one, other) => one.id - other.id);
  const contents = ordered.map(({ hash, entry }) => [hash, entry]);
  const hash = createHash('sha256')
    .update(JSON.stringify([FORMAT, organizationId, contents]))
    .digest('hex');
  return { hash, files: ordered };
}

/** Sheets by document: cached documents are shared, and never change. */
const known = new WeakMap<Room, RoomSheet[]>();

/** The sheets of a room's document; none if it has too few images for batches. */
export function sheetsOf(organizationId: number, room: Room): RoomSheet[] {
  const found = known.get(room);
  if (found) return found;
  const sheets: RoomSheet[] = [];
  if (room.elements.filter(isImage).length > IMAGE_LIMITS.single) {
    const files = filesOf(room);
    for (let start = 0; start < files.length; ) {
      const end = start + (start === 0 ? SHEET.first : SHEET.each);
      sheets.push(sheetOf(organizationId, files.slice(start, end)));
      start = end;
    }
  }
  known.set(room, sheets);
  return sheets;
}

/**
 * The sheets of a shown room, for its visitors.
 * @param revisionId the published revision; null for the edited room
 */
export const publicSheets = (organizationId: number, room: Room, revisionId: number | null): ImageSheet[] =>
  sheetsOf(organizationId, room).map(({ hash, files }) => ({
    url: `${SHEET_PREFIX}/${room.id}/${revisionId ?? 'edited'}/${hash}.webp`,
    file_ids: files.map(({ id }) => id),
  }));
