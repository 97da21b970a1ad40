/** Frames a second, and frames, of the film. */
const RATE = 10;
const FRAMES = 20;
const SIZE = { width: 64, height: 36 } as const;

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );
const zeros = (count: number) => Buffer.alloc(count);

function box(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(name, 'latin1'), content]);
}

/** A box that begins with a version and flags. */
const full = (name: string, flags: number, ...parts: Buffer[]) => box(name, u32(flags), ...parts);

/** Turns nothing: the matrix of ISO 14496-12. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function sampleTable(frame: number, at: number): Buffer {
  const { width, height } = SIZE;
  const entry = box(
    'mp4v',
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(24, 0xffff),
  );
  return box(
    'stbl',
    full('stsd', 0, u32(1), entry),
    full('stts', 0, u32(1, FRAMES, 1)),
    full('stsc', 0, u32(1, 1, FRAMES, 1)),
    full('stsz', 0, u32(frame, FRAMES)),
    full('stco', 0, u32(1, at)),
  );
}

function movie(frame: number, at: number): Buffer {
  const { width, height } = SIZE;
  const header = full('mvhd', 0, u32(0, 0, RATE, FRAMES, 0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(2));
  const track = full('tkhd', 7, u32(0, 0, 1, 0, FRAMES), zeros(16), MATRIX, u32(width << 16, height << 16));
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, RATE, FRAMES), u16(0x55c4, 0)),
    full('hdlr', 0, u32(0), Buffer.from('vide'), zeros(12), Buffer.from('Film\0')),
    box(
      'minf',
      full('vmhd', 1, zeros(8)),
      box('dinf', full('dref', 0, u32(1), full('url ', 1))),
      sampleTable(frame, at),
    ),
  );
  return box('moov', header, box('trak', track, media));
}

/**
 * A film of two seconds as MP4, whole enough to be taken for one; its pictures are noise.
 * @param bytes of its pictures
 */
export function makeFilm(bytes = 20_000): Buffer {
  const frame = Math.floor(bytes / FRAMES);
  const data = Buffer.from(Array.from({ length: frame * FRAMES }, (_, index) => (index * 7919) & 255));
  const head = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isommp42'));
  const at = head.length + movie(frame, 0).length + 8;
  return Buffer.concat([head, movie(frame, at), box('mdat', data)]);
}
