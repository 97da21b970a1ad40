import type { PanoramaTiles } from '../../../engine/document/panorama.ts';

/** In CSS pixels, or in pixels of an image. */
export interface Size {
  width: number;
  height: number;
}

/** A point in CSS pixels, from the center of the area that shows the image. */
export interface Point {
  x: number;
  y: number;
}

/** How an image is shown: its magnification relative to fitting the area, and its center. */
export interface ZoomView extends Point {
  scale: number;
}

/** The whole image, centered. */
export const FITTED: ZoomView = { scale: 1, x: 0, y: 0 };

/** Screen pixels per pixel of the image at the largest magnification. */
const MAX_ENLARGEMENT = 2;
/** Largest magnification of images that have no more pixels to show. */
const LEAST_MAX = 2;

/** Size at which an image fits an area. Small images are enlarged as in the room. */
export function fittedSize({ width, height }: Size, area: Size): Size {
  const factor = Math.min(area.width / width, area.height / height);
  return { width: width * factor, height: height * factor };
}

/**
 * Largest magnification of an image.
 * @param pixels width of the image in pixels
 * @param fitted width in CSS pixels at which it fits
 * @param ratio device pixels per CSS pixel
 */
export const maxScale = (pixels: number, fitted: number, ratio: number): number =>
  Math.max(LEAST_MAX, (pixels * MAX_ENLARGEMENT) / (fitted * ratio));

/** Keeps the image's edges outside the area, or the image centered where it is smaller. */
export function within({ scale, x, y }: ZoomView, fitted: Size, area: Size): ZoomView {
  const clamp = (value: number, image: number, room: number) => {
    const most = Math.max(0, (image * scale - room) / 2);
    return Math.min(most, Math.max(-most, value));
  };
  return { scale, x: clamp(x, fitted.width, area.width), y: clamp(y, fitted.height, area.height) };
}

/** Magnifies around a point. @param most maximum magnification */
export function zoomedAt({ scale, x, y }: ZoomView, factor: number, at: Point, most: number): ZoomView {
  const next = Math.min(most, Math.max(1, scale * factor));
  const change = next / scale;
  return { scale: next, x: at.x - (at.x - x) * change, y: at.y - (at.y - y) * change };
}

/** A tile: its position, and its place in fractions of the image. */
export interface ShownTile {
  column: number;
  row: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The tiles of an image that an area shows.
 * @param side of a tile in pixels of the image
 */
export function shownTiles(view: ZoomView, fitted: Size, area: Size, tiles: PanoramaTiles, side: number): ShownTile[] {
  const range = (center: number, image: number, room: number, count: number, pixels: number) => {
    const from = (image / 2 - center - room / 2) / image;
    const index = (part: number) => Math.min(count - 1, Math.max(0, Math.floor((part * pixels) / side)));
    return [index(from), index(from + room / image)] as const;
  };
  const { scale, x, y } = view;
  const [left, right] = range(x, fitted.width * scale, area.width, tiles.columns, tiles.width);
  const [top, bottom] = range(y, fitted.height * scale, area.height, tiles.rows, tiles.height);
  const shown: ShownTile[] = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++)
      shown.push({
        column,
        row,
        left: (column * side) / tiles.width,
        top: (row * side) / tiles.height,
        width: Math.min(side, tiles.width - column * side) / tiles.width,
        height: Math.min(side, tiles.height - row * side) / tiles.height,
      });
  return shown;
}
