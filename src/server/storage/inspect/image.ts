import { join } from 'node:path';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { damaged, type Inspection, unusable } from './inspection.ts';
import { panoramaNotes, stereoWarnings } from './panorama.ts';

/** Most pixels of a picture: a panorama of 16,384 × 8,192. */
export const MAX_PIXELS = 16_384 * 8_192;

const MIMES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heif: 'image/avif',
};

/** Seconds that it may take to make another picture of one: less than the job has, whose end does not end the library's work. */
const SECONDS = 50;

/** Opens a picture with the limits that hold everywhere. */
export const openImage = (path: string): Sharp =>
  sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).timeout({ seconds: SECONDS });

/** Writes a picture again in its own format: turned upright, without the camera's notes. */
function rewrite(image: Sharp, format: string): Sharp {
  const upright = image.autoOrient();
  switch (format) {
    case 'jpeg':
      return upright.jpeg({ quality: 90, mozjpeg: true });
    case 'png':
      return upright.png();
    case 'webp':
      return upright.webp({ quality: 90 });
    default:
      return upright.avif({ quality: 65 });
  }
}

async function metadataOf(path: string): Promise<Metadata> {
  try {
    return await openImage(path).metadata();
  } catch (error) {
    if (/pixel limit/i.test(String(error)))
      throw damaged('The image has too many pixels; send one of at most 134 million.');
    throw damaged('The image is damaged or incomplete.');
  }
}

/**
 * Reads a picture whole, to know that it can be shown, and strips what the camera noted in it.
 * @param file and the folder in which the stripped copy is written
 */
export async function inspectImage({ path, folder }: { path: string; folder: string }): Promise<Inspection> {
  const { width, height, format, orientation = 1, exif, xmp, iptc, pages = 1 } = await metadataOf(path);
  const mime = MIMES[format ?? ''];
  if (!mime || !format) throw unusable('Images can be JPEG, PNG, WebP, AVIF or GIF.');
  if (width * height > MAX_PIXELS) throw damaged('The image has too many pixels; send one of at most 134 million.');
  const extension = { jpeg: 'jpg', heif: 'avif' }[format as string] ?? format;
  const turned = orientation >= 5;
  const found = {
    type: 'image',
    mime,
    extension,
    width: turned ? height : width,
    height: turned ? width : height,
  } as const;
  const panorama = panoramaNotes(xmp);
  try {
    const warnings = pages > 1 ? [] : await stereoWarnings(openImage(path).autoOrient(), found);
    const details = { ...(panorama && { panorama }), ...(warnings.length > 0 && { warnings }) };
    // An animation keeps its frames: writing it again would keep the first one only.
    if (pages > 1 || format === 'gif' || (orientation === 1 && !exif && !xmp && !iptc)) {
      await openImage(path).stats();
      return { ...found, details: pages > 1 ? { frames: pages } : details };
    }
    const stripped = join(folder, 'stripped');
    await rewrite(openImage(path), format).toFile(stripped);
    return { ...found, details, instead: { path: stripped } };
  } catch {
    throw damaged('The image is damaged or incomplete.');
  }
}
