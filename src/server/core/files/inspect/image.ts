import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Requester } from '../decoders/turns.ts';
import { brokenHeic, isHeic, jpegOfHeif } from './heif.ts';
import { damaged, type Inspection, unusable } from './inspection.ts';
import { shownOfImage } from './metadata/image-metadata.ts';
import { shownOfAvif } from './metadata/iso-metadata.ts';
import { FileParts, type Piece, writePieces } from './metadata/pieces.ts';
import { panoramaNotes, stereoWarnings } from './panorama.ts';
import { readHead } from './wanted-head.ts';

/** Most pixels of an image that users send: a panorama of 16,384 × 8,192. */
export const MAX_PIXELS = 16_384 * 8_192;
/** Most pixels of WebP, whose decoder takes 8 bytes a pixel for the whole image: 940 MB of the 1 GB that users have. */
const MAX_WEBP_PIXELS = 100_000_000;
/** Most pixels of AVIF and HEIF, whose decoders hold several copies of the whole image. */
const MAX_HEIF_PIXELS = 32_000_000;
/** Most pixels of an image that visitors send: the largest that phones take as JPEG, and half of that in formats that cost more. */
const MAX_VISITOR_PIXELS = { jpeg: 50_000_000, other: 25_000_000 } as const;
/**
 * Most pixels of AVIF that visitors send, within the 300 MB of their decoder. It takes 15 bytes a pixel with colors at half
 * resolution, 18 with all of them, and 25 with 10 or 12 bits (libheif 1.23 with libaom 3.15), beside 85 MB of its own.
 */
const MAX_VISITOR_AVIF = { halfColors: 13_000_000, allColors: 11_000_000, deep: 8_000_000 } as const;

/** The limit for the AVIF of a visitor, by its `av1C`: https://aomediacodec.github.io/av1-isobmff/#av1codecconfigurationbox-syntax */
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

// Nothing is decoded twice by the same process; a few threads for each image leave processors to others.
sharp.cache(false);
sharp.concurrency(2);
// Formats that nobody may send are not even tried.
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

/** Seconds that it may take to make another picture of one: less than the job has, whose end does not end the library's work. */
const SECONDS = 50;

/** Opens a picture with the limits that hold everywhere. */
export const openImage = (path: string): Sharp =>
  sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).timeout({ seconds: SECONDS });

/** Pixels from which a better encoder would take too long and too much memory. */
const MANY_PIXELS = 16_000_000;
/** Pixels from which a visitor's image that must be turned takes more steps: all at once would exceed its decoder's memory. */
const MAX_TURNED = 13_000_000;

/** Encodes an image again in its own format, turned upright. */
function rewrite(image: Sharp, format: string, pixels: number): Sharp {
  const upright = image.autoOrient();
  switch (format) {
    case 'jpeg':
      // The best tables take the coefficients of the whole image, three bytes a pixel.
      return upright.jpeg({ quality: 90, mozjpeg: pixels <= MANY_PIXELS, optimiseCoding: pixels <= MANY_PIXELS });
    case 'png':
      return upright.png();
    default:
      return upright.webp({ quality: 90 });
  }
}

/**
 * A large image of a visitor, decoded into a file before it is turned: its decoder has given its memory back by then.
 * @param width in pixels, of the image as it is stored
 */
async function decodedFirst(path: string, folder: string, width: number, orientation: number): Promise<Sharp> {
  const decoded = join(folder, 'decoded');
  const image = openImage(path).resize({ width }).withMetadata({ orientation });
  await image.png({ compressionLevel: 1 }).toFile(decoded);
  return openImage(decoded);
}

/** What is shown of an image, and nothing else; null where there is nothing else. */
const shownOf = async (path: string, format: string): Promise<Piece[] | null> =>
  format === 'heif' ? FileParts.use(path, shownOfAvif) : shownOfImage(format, await readFile(path));

/** Frames of an animated PNG, which the library takes for a still one: https://www.w3.org/TR/png-3/#acTL-chunk */
function pngFrames(head: Buffer): number {
  for (let at = 8; at + 12 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return head.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  return 1;
}

/** Pixels in all frames of an image, as its header claims. */
async function claimedPixels(path: string, { format, width, height, pages = 1 }: Metadata) {
  // `acTL` comes before the pixels of a PNG.
  const head = format === 'png' || format === 'gif' ? await readHead(path) : Buffer.alloc(0);
  if (format === 'png') {
    const frames = pngFrames(head);
    return { frames, pixels: width * height * frames };
  }
  // The library corrects an unlikely size of a GIF; browsers take it as it is.
  const screen = format === 'gif' ? head.readUInt16LE(6) * head.readUInt16LE(8) : 0;
  return { frames: pages, pixels: Math.max(width * height, screen) * pages };
}

/**
 * Reads the header of an image, and decodes nothing.
 * @returns what it says, with the number of frames
 * @throws ApiError bad_file where it can't be read, or claims more pixels in all of its frames than its sender may send
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
    const all = frames > 1 ? ' in all of its frames' : '';
    const million = (limit: number) => `of at most ${Math.floor(limit / 1_000_000)} million`;
    const takesMore = header.format === 'heif' || header.format === 'webp';
    const instead = takesMore && frames === 1 ? `, or a JPEG ${million(maxOfJpeg(sender))}` : '';
    throw damaged(`The image has too many pixels${all}; send one ${million(most)}${instead}.`);
  }
  return { ...header, frames };
}

/**
 * Reads the pixels of an image from its header.
 * @returns in all of its frames
 * @throws ApiError bad_file where it claims more than its sender may send
 */
export async function measureImage({ path, sender }: Pick<ImageFile, 'path' | 'sender'>): Promise<number> {
  const { width, height, frames } = await readHeader(path, sender);
  return width * height * frames;
}

/** Sides of the image that is made to decode another, in pixels. */
const CHECKED_SIDE = 64;

/** An image to be read. */
interface ImageFile {
  path: string;
  folder: string;
  sender: Requester['sender'];
}

/**
 * Reads an image whole, to know that it can be shown, and strips metadata. Nothing is encoded again, unless it must be turned, or
 * is HEIC.
 * @param file with who sent it, and the folder in which the stripped copy is written
 */
export async function inspectImage({ path, folder, sender }: ImageFile): Promise<Inspection> {
  const header = await readHeader(path, sender);
  const { width, height, format, frames, xmp } = header;
  const panorama = panoramaNotes(xmp);
  const stripped = join(folder, 'stripped');
  if (format === 'heif' && header.compression === 'hevc') {
    const { jpeg, ...size } = await jpegOfHeif(path);
    await writeFile(stripped, jpeg);
    return { type: 'image', mime: 'image/jpeg', extension: 'jpg', ...size, details: {}, instead: { path: stripped } };
  }
  const mime = MIMES[format ?? ''];
  if (!mime || !format) throw unusable('Images can be JPEG, PNG, WebP, AVIF, GIF or HEIC.');
  const extension = { jpeg: 'jpg', heif: 'avif' }[format as string] ?? format;
  const isAnimated = frames > 1 || format === 'gif';
  // AVIF is turned by its own properties, and animations by nothing.
  const orientation = isAnimated || format === 'heif' ? 1 : (header.orientation ?? 1);
  const isMuch = sender === 'visitor' && orientation > 1 && width * height > MAX_TURNED;
  // WebP and PNG are encoded whole, too.
  const isHalved = isMuch && format !== 'jpeg';
  const [across, down] = isHalved ? [Math.round(width / 2), Math.round(height / 2)] : [width, height];
  const size = orientation >= 5 ? { width: down, height: across } : { width: across, height: down };
  const found = { type: 'image', mime, extension, ...size } as const;
  try {
    // Those of visitors become no panoramas.
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
    // Decodes all of it, line by line.
    await openImage(path).resize(CHECKED_SIDE, CHECKED_SIDE, { fit: 'fill' }).raw().toBuffer();
    const pieces = await shownOf(path, format);
    if (!pieces) return { ...found, details };
    await writePieces(path, stripped, pieces);
    return { ...found, details, instead: { path: stripped } };
  } catch (error) {
    // What the disk says, such as that it is full, is no fault of the image.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw damaged('The image is damaged or incomplete.');
  }
}
