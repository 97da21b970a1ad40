import type { Media } from '../../contract/entities.ts';

/** Longest side, gap and minimum distance of images, in units. */
const SIDE = 420;
const GAP = 60;
const NEAREST = 900;
/** Maximum angle the images cover, in radians; the area behind the visitor stays free. */
const MAX_ARC = (5 / 3) * Math.PI;

/** Position and size of an image, in units and radians. */
export interface HungImage {
  file_id: number;
  name: string;
  width: number;
  height: number;
  position_x: number;
  position_y: number;
  position_z: number;
  rotation_y: number;
}

/** File name without extension, as a title. */
export const nameOfFile = (name: string): string =>
  name
    .replace(/\.[a-z0-9]{2,5}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();

/** Arranges images in an arc around the visitor, left to right, each facing them; the middle one is straight ahead. */
export function hangImages(images: readonly Media[]): HungImage[] {
  const sizes = images.map(({ width, height }) => {
    const ratio = (width || 1) / (height || 1);
    return ratio >= 1 ? { width: SIDE, height: SIDE / ratio } : { width: SIDE * ratio, height: SIDE };
  });
  const length = sizes.reduce((sum, { width }) => sum + width + GAP, 0);
  const radius = Math.max(NEAREST, length / MAX_ARC);
  let at = -length / 2;
  return images.map((image, index) => {
    const { width, height } = sizes[index]!;
    const angle = (at + (width + GAP) / 2) / radius;
    at += width + GAP;
    return {
      file_id: image.id,
      name: nameOfFile(image.name).slice(0, 255),
      width: Math.round(width),
      height: Math.round(height),
      position_x: Math.floor(radius * Math.sin(angle)),
      position_y: 0,
      position_z: Math.floor(-radius * Math.cos(angle)),
      rotation_y: -angle,
    };
  });
}
