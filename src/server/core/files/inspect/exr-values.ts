import { type FileHandle, open } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { damaged } from './inspection.ts';

/** Lines per block by supported compression: none, ZIPS and ZIP. */
const LINES: Readonly<Record<number, number>> = { 0: 1, 2: 1, 3: 16 };
/** Bytes per value by type: uint, half, float. */
const SIZES = [4, 2, 4] as const;
/** Version flags of tiled, deep and multi-part files. */
const OTHER_LAYOUTS = 0x1a00;

/** Whether a file starts as OpenEXR. */
export const isExr = (head: Buffer): boolean => head.length > 4 && head.readUInt32LE(0) === 20_000_630;

/** Header attributes by name, and the offset after the header: https://openexr.com/en/latest/OpenEXRFileLayout.html */
export function readExrHeader(head: Buffer): { attributes: Map<string, Buffer>; end: number } | null {
  const attributes = new Map<string, Buffer>();
  let at = 8;
  const text = () => {
    const end = head.indexOf(0, at);
    const found = end < 0 ? '' : head.toString('latin1', at, end);
    at = end < 0 ? head.length : end + 1;
    return found;
  };
  while (at + 4 < head.length) {
    if (head[at] === 0) return { attributes, end: at + 1 };
    const name = text();
    text();
    if (at + 4 > head.length) return null;
    const size = head.readUInt32LE(at);
    attributes.set(name, head.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return null;
}

/** Channel types in order; null if a channel is subsampled. */
function typesOf(list: Buffer): (0 | 1 | 2)[] | null {
  const types: (0 | 1 | 2)[] = [];
  for (let at = 0; at < list.length && list[at] !== 0; ) {
    at = list.indexOf(0, at) + 1;
    if (at === 0 || at + 16 > list.length) return null;
    const type = list.readUInt32LE(at);
    if (type > 2 || list.readUInt32LE(at + 8) !== 1 || list.readUInt32LE(at + 12) !== 1) return null;
    types.push(type as 0 | 1 | 2);
    at += 16;
  }
  return types.length > 0 ? types : null;
}

/** Lines per block by compression: none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB. */
const ALL_LINES = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256] as const;

/**
 * Checks that an EXR file has a single image of whole lines, with all its blocks: decoders skip missing ones.
 * @returns why it can't be decoded; undefined if it can
 * @throws ApiError bad_file if blocks are missing
 */
export function exrLayout(file: Buffer, height: number): string | undefined {
  const header = readExrHeader(file);
  const types = typesOf(header?.attributes.get('channels') ?? Buffer.alloc(0));
  const compression = header?.attributes.get('compression')?.[0] ?? -1;
  const lines = ALL_LINES[compression];
  if (!header || (file.readUInt32LE(4) & OTHER_LAYOUTS) !== 0 || !types || types.includes(0))
    return 'EXR files with tiles, several parts, reduced color or whole numbers are kept as they are.';
  if (!lines) return 'The EXR file uses an unknown compression.';
  if (header.attributes.get('dataWindow')?.readBigUInt64LE() !== 0n)
    return "EXR files whose data doesn't start at 0 are kept as they are.";
  for (let block = 0; block * lines < height; block++) {
    const at = header.end + block * 8;
    const start = at + 8 <= file.length ? Number(file.readBigUInt64LE(at)) : file.length;
    const isThere = start + 8 <= file.length && file.readInt32LE(start) === block * lines;
    if (!isThere || start + 8 + file.readUInt32LE(start + 4) > file.length)
      throw damaged('The EXR file is damaged or incomplete.');
  }
  return undefined;
}

/** Reverses the filters applied before compression: delta encoding, then byte interleaving. */
function restore(bytes: Buffer): Buffer {
  for (let i = 1; i < bytes.length; i++) bytes[i] = (bytes[i - 1]! + bytes[i]! - 128) & 0xff;
  const half = Math.ceil(bytes.length / 2);
  const restored = Buffer.alloc(bytes.length);
  for (let i = 0; i < bytes.length; i++) restored[i] = bytes[(i & 1) * half + (i >> 1)]!;
  return restored;
}

/** Whether a line contains NaN or infinity: all exponent bits are set. */
function isBroken(line: Buffer, types: readonly (0 | 1 | 2)[], width: number): boolean {
  let at = 0;
  for (const type of types) {
    const end = at + width * SIZES[type];
    if (type === 1) {
      for (let i = at; i < end; i += 2) if ((line[i + 1]! & 0x7c) === 0x7c) return true;
    } else if (type === 2) {
      for (let i = at; i < end; i += 4) if ((line[i + 3]! & 0x7f) === 0x7f && (line[i + 2]! & 0x80) !== 0) return true;
    }
    at = end;
  }
  return false;
}

/** Reads a part of a file. @throws RangeError if the file is shorter */
async function readBytes(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  if (bytesRead < bytes) throw new RangeError('The file is truncated.');
  return buffer;
}

/**
 * Searches an EXR file for NaN and infinity, block by block, so that only a few lines are in memory.
 * @param head first bytes, including the whole header
 * @returns null if its layout or compression isn't supported here
 * @throws RangeError, or a zlib error, if it is damaged
 */
export async function hasBrokenValues(
  path: string,
  head: Buffer,
  size: { width: number; height: number },
): Promise<boolean | null> {
  const header = readExrHeader(head);
  const types = typesOf(header?.attributes.get('channels') ?? Buffer.alloc(0));
  const compression = header?.attributes.get('compression')?.[0] ?? -1;
  const lines = LINES[compression];
  if (!header || !types || !lines || (head.readUInt32LE(4) & OTHER_LAYOUTS) !== 0) return null;
  const lineBytes = size.width * types.reduce<number>((sum, type) => sum + SIZES[type], 0);
  const top = header.attributes.get('dataWindow')?.readInt32LE(4) ?? 0;
  const blocks = Math.ceil(size.height / lines);
  const file = await open(path);
  try {
    let at = header.end + blocks * 8;
    for (let block = 0; block < blocks; block++) {
      const start = await readBytes(file, at, 8);
      const [first, bytes] = [start.readInt32LE(0) - top, start.readUInt32LE(4)];
      const most = Math.min(lines, size.height - first) * lineBytes;
      if (first < 0 || most <= 0 || bytes > most) throw new RangeError('A block is at the wrong offset.');
      const packed = await readBytes(file, at + 8, bytes);
      const data = bytes === most ? packed : restore(inflateSync(packed, { maxOutputLength: most }));
      for (let line = 0; line + lineBytes <= data.length; line += lineBytes)
        if (isBroken(data.subarray(line, line + lineBytes), types, size.width)) return true;
      at += 8 + bytes;
    }
    return false;
  } finally {
    await file.close();
  }
}
