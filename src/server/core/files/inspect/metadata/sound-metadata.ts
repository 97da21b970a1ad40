import { blanked, type FileParts, type Piece } from './pieces.ts';

const latin = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to);

/** Offset of the audio after ID3v2 tags: https://id3.org/id3v2.4.0-structure */
async function behindId3(file: FileParts): Promise<number> {
  let at = 0;
  for (;;) {
    const head = await file.read(at, 10);
    if (head.length < 10 || latin(head, 0, 3) !== 'ID3') return at;
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + (head[index]! & 0x7f), 0);
    // A footer repeats the header.
    at += 10 + size + (head[5]! & 0x10 ? 10 : 0);
  }
}

/** End offset of the audio before ID3v1 and APEv2 tags. */
async function beforeTags(file: FileParts): Promise<number> {
  let end = file.size;
  for (;;) {
    const id3 = await file.read(Math.max(0, end - 128), 3);
    const ape = await file.read(Math.max(0, end - 32), 32);
    if (end > 128 && latin(id3, 0, 3) === 'TAG') end -= 128;
    else if (end > 32 && latin(ape, 0, 8) === 'APETAGEX')
      end -= Math.min(end, ape.readUInt32LE(12) + (ape.readUInt32LE(20) & 0x80000000 ? 32 : 0));
    else return end;
  }
}

/** MP3 and AAC without leading and trailing tags. */
async function ofFrames(file: FileParts): Promise<Piece[] | null> {
  const [from, to] = [await behindId3(file), await beforeTags(file)];
  return from === 0 && to === file.size ? null : [{ from, to: Math.max(from, to) }];
}

/** FLAC blocks needed for playback: `STREAMINFO` and `SEEKTABLE`. https://www.rfc-editor.org/rfc/rfc9639 */
const FLAC_PLAYED = new Set([0, 3]);

async function ofFlac(file: FileParts): Promise<Piece[] | null> {
  const start = await behindId3(file);
  if (latin(await file.read(start, 4), 0, 4) !== 'fLaC') return null;
  const kept: Buffer[] = [];
  let isLess = start > 0;
  for (let [at, isLast] = [start + 4, false]; !isLast; ) {
    const head = await file.read(at, 4);
    if (head.length < 4) return null;
    const size = head.readUIntBE(1, 3);
    isLast = (head[0]! & 0x80) !== 0;
    if (FLAC_PLAYED.has(head[0]! & 0x7f)) kept.push(await file.read(at, 4 + size));
    else isLess = true;
    at += 4 + size;
    if (!isLast) continue;
    for (const [index, block] of kept.entries()) block[0] = (block[0]! & 0x7f) | (index === kept.length - 1 ? 0x80 : 0);
    return isLess ? [Buffer.from('fLaC'), ...kept, { from: at, to: await beforeTags(file) }] : null;
  }
  return null;
}

/** WAV chunks needed for playback. */
const WAV_PLAYED = new Set(['fmt ', 'fact', 'data']);

async function ofWav(file: FileParts): Promise<Piece[] | null> {
  if (latin(await file.read(0, 4), 0, 4) !== 'RIFF') return null;
  const pieces: { from: number; to: number }[] = [];
  let isLess = false;
  for (let at = 12; at + 8 <= file.size; ) {
    const head = await file.read(at, 8);
    const size = head.readUInt32LE(4);
    const end = Math.min(file.size, at + 8 + size + (size % 2));
    if (WAV_PLAYED.has(latin(head, 0, 4))) pieces.push({ from: at, to: end });
    else isLess = true;
    at = end;
  }
  if (!isLess) return null;
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  head.writeUInt32LE(4 + pieces.reduce((sum, { from, to }) => sum + to - from, 0), 4);
  return [head, ...pieces];
}

/** Checksum of an Ogg page: https://www.rfc-editor.org/rfc/rfc3533#section-6 */
function oggChecksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

/** Maximum number of Ogg pages searched for comments: covers take a few hundred. */
const OGG_HEADERS = 2000;
/** Start of comment packets in Opus and Vorbis. */
const OGG_COMMENTS = ['OpusTags', '\x03vorbis'];

/** Ogg with an empty comment packet of the same length. */
async function ofOgg(file: FileParts): Promise<Piece[] | null> {
  const pages: { from: number; to: number; by: Buffer }[] = [];
  /** Whether the current page continues the comment packet. */
  let isWithin = false;
  for (let [at, count] = [0, 0]; count < OGG_HEADERS; count++) {
    const head = await file.read(at, 27);
    if (head.length < 27 || latin(head, 0, 4) !== 'OggS') break;
    const lacing = await file.read(at + 27, head[26]!);
    const start = 27 + lacing.length;
    const page = await file.read(at, start + lacing.reduce((sum, size) => sum + size, 0));
    const before = Buffer.from(page);
    for (let [segment, place] = [0, start]; segment < lacing.length; segment++) {
      const isFirst = segment === 0 ? (head[5]! & 1) === 0 : lacing[segment - 1]! < 255;
      if (isFirst) {
        const name = OGG_COMMENTS.find((each) => latin(page, place, place + each.length) === each);
        isWithin = name !== undefined;
        if (name) {
          const vendor = place + name.length + 4;
          const packet = page.subarray(place, place + lacing[segment]!);
          packet.fill(0, name.length);
          // Empty vendor string and no comments; a Vorbis packet ends with a set framing bit.
          if (name === OGG_COMMENTS[1] && vendor + 5 <= page.length) page[vendor + 4] = 1;
        }
      } else if (isWithin) page.fill(0, place, place + lacing[segment]!);
      place += lacing[segment]!;
    }
    if (!page.equals(before)) {
      page.writeUInt32LE(0, 22);
      page.writeUInt32LE(oggChecksum(page), 22);
      if (!page.equals(before)) pages.push({ from: at, to: at + page.length, by: page });
    }
    at += page.length;
  }
  return blanked(pages, file.size);
}

const VOID = 0xec;
const SEGMENT = 0x18538067;
/** Metadata elements of WebM and Matroska: tags, attachments; and in `Info` title, date and writer. RFC 9559. */
const WEBM_ABOUT = new Set([0x1254c367, 0x1941a469, 0x7ba9, 0x4461, 0x7384, 0x3c83ab, 0x3e83bb]);
const WEBM_PARENTS = new Set([SEGMENT, 0x1549a966]);

/** An EBML element's id or size: the first set bit determines its length. */
function ebmlNumber(bytes: Buffer, at: number, keepsMark: boolean): { value: number; length: number } | null {
  const first = bytes[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return null;
  let value = keepsMark ? first : first & (0xff >> length);
  let isUnknown = !keepsMark && value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    value = value * 256 + bytes[at + index]!;
    isUnknown &&= bytes[at + index] === 0xff;
  }
  return { value: isUnknown ? Infinity : value, length };
}

async function webmAbout(
  file: FileParts,
  from: number,
  to: number,
): Promise<{ from: number; to: number; by: Buffer }[]> {
  const ranges: { from: number; to: number; by: Buffer }[] = [];
  for (let at = from; at < to; ) {
    const head = await file.read(at, 12);
    const id = ebmlNumber(head, 0, true);
    const size = id && ebmlNumber(head, id.length, false);
    if (!id || !size) break;
    const start = at + id.length + size.length;
    const end = Math.min(to, start + size.value);
    if (WEBM_PARENTS.has(id.value)) ranges.push(...(await webmAbout(file, start, end)));
    else if (WEBM_ABOUT.has(id.value)) {
      // A Void element of the same length: one byte of id, and its size in up to eight bytes.
      const by = Buffer.alloc(end - at);
      const width = Math.min(8, by.length - 1);
      by[0] = VOID;
      by.writeUIntBE(width > 6 ? 0 : by.length - 1 - width, Math.max(1, 1 + width - 6), Math.min(6, width));
      if (width > 6) by.writeUIntBE(by.length - 1 - width, 1 + width - 6, 6);
      by[1]! |= 0x80 >> (width - 1);
      ranges.push({ from: at, to: end, by });
    }
    at = end;
  }
  return ranges;
}

const ofWebm = async (file: FileParts) => blanked(await webmAbout(file, 0, file.size), file.size);

const FORMATS: Record<string, (file: FileParts) => Promise<Piece[] | null>> = {
  mp3: ofFrames,
  aac: ofFrames,
  flac: ofFlac,
  wav: ofWav,
  ogg: ofOgg,
  webm: ofWebm,
};

/**
 * Audio or WebM without tags, covers and comments; the rest stays byte-identical.
 * @param extension extension under which it is stored
 * @returns null if there is nothing to strip
 */
export const playedOf = async (extension: string, file: FileParts): Promise<Piece[] | null> =>
  (await FORMATS[extension]?.(file)) ?? null;
