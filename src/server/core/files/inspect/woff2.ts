import { readFile, writeFile } from 'node:fs/promises';
import decompress from 'wawoff2/decompress.js';
import { damaged } from './inspection.ts';

/** Largest font in bytes that one is unpacked to; the largest fonts of Chinese, Japanese and Korean are half of it. */
const MAX_FONT_BYTES = 64 * 1024 * 1024;
const TTF = 0x00010000;
const OTF = 0x4f54544f;

/**
 * Unpacks a WOFF2 font, so that each visitor's browser need not: letters in a room are made from outlines, and
 * outlines are read from TrueType and OpenType.
 * @param path of the font
 * @returns path of the unpacked font beside it, and its type
 * @throws ApiError bad_file when it cannot be unpacked
 */
export async function unpackWoff2(path: string): Promise<{ path: string; mime: 'font/ttf' | 'font/otf' }> {
  const packed = await readFile(path);
  // The header tells the size of what is in it.
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
