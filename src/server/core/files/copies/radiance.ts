import { damaged } from '../inspect/inspection.ts';

/** Widths that run-length encoding of lines allows. */
const RLE_WIDTHS = { least: 8, most: 0x7fff } as const;
/** Bytes per pixel: three mantissas and their common exponent. */
const PIXEL = 4;
/** Minimum length of equal bytes that are written as a run, and maximum lengths of runs and of other bytes. */
const MIN_RUN = 4;
const MAX_RUN = 127;
const MAX_LITERAL = 128;

/** Reads a line of four channels, each run-length encoded. @returns the offset after it */
function readLine(file: Buffer, start: number, line: Uint8Array, width: number): number {
  let at = start + PIXEL;
  for (let filled = 0; filled < line.length; ) {
    const code = file[at++];
    const count = code === undefined ? 0 : code > 128 ? code - 128 : code;
    const isRun = code !== undefined && code > 128;
    // A run doesn't cross channels.
    if (count === 0 || (filled % width) + count > width || at + (isRun ? 1 : count) > file.length)
      throw damaged('The HDR file is damaged or incomplete.');
    if (isRun) line.fill(file[at]!, filled, filled + count);
    else line.set(file.subarray(at, at + count), filled);
    at += isRun ? 1 : count;
    filled += count;
  }
  return at;
}

/** Whether a file has pixels that repeat the one before, as encoders of the 1980s wrote them. */
function hasOldRuns(pixels: Buffer): boolean {
  for (let at = 0; at + PIXEL <= pixels.length; at += PIXEL)
    if (pixels[at] === 1 && pixels[at + 1] === 1 && pixels[at + 2] === 1) return true;
  return false;
}

/**
 * Reads the pixels of a Radiance HDR file line by line: https://radsite.lbl.gov/radiance/refer/filefmts.pdf
 * @param at offset after the header
 * @param take receives a line number and its red, green and blue values, in an array that is reused
 * @returns why it can't be read; undefined if it was
 * @throws ApiError bad_file if it is damaged
 */
export function readRadiance(
  file: Buffer,
  at: number,
  { width, height }: { width: number; height: number },
  take: (y: number, line: Float32Array) => void,
): string | undefined {
  const values = new Float32Array(width * 3);
  if (at + PIXEL > file.length) throw damaged('The HDR file is damaged or incomplete.');
  const mayBeEncoded = width >= RLE_WIDTHS.least && width <= RLE_WIDTHS.most;
  const isEncoded = mayBeEncoded && file.readUInt16BE(at) === 0x0202 && file[at + 2]! < 128;
  const lineBytes = width * PIXEL;
  if (!isEncoded && file.length - at < lineBytes * height) {
    if (hasOldRuns(file.subarray(at))) return 'The HDR file uses an old run-length encoding. Export it again.';
    throw damaged('The HDR file is damaged or incomplete.');
  }
  const line = new Uint8Array(lineBytes);
  for (let y = 0; y < height; y++) {
    if (isEncoded) {
      if (at + PIXEL > file.length || file.readUInt16BE(at) !== 0x0202 || file.readUInt16BE(at + 2) !== width)
        throw damaged('The HDR file is damaged or incomplete.');
      at = readLine(file, at, line, width);
    } else {
      line.set(file.subarray(at, at + lineBytes));
      at += lineBytes;
    }
    // Encoded lines have one channel after the other.
    const [next, channel] = isEncoded ? [1, width] : [PIXEL, 1];
    for (let x = 0; x < width; x++) {
      const scale = 2 ** (line[x * next + 3 * channel]! - 128) / 255;
      for (let color = 0; color < 3; color++) values[x * 3 + color] = line[x * next + color * channel]! * scale;
    }
    take(y, values);
  }
  return undefined;
}

/** Run-length encodes one channel of a line. */
function encodeChannel(bytes: Uint8Array, into: number[]): void {
  const runAt = (at: number) => {
    let end = at + 1;
    while (end < bytes.length && end - at < MAX_RUN && bytes[end] === bytes[at]) end++;
    return end - at;
  };
  for (let at = 0; at < bytes.length; ) {
    const run = runAt(at);
    if (run >= MIN_RUN) {
      into.push(128 + run, bytes[at]!);
      at += run;
      continue;
    }
    let end = at + run;
    while (end < bytes.length && end - at < MAX_LITERAL && runAt(end) < MIN_RUN) end++;
    into.push(end - at, ...bytes.subarray(at, end));
    at = end;
  }
}

/**
 * Writes a Radiance HDR file.
 * @param data red, green, blue and alpha of each pixel, which aren't negative; alpha is ignored
 */
export function writeRadiance({ width, height, data }: { width: number; height: number; data: Float32Array }): Buffer {
  const parts = [Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`, 'latin1')];
  const line = new Uint8Array(width * PIXEL);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const most = Math.max(data[at]!, data[at + 1]!, data[at + 2]!);
      const exponent = most > 0 ? Math.ceil(Math.log2(most)) + 128 : 0;
      const isDark = exponent < 1;
      for (let color = 0; color < 3; color++)
        line[color * width + x] = isDark
          ? 0
          : Math.min(255, Math.round((data[at + color]! / 2 ** (exponent - 128)) * 255));
      line[3 * width + x] = isDark ? 0 : exponent;
    }
    const encoded = [2, 2, width >> 8, width & 0xff];
    for (let channel = 0; channel < PIXEL; channel++)
      encodeChannel(line.subarray(channel * width, (channel + 1) * width), encoded);
    parts.push(Buffer.from(encoded));
  }
  return Buffer.concat(parts);
}
