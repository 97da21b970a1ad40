import { readFile, writeFile } from 'node:fs/promises';
import decompress from 'wawoff2/decompress.js';
import { damaged } from './inspection.ts';

/** Maximum unpacked size of a font in bytes, twice that of the largest Chinese, Japanese and Korean fonts. */
const MAX_FONT_BYTES = 64 * 1024 * 1024;
const TTF = 0x00010000;
const OTF = 0x4f54544f;

/**
 * Unpacks a WOFF2 font once, so that visitors' browsers don't have to: extruded text is built from outlines, which are
 * read from TrueType and OpenType.
 * @param path path of the font
 * @returns path of the unpacked font next to it, and its type
 * @throws ApiError bad_file if it can't be unpacked
 */
export async function unpackWoff2(path: string): Promise<{ path: string; mime: 'font/ttf' | 'font/otf' }> {
  const packed = await readFile(path);
  // The header declares the unpacked size.
  if (packed.length < 48 || packed.readUInt32BE(16) > MAX_FONT_BYTES)
    throw damaged('The font is damaged or too large.');
  const font = await decompress(packed).then(
    (bytes) => Buffer.from(bytes),
    () => null,
  );
  const kind = font && font.length >= 12 ? font.readUInt32BE(0) : 0;
  if (!font || (kind !== TTF && kind !== OTF)) throw damaged('The font is damaged or incomplete.');
  const unpacked = `${path}.unpacked`;
  await writeFile(unpacked, font);
  return { path: unpacked, mime: kind === TTF ? 'font/ttf' : 'font/otf' };
}
