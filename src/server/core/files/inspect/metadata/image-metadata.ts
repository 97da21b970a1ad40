import type { Piece } from './pieces.ts';

/** Collects the retained parts of a file, and whether anything was dropped. */
class Kept {
  readonly pieces: Piece[] = [];
  isLess = false;

  keep(from: number, to: number): void {
    const last = this.pieces.at(-1);
    if (last && !Buffer.isBuffer(last) && last.to === from) last.to = to;
    else this.pieces.push({ from, to });
  }

  replace(bytes: Buffer): void {
    this.pieces.push(bytes);
  }

  drop(): void {
    this.isLess = true;
  }

  /** @param end end of the parsed content; the rest is dropped */
  end(end: number, size: number): Piece[] | null {
    if (end < size) this.drop();
    return this.isLess ? this.pieces : null;
  }
}

const text = (bytes: Buffer, at: number, length: number) => bytes.toString('latin1', at, at + length);

/** Whether a JPEG segment is needed for display: JFIF, the color profile, and Adobe's color transform. */
function isShown(marker: number, bytes: Buffer, at: number): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  const name = text(bytes, at + 4, 12);
  return (
    (marker === 0xe0 && name.startsWith('JFIF\0')) ||
    (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) ||
    (marker === 0xee && name.startsWith('Adobe'))
  );
}

/** Segments, scans and restart markers of a JPEG: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B. */
function ofJpeg(bytes: Buffer): Piece[] | null {
  const kept = new Kept();
  kept.keep(0, 2);
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    // Other images and videos of motion photos follow the end marker.
    if (marker === 0xd9) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (isShown(marker, bytes, at)) kept.keep(at, end);
    else kept.drop();
    at = end;
    if (marker !== 0xda) continue;
    const start = at;
    for (;;) {
      at = bytes.indexOf(0xff, at);
      if (at < 0 || at + 1 >= bytes.length) return null;
      const next = bytes[at + 1]!;
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) break;
      at += next === 0xff ? 1 : 2;
    }
    kept.keep(start, at);
  }
  if (bytes[at] !== 0xff || bytes[at + 1] !== 0xd9) return null;
  kept.keep(at, at + 2);
  return kept.end(at + 2, bytes.length);
}

/** PNG chunks needed for display: https://www.w3.org/TR/png-3/#4Concepts.FormatTypes */
const PNG_SHOWN = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
);

function ofPng(bytes: Buffer): Piece[] | null {
  const kept = new Kept();
  kept.keep(0, 8);
  let at = 8;
  while (at + 12 <= bytes.length) {
    const type = text(bytes, at + 4, 4);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (PNG_SHOWN.has(type)) kept.keep(at, end);
    else kept.drop();
    at = end;
    if (type === 'IEND') return kept.end(at, bytes.length);
  }
  return null;
}

/** WebP chunks needed for display: https://developers.google.com/speed/webp/docs/riff_container */
const WEBP_SHOWN = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** `VP8X` flags of EXIF and XMP. */
const WEBP_METADATA = 0x0c;
/** Length in bytes of a frame header, before its chunks. */
const WEBP_FRAME = 16;

/** Chunks in a range, without metadata. */
function webpChunks(bytes: Buffer, from: number, to: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = from; at + 8 <= to; ) {
    const type = text(bytes, at, 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = Math.min(to, at + 8 + size + (size % 2));
    if (type === 'ANMF') {
      const head = bytes.subarray(at, at + 8 + WEBP_FRAME);
      const frame = Buffer.concat([head, ...webpChunks(bytes, at + 8 + WEBP_FRAME, end)]);
      frame.writeUInt32LE(frame.length - 8, 4);
      chunks.push(frame);
    } else if (type === 'VP8X') {
      const head = Buffer.from(bytes.subarray(at, end));
      head[8]! &= ~WEBP_METADATA;
      chunks.push(head);
    } else if (WEBP_SHOWN.has(type)) chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

function ofWebp(bytes: Buffer): Piece[] | null {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  const body = Buffer.concat([bytes.subarray(0, 12), ...webpChunks(bytes, 12, end)]);
  body.writeUInt32LE(body.length - 8, 4);
  return body.equals(bytes) ? null : [body];
}

/** GIF application extensions needed for display: the loop count. */
const GIF_SHOWN = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);
const IMAGE = 0x2c;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Bytes of a color table, from its packed field. */
const tableOf = (packed: number) => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);

/** Blocks of a GIF: https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
function ofGif(bytes: Buffer): Piece[] | null {
  const kept = new Kept();
  const blocksEnd = (from: number) => {
    let at = from;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    return at + 1;
  };
  let at = 13 + tableOf(bytes[10]!);
  kept.keep(0, at);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === IMAGE) {
      const end = blocksEnd(at + 11 + tableOf(bytes[at + 9]!));
      kept.keep(at, end);
      at = end;
    } else if (kind === EXTENSION) {
      const label = bytes[at + 1];
      const end = blocksEnd(at + 2);
      if (label === CONTROL || (label === APPLICATION && GIF_SHOWN.has(text(bytes, at + 3, 11)))) kept.keep(at, end);
      else kept.drop();
      at = end;
    } else break;
  }
  if (bytes[at] !== 0x3b) return null;
  kept.keep(at, at + 1);
  return kept.end(at + 1, bytes.length);
}

const FORMATS: Record<string, (bytes: Buffer) => Piece[] | null> = {
  jpeg: ofJpeg,
  png: ofPng,
  webp: ofWebp,
  gif: ofGif,
};

/**
 * Strips an image's EXIF, XMP, IPTC, comments, texts and trailing data; the rest stays byte-identical.
 * @returns null if there is nothing to strip
 */
export const shownOfImage = (format: string, bytes: Buffer): Piece[] | null => FORMATS[format]?.(bytes) ?? null;
