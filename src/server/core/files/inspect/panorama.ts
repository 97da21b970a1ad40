import type { Sharp } from 'sharp';
import type { PanoramaPart } from '../../../../../engine/document/fields.ts';
import { hasPanoramaRatio } from '../../../../contract/template-file.ts';

/** Bytes of XMP to parse: cameras write panorama fields at the start. */
const MAX_XMP = 64 * 1024;
/** A panorama field as an attribute or an element: https://developers.google.com/streetview/spherical-metadata */
const FIELD = /\bGPano:(\w{1,40})(?:=["']|>)([^"'<]{1,40})/g;

/** Size in pixels of the small image whose halves are compared. */
const COMPARED_WIDTH = 64;
const HEIGHT = 32;
/** Correlation, from -1 to 1, from which two halves count as the same view. */
const ALIKE = 0.9;
/** Minimum contrast, of 255, below which a half is too plain to compare. */
const PLAIN = 2;

/** Camera metadata of a panorama that isn't a full mono sphere. */
export interface PanoramaNotes {
  /** A projection other than equirectangular. */
  projection?: string;
  /** Layout of the two eyes' images. */
  stereo?: string;
  /** Size in pixels of the whole sphere, of which it is a part. */
  full?: { width: number; height: number };
  /** Position on that sphere, from 0 to 1; undefined if not recorded or out of range. */
  part?: PanoramaPart;
}

/** The panorama fields of an image's XMP, by name. */
export function panoramaFields(xmp: Buffer | undefined): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of xmp?.toString('utf8', 0, MAX_XMP).matchAll(FIELD) ?? [])
    fields.set(name, value.trim());
  return fields;
}

/** Reads panorama metadata. @returns undefined if there is none, or for a full mono sphere */
export function panoramaNotes(fields: ReadonlyMap<string, string>): PanoramaNotes | undefined {
  const number = (name: string) => Number(fields.get(name)) || 0;
  const [width, height] = [number('FullPanoWidthPixels'), number('FullPanoHeightPixels')];
  const [across, down] = [number('CroppedAreaImageWidthPixels'), number('CroppedAreaImageHeightPixels')];
  const isPart = (part: number, whole: number) => part > 0 && part < whole;
  const place = { left: number('CroppedAreaLeftPixels'), top: number('CroppedAreaTopPixels') };
  const isPlaced =
    ['CroppedAreaLeftPixels', 'CroppedAreaTopPixels'].every((name) => fields.has(name)) &&
    Math.min(across, down) > 0 &&
    Math.min(place.left, place.top) >= 0 &&
    place.left + across <= width &&
    place.top + down <= height;
  const projection = fields.get('ProjectionType');
  const stereo = fields.get('StereoMode');
  const notes: PanoramaNotes = {
    ...(projection && projection.toLowerCase() !== 'equirectangular' && { projection }),
    ...(stereo && !/^(?:none|mono)$/i.test(stereo) && { stereo }),
    ...((isPart(across, width) || isPart(down, height)) && {
      full: { width, height },
      ...(isPlaced && {
        part: { left: place.left / width, top: place.top / height, width: across / width, height: down / height },
      }),
    }),
  };
  return Object.keys(notes).length > 0 ? notes : undefined;
}

/** A half of the small image, minus the means of its rows and columns, which removes sky and floor gradients. */
function detailOf(pixels: Uint8Array, left: number, top: number, width: number, height: number): number[] {
  const at = (x: number, y: number) => pixels[(top + y) * COMPARED_WIDTH + left + x]!;
  const mean = (count: number, each: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => each(index)).reduce((sum, value) => sum + value, 0) / count;
  const rows = Array.from({ length: height }, (_, y) => mean(width, (x) => at(x, y)));
  const columns = Array.from({ length: width }, (_, x) => mean(height, (y) => at(x, y)));
  const all = mean(height, (y) => rows[y]!);
  return Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    return at(x, y) - rows[y]! - columns[x]! + all;
  });
}

/** Correlation of two halves, from -1 to 1; 0 if one of them is plain. */
function likeness(one: readonly number[], other: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const [mine, theirs] = [product(one, one), product(other, other)];
  const plain = PLAIN * PLAIN * one.length;
  return Math.min(mine, theirs) < plain ? 0 : product(one, other) / Math.sqrt(mine * theirs);
}

/**
 * Detects whether an image of a panorama's shape seems to contain one view twice, for two eyes.
 * @returns warnings only: a room may well look the same on both sides
 */
export async function stereoWarnings(image: Sharp, size: { width: number; height: number }): Promise<string[]> {
  if (!hasPanoramaRatio(size)) return [];
  const small = image.flatten().resize(COMPARED_WIDTH, HEIGHT, { fit: 'fill' }).toColourspace('b-w');
  const pixels = await small.raw().toBuffer();
  const half = { width: COMPARED_WIDTH / 2, height: HEIGHT / 2 };
  const beside = likeness(
    detailOf(pixels, 0, 0, half.width, HEIGHT),
    detailOf(pixels, half.width, 0, half.width, HEIGHT),
  );
  const above = likeness(
    detailOf(pixels, 0, 0, COMPARED_WIDTH, half.height),
    detailOf(pixels, 0, half.height, COMPARED_WIDTH, half.height),
  );
  const say = (how: string) =>
    `Both halves look alike, as in a stereo photo with one eye ${how} the other. For a 360° photo, use the image of one eye.`;
  return [...(beside > ALIKE ? [say('beside')] : []), ...(above > ALIKE ? [say('above')] : [])];
}
