import { copyFile, open } from 'node:fs/promises';
import { damaged, type Inspection } from './inspection.ts';
import { unpackWoff2 } from './woff2.ts';

const FONT_FORMATS: Record<string, { mime: string; extension: string }> = {
  'font/ttf': { mime: 'font/ttf', extension: 'ttf' },
  'font/otf': { mime: 'font/otf', extension: 'otf' },
  'font/woff': { mime: 'font/woff', extension: 'woff' },
  'font/woff2': { mime: 'font/woff2', extension: 'woff2' },
};

/** A font: its detected media type, and its size. */
interface FontFile {
  path: string;
  mime: string;
  bytes: number;
}

/**
 * Checks that a font is complete: WOFF declares its own length; in TrueType and OpenType, each table must lie in the
 * file. WOFF2 is stored unpacked.
 */
export async function inspectFont({ path, mime, bytes }: FontFile): Promise<Inspection> {
  const handle = await open(path);
  const head = Buffer.alloc(12 + 16 * 256);
  const { bytesRead } = await handle.read(head, 0, head.length, 0).finally(() => handle.close());
  const whole = () => {
    if (mime.startsWith('font/woff')) return head.readUInt32BE(8) === bytes;
    const tables = head.readUInt16BE(4);
    if (tables === 0 || tables > 256 || bytesRead < 12 + tables * 16) return false;
    return Array.from({ length: tables }, (_, index) => 12 + index * 16).every(
      (at) => head.readUInt32BE(at + 8) + head.readUInt32BE(at + 12) <= bytes,
    );
  };
  if (bytesRead < 44 || !whole()) throw damaged('The font is damaged or incomplete.');
  if (head.toString('latin1', 0, 4) === 'true') {
    // Not every font parser accepts Apple's signature, so it is replaced by TrueType's.
    const own = `${path}.ttf`;
    await copyFile(path, own);
    const copy = await open(own, 'r+');
    await copy.write(Buffer.from([0, 1, 0, 0]), 0, 4, 0).finally(() => copy.close());
    return { type: 'font', ...FONT_FORMATS[mime]!, instead: { path: own } };
  }
  if (mime !== 'font/woff2') return { type: 'font', ...FONT_FORMATS[mime]! };
  const unpacked = await unpackWoff2(path);
  return { type: 'font', ...FONT_FORMATS[unpacked.mime]!, instead: { path: unpacked.path } };
}
