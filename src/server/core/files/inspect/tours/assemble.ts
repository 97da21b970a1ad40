import { join } from 'node:path';
import sharp from 'sharp';
import type { CubeFace, CubeLayout, SpherePart } from '../../../../../contract/entities.ts';
import { CUBE_FACES, MAX_CUBE_TILES } from '../../../../../contract/tour-limits.ts';
import { type ArchiveFile, openArchive, readArchive, unpack } from '../archive.ts';
import { openImage, readHeader } from '../image.ts';
import { damaged } from '../inspection.ts';
import { drawRow } from './cube-sampling.ts';
import { MAX_FACE } from './cubes.ts';

/** Images of a panorama in an archive, and how they fit together. */
export interface Assembly {
  path: string;
  bytes: number;
  /** Existing folder for the images and the result. */
  folder: string;
  layout: ({ kind: 'cube' } & CubeLayout) | { kind: 'part'; part: SpherePart };
}

/** Maximum width in pixels of a panorama from a cube map: with the faces, 530 MB of the decoder's 1 GB. */
const MAX_WIDTH = 12_288;
/** Maximum height in pixels of a JPEG file. */
const MAX_HEIGHT = 65_535;
/** The images were compressed before, so their colors keep the full resolution now. */
const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;

/** Name of an image in the archive: face, column and row. */
const TILE = /^([frblud])-(\d{1,3})-(\d{1,3})\.\w{1,5}$/;

interface Tile {
  face: CubeFace;
  column: number;
  row: number;
  file: string;
}

function tilesOf(files: readonly ArchiveFile[], folder: string): Tile[] {
  if (files.length > MAX_CUBE_TILES) throw damaged(`The panorama has more than ${MAX_CUBE_TILES} tiles.`);
  return files.map(({ path }) => {
    const [, face, column, row] = TILE.exec(path) ?? [];
    if (face === undefined)
      throw damaged(`The archive contains ${JSON.stringify(path.slice(0, 80))}, which is no tile.`);
    return { face: face as CubeFace, column: Number(column), row: Number(row), file: join(folder, path) };
  });
}

/** Reads all tiles into the faces, made smaller if they are larger than the limit. */
async function facesOf(tiles: readonly Tile[], layout: CubeLayout) {
  const [first] = tiles;
  if (!first) throw damaged('The archive contains no tiles.');
  const side = layout.size ?? (await readHeader(first.file, 'user')).width;
  const step = layout.tile ?? side;
  const size = Math.min(side, MAX_FACE);
  const scaled = (pixels: number) => Math.round((Math.min(pixels, side) / side) * size);
  const pixels = new Uint8Array(CUBE_FACES.length * size * size * 3);
  for (const { face, column, row, file } of tiles) {
    const [left, top] = [scaled(column * step), scaled(row * step)];
    const [width, height] = [scaled((column + 1) * step) - left, scaled((row + 1) * step) - top];
    if (width < 1 || height < 1) throw damaged(`The tile ${face}-${column}-${row} is outside its face.`);
    await readHeader(file, 'user');
    const drawn = openImage(file).flatten({ background: '#000' }).toColourspace('srgb');
    const image = await drawn
      .resize(width, height, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer()
      .catch(() => {
        throw damaged(`The tile ${face}-${column}-${row} is damaged or incomplete.`);
      });
    const isTurned = layout.turned && (face === 'u' || face === 'd');
    const base = CUBE_FACES.indexOf(face) * size * size;
    for (let y = 0; y < height; y++) {
      if (!isTurned) {
        pixels.set(image.subarray(y * width * 3, (y + 1) * width * 3), (base + (top + y) * size + left) * 3);
        continue;
      }
      for (let x = 0; x < width; x++) {
        const to = (base + (size - 1 - top - y) * size + (size - 1 - left - x)) * 3;
        pixels.set(image.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), to);
      }
    }
  }
  return { size, pixels };
}

/** The panorama metadata of a part of the sphere: https://developers.google.com/streetview/spherical-metadata */
function partXmp({ width, height }: { width: number; height: number }, part: SpherePart): string {
  // Both sizes follow from the wider angle, so that the whole is exactly 2:1.
  const across = Math.max(width, Math.round(width / part.width));
  const full = { width: across + (across % 2), height: Math.ceil(across / 2) };
  const inside = (value: number, most: number) => Math.max(0, Math.min(Math.round(value), most));
  const fields = {
    ProjectionType: 'equirectangular',
    FullPanoWidthPixels: full.width,
    FullPanoHeightPixels: full.height,
    CroppedAreaImageWidthPixels: width,
    CroppedAreaImageHeightPixels: height,
    CroppedAreaLeftPixels: inside(part.left * full.width, full.width - width),
    CroppedAreaTopPixels: inside(part.top * full.height, full.height - height),
  };
  const attributes = Object.entries(fields).map(([name, value]) => `GPano:${name}="${value}"`);
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ${attributes.join(' ')}/></rdf:RDF></x:xmpmeta>`;
}

/** Writes an image with the part of the sphere that it covers. */
async function writePart(
  files: readonly ArchiveFile[],
  folder: string,
  part: SpherePart,
  target: string,
): Promise<void> {
  const [only] = files;
  if (!only || files.length > 1) throw damaged('The archive must contain one image.');
  const file = join(folder, only.path);
  const header = await readHeader(file, 'user');
  // The image covers the part exactly, whatever its own shape.
  const height = Math.max(1, Math.round((header.width / part.width / 2) * part.height));
  if (!(height <= MAX_HEIGHT))
    throw damaged('The part of the sphere is too narrow for its height. Check its left, top, width and height.');
  const image = openImage(file).flatten({ background: '#000' }).resize(header.width, height, { fit: 'fill' });
  await image
    .jpeg(JPEG)
    .withXmp(partXmp({ width: header.width, height }, part))
    .toFile(target);
}

/** Writes a cube map as an equirectangular image, with the resolution of the centers of its faces. */
async function writeCube(tiles: readonly Tile[], layout: CubeLayout, target: string): Promise<void> {
  const cube = await facesOf(tiles, layout);
  const width = Math.min(MAX_WIDTH, Math.max(4, Math.round((cube.size * Math.PI) / 4) * 4));
  const height = width / 2;
  const drawn = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) drawRow(cube, row, width, drawn);
  await sharp(drawn, { raw: { width, height, channels: 3 } })
    .jpeg(JPEG)
    .toFile(target);
}

/**
 * Makes an equirectangular image of the images in an archive: tiles named `<face>-<column>-<row>.<ending>`, or one image
 * of a part of the sphere.
 * @returns path of the image
 * @throws ApiError bad_file naming the problem
 */
export async function assemblePanorama({ path, bytes, folder, layout }: Assembly): Promise<string> {
  const zip = await openArchive(path);
  const [images, target] = [join(folder, 'images'), join(folder, 'panorama.jpg')];
  try {
    const files = await readArchive(zip, bytes);
    const tiles = layout.kind === 'cube' ? tilesOf(files, images) : [];
    await unpack(zip, files, images);
    if (layout.kind === 'cube') await writeCube(tiles, layout, target);
    else await writePart(files, images, layout.part, target);
    return target;
  } finally {
    zip.close();
  }
}
