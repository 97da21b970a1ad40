import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { damaged } from './inspection.ts';
import { profileOfHeif } from './metadata/iso-metadata.ts';
import { FileParts } from './metadata/pieces.ts';

/** Maximum size in bytes of a color profile in one JPEG segment. */
const MAX_PROFILE = 65_000;
/** Length in bytes of the JPEG start marker, after which a profile may follow. */
const START = 2;

/** Refuses a HEIC image that can't be decoded. */
export const brokenHeic = () => damaged('The HEIC image is damaged or incomplete. Export it as JPEG.');

/** Whether a file's brands identify it as HEIC: ISO/IEC 23008-12, annex B. */
export const isHeic = (head: Buffer): boolean =>
  head.toString('latin1', 4, 8) === 'ftyp' &&
  /^(?:hei[cxms]|hev[cxms]|mif[12]|msf1)$/.test(head.toString('latin1', 8, 12));

/** Adds a color profile to a JPEG: https://www.color.org/specification/ICC.1-2022-05.pdf, B.4 */
function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const head = Buffer.from('ffe20000', 'hex');
  const content = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, START), head, content, jpeg.subarray(START)]);
}

/**
 * Converts a HEIC image, which only Safari shows, to JPEG, upright and in its own color space.
 * @throws ApiError bad_file if it can't be decoded
 */
export async function jpegOfHeif(path: string): Promise<{ jpeg: Buffer; width: number; height: number }> {
  // Loaded on demand: it takes megabytes.
  const { default: libheif } = await import('libheif-js/wasm-bundle.js');
  const [image] = new libheif.HeifDecoder().decode(await readFile(path));
  if (!image) throw brokenHeic();
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = await new Promise<Uint8ClampedArray | null>((resolve) => {
    const target = { width, height, data: new Uint8ClampedArray(width * height * 4) };
    image.display(target, (shown) => resolve(shown?.data ?? null));
  });
  image.free();
  if (!pixels) throw brokenHeic();
  const profile = await FileParts.use(path, profileOfHeif);
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { jpeg: profile && profile.length <= MAX_PROFILE ? withProfile(jpeg, profile) : jpeg, width, height };
}
