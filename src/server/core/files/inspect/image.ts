import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Requester } from '../decoders/turns.ts';
import { brokenHeic, isHeic, jpegOfHeif } from './heif.ts';
import { damaged, type Inspection, unusable } from './inspection.ts';
import { shownOfImage } from './metadata/image-metadata.ts';
import { shownOfAvif } from './metadata/iso-metadata.ts';
import { photoOf } from './metadata/photo-metadata.ts';
import { FileParts, type Piece, writePieces } from './metadata/pieces.ts';
import { panoramaFields, panoramaNotes, stereoWarnings } from './panorama.ts';
import { readHead } from './wanted-head.ts';

/** Maximum pixels of an image from users: a panorama of 16,384 × 8,192. */
export const MAX_PIXELS = 16_384 * 8_192;
/** Maximum pixels of WebP, whose decoder takes 8 bytes per pixel for the whole image: 940 MB of the 1 GB for users. */
const MAX_WEBP_PIXELS = 100_000_000;
/** Maximum pixels of AVIF and HEIF, whose decoders hold several copies of the whole image. */
const MAX_HEIF_PIXELS = 32_000_000;
/** Maximum pixels of an image from visitors: the largest JPEG of phones, and half of that in more expensive formats. */
const MAX_VISITOR_PIXELS = { jpeg: 50_000_000, other: 25_000_000 } as const;
/**
 * Maximum pixels of AVIF from visitors, within their decoder's 300 MB. It takes 15 bytes per pixel with 4:2:0 chroma
 * subsampling, 18 with 4:4:4, and 25 with 10 or 12 bits (libheif 1.23 with libaom 3.15), plus a base of 85 MB. The
 * margin is for busy machines, where decoders need more.
 */
const MAX_VISITOR_AVIF = { halfColors: 12_000_000, allColors: 10_000_000, deep: 7_000_000 } as const;

/**
 * The limit for a visitor's AVIF, by its `av1C`:
 * https://aomediacodec.github.io/av1-isobmff/#av1codecconfigurationbox-syntax
 */
function maxAvifOf(head: Buffer): number {
  let most: number = MAX_VISITOR_AVIF.halfColors;
  for (let at = head.indexOf('av1C'); at >= 0 && at + 7 <= head.length; at = head.indexOf('av1C', at + 4)) {
    const flags = head[at + 6]!;
    const isDeep = (flags & 0b0100_0000) !== 0;
    const hasAllColors = (flags & 0b0001_1000) === 0;
    if (isDeep) most = MAX_VISITOR_AVIF.deep;
    else if (hasAllColors) most = Math.min(most, MAX_VISITOR_AVIF.allColors);
  }
  return most;
}

const maxOfJpeg = (sender: Requester['sender']): number =>
  sender === 'visitor' ? MAX_VISITOR_PIXELS.jpeg : MAX_PIXELS;

async function maxPixelsOf(
  path: string,
  { format, compression }: Metadata,
  sender: Requester['sender'],
): Promise<number> {
  if (format === 'heif' && sender === 'visitor' && compression === 'av1') return maxAvifOf(await readHead(path));
  if (format === 'heif') return MAX_HEIF_PIXELS;
  if (format === 'jpeg') return maxOfJpeg(sender);
  if (sender === 'visitor') return MAX_VISITOR_PIXELS.other;
  return format === 'webp' ? MAX_WEBP_PIXELS : MAX_PIXELS;
}

// No caching: no process decodes the same file twice. Few threads per image leave processors to others.
sharp.cache(false);
sharp.concurrency(2);
// Disables loaders of formats that are not accepted.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

const MIMES: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heif: 'image/avif',
};

/** Processing timeout in seconds: shorter than the job's, because aborting the job doesn't stop the library. */
const SECONDS = 50;

/** Opens an image with the general limits. */
export const openImage = (path: string): Sharp =>
  sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).timeout({ seconds: SECONDS });

/** Pixels from which a better encoder would take too much time and memory. */
const MANY_PIXELS = 16_000_000;
/**
 * Pixels from which a visitor's image is rotated in separate steps: in one step it would exceed its decoder's memory.
 */
const MAX_TURNED = 13_000_000;

/** Re-encodes an image in its own format, turned upright. */
function rewrite(image: Sharp, format: string, pixels: number): Sharp {
  const upright = image.autoOrient();
  switch (format) {
    case 'jpeg':
      // Optimized Huffman tables need the coefficients of the whole image, three bytes per pixel.
      return upright.jpeg({ quality: 90, mozjpeg: pixels <= MANY_PIXELS, optimiseCoding: pixels <= MANY_PIXELS });
    case 'png':
      return upright.png();
    default:
      return upright.webp({ quality: 90 });
  }
}

/**
 * Decodes a visitor's large image into a file before it is rotated, so that the decoder's memory is free by then.
 * @param width in pixels, as stored
 */
async function decodedFirst(path: string, folder: string, width: number, orientation: number): Promise<Sharp> {
  const decoded = join(folder, 'decoded');
  const image = openImage(path).resize({ width }).withMetadata({ orientation });
  await image.png({ compressionLevel: 1 }).toFile(decoded);
  return openImage(decoded);
}

/** The visible content of an image, without metadata; null if it has no metadata. */
const shownOf = async (path: string, format: string): Promise<Piece[] | null> =>
  format === 'heif' ? FileParts.use(path, shownOfAvif) : shownOfImage(format, await readFile(path));

/** Frames of an animated PNG, which the library treats as a still image: https://www.w3.org/TR/png-3/#acTL-chunk */
function pngFrames(head: Buffer): number {
  for (let at = 8; at + 12 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return head.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  return 1;
}

/** Pixels in all frames of an image, as its header declares. */
async function claimedPixels(path: string, { format, width, height, pages = 1 }: Metadata) {
  // `acTL` precedes the pixels of a PNG.
  const head = format === 'png' || format === 'gif' ? await readHead(path) : Buffer.alloc(0);
  if (format === 'png') {
    const frames = pngFrames(head);
    return { frames, pixels: width * height * frames };
  }
  // The library corrects an implausible GIF size; browsers use it as declared.
  const screen = format === 'gif' ? head.readUInt16LE(6) * head.readUInt16LE(8) : 0;
  return { frames: pages, pixels: Math.max(width * height, screen) * pages };
}

/**
 * Reads an image's header without decoding it.
 * @returns its metadata, with the number of frames
 * @throws ApiError bad_file if it can't be read, or if all frames together exceed the sender's pixel limit
 */
export async function readHeader(path: string, sender: Requester['sender']): Promise<Metadata & { frames: number }> {
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(async () => {
      const head = await readHead(path);
      throw isHeic(head) ? brokenHeic() : damaged('The image is damaged or incomplete.');
    });
  const { frames, pixels } = await claimedPixels(path, header);
  const most = await maxPixelsOf(path, header, sender);
  if (pixels > most) {
    const all = frames > 1 ? ' across all frames' : '';
    const million = (limit: number) => `with at most ${Math.floor(limit / 1_000_000)} million`;
    const takesMore = header.format === 'heif' || header.format === 'webp';
    const instead = takesMore && frames === 1 ? `, or a JPEG ${million(maxOfJpeg(sender))}` : '';
    throw damaged(`The image has too many pixels${all}. Send one ${million(most)}${instead}.`);
  }
  return { ...header, frames };
}

/**
 * Number of pixels according to the header.
 * @returns the sum of all frames
 * @throws ApiError bad_file if it exceeds the sender's limit
 */
export async function measureImage({ path, sender }: Pick<ImageFile, 'path' | 'sender'>): Promise<number> {
  const { width, height, frames } = await readHeader(path, sender);
  return width * height * frames;
}

/** Side length in pixels of the throwaway image that forces decoding. */
const CHECKED_SIDE = 64;

/** An image to inspect. */
interface ImageFile {
  path: string;
  folder: string;
  sender: Requester['sender'];
}

/**
 * Decodes a whole image to verify that it can be shown, and strips metadata. It is re-encoded only if it must be
 * rotated, or is HEIC.
 * @param file with its sender, and the folder for the stripped copy
 */
export async function inspectImage({ path, folder, sender }: ImageFile): Promise<Inspection> {
  const header = await readHeader(path, sender);
  const { width, height, format, frames } = header;
  const fields = panoramaFields(header.xmp);
  const panorama = panoramaNotes(fields);
  // Visitors' images keep no metadata.
  const photo = sender === 'user' ? photoOf(header.exif, fields) : undefined;
  const recorded = photo && { photo };
  const stripped = join(folder, 'stripped');
  if (format === 'heif' && header.compression === 'hevc') {
    const { jpeg, ...size } = await jpegOfHeif(path);
    await writeFile(stripped, jpeg);
    const jpegFile = { type: 'image', mime: 'image/jpeg', extension: 'jpg', ...size, details: {} } as const;
    return { ...jpegFile, ...recorded, instead: { path: stripped } };
  }
  const mime = MIMES[format ?? ''];
  if (!mime || !format) throw unusable('Unsupported image format. Use JPEG, PNG, WebP, AVIF, GIF or HEIC.');
  const extension = { jpeg: 'jpg', heif: 'avif' }[format as string] ?? format;
  const isAnimated = frames > 1 || format === 'gif';
  // AVIF rotates by its own properties; animations don't rotate.
  const orientation = isAnimated || format === 'heif' ? 1 : (header.orientation ?? 1);
  const isMuch = sender === 'visitor' && orientation > 1 && width * height > MAX_TURNED;
  // WebP and PNG are encoded as a whole, too.
  const isHalved = isMuch && format !== 'jpeg';
  const [across, down] = isHalved ? [Math.round(width / 2), Math.round(height / 2)] : [width, height];
  const size = orientation >= 5 ? { width: down, height: across } : { width: across, height: down };
  const found = { type: 'image', mime, extension, ...size, ...recorded } as const;
  try {
    // Visitors' images don't become panoramas.
    const warnings =
      isAnimated || sender === 'visitor' ? [] : await stereoWarnings(openImage(path).autoOrient(), found);
    const details = isAnimated
      ? { ...(frames > 1 && { frames }) }
      : { ...(panorama && { panorama }), ...(warnings.length > 0 && { warnings }) };
    if (orientation > 1) {
      const image = isMuch ? await decodedFirst(path, folder, across, orientation) : openImage(path);
      await rewrite(image, format, width * height).toFile(stripped);
      return { ...found, details, instead: { path: stripped } };
    }
    // Decodes the whole image, line by line.
    await openImage(path).resize(CHECKED_SIDE, CHECKED_SIDE, { fit: 'fill' }).raw().toBuffer();
    const pieces = await shownOf(path, format);
    if (!pieces) return { ...found, details };
    await writePieces(path, stripped, pieces);
    return { ...found, details, instead: { path: stripped } };
  } catch (error) {
    // System errors, such as a full disk, are no fault of the image.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw damaged('The image is damaged or incomplete.');
  }
}
