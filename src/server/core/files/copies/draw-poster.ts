import { openImage, readHeader } from '../inspect/image.ts';
import { damaged } from '../inspect/inspection.ts';

/** Sizes in pixels, for lists and for link previews. */
const SMALL = { width: 640, height: 360 } as const;
const LARGE = { width: 1200, height: 630 } as const;

/**
 * Draws the two poster images of an image as base64, cropped to fit.
 * @throws ApiError bad_file
 */
export async function drawPosterImages({ source }: { source: string }): Promise<{ small: string; large: string }> {
  await readHeader(source, 'user');
  const cut = (size: typeof SMALL | typeof LARGE) =>
    openImage(source)
      .autoOrient()
      .flatten({ background: '#f7f6f2' })
      .resize({ ...size, fit: 'cover' });
  try {
    const small = await cut(SMALL).webp({ quality: 78 }).toBuffer();
    const large = await cut(LARGE).jpeg({ quality: 80, mozjpeg: true }).toBuffer();
    return { small: small.toString('base64'), large: large.toString('base64') };
  } catch {
    throw damaged('The image is damaged or incomplete.');
  }
}

/** Size in pixels of a sheet of model views, six columns by four rows, and of one view. */
const SHEET = { width: 1200, height: 600 } as const;
const VIEW = { left: 0, top: 0, width: 200, height: 150 } as const;

/**
 * Encodes the sheet of model views that a browser drew, and its first view, as base64.
 * @throws ApiError bad_file
 */
export async function drawTurntableImages({ source }: { source: string }): Promise<{ small: string; large: string }> {
  await readHeader(source, 'user');
  try {
    const sheet = await openImage(source)
      .resize({ ...SHEET, fit: 'fill' })
      .webp({ quality: 80 })
      .toBuffer();
    const view = await openImage(source)
      .resize({ ...SHEET, fit: 'fill' })
      .extract(VIEW)
      .flatten({ background: '#f7f6f2' })
      .jpeg({ quality: 80, mozjpeg: true })
      .toBuffer();
    return { small: sheet.toString('base64'), large: view.toString('base64') };
  } catch {
    throw damaged('The image is damaged or incomplete.');
  }
}
