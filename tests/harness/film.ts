/** Frames per second, and number of frames. */
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

/** A box that starts with a version and flags. */
const full = (name: string, flags: number, ...parts: Buffer[]) => box(name, u32(flags), ...parts);

/** The identity matrix of ISO 14496-12. */
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Track types of an MP4. */
type Kind = 'picture' | 'sound';

/** Audio samples per second. */
const SOUND_RATE = 8000;

/** Encoding of samples: the type of their entry, and the boxes in it. */
interface Coding {
  format: string;
  boxes?: Buffer;
}

function sampleEntry(kind: Kind, { format, boxes = zeros(0) }: Coding): Buffer {
  const { width, height } = SIZE;
  if (kind === 'sound') return box(format, zeros(6), u16(1), zeros(8), u16(1, 16, 0, 0), u32(SOUND_RATE << 16), boxes);
  return box(
    format,
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(24, 0xffff),
    boxes,
  );
}

function sampleTable(kind: Kind, coding: Coding, frame: number, at: number): Buffer {
  return box(
    'stbl',
    full('stsd', 0, u32(1), sampleEntry(kind, coding)),
    full('stts', 0, u32(1, FRAMES, 1)),
    full('stsc', 0, u32(1, 1, FRAMES, 1)),
    full('stsz', 0, u32(frame, FRAMES)),
    full('stco', 0, u32(1, at)),
  );
}

function movie(kind: Kind, coding: Coding, frame: number, at: number): Buffer {
  const isPicture = kind === 'picture';
  const { width, height } = SIZE;
  const header = full('mvhd', 0, u32(0, 0, RATE, FRAMES, 0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(2));
  const track = full('tkhd', 7, u32(0, 0, 1, 0, FRAMES), zeros(16), MATRIX, u32(width << 16, height << 16));
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, RATE, FRAMES), u16(0x55c4, 0)),
    full('hdlr', 0, u32(0), Buffer.from(isPicture ? 'vide' : 'soun'), zeros(12), Buffer.from('Film\0')),
    box(
      'minf',
      isPicture ? full('vmhd', 1, zeros(8)) : full('smhd', 0, zeros(4)),
      box('dinf', full('dref', 0, u32(1), full('url ', 1))),
      sampleTable(kind, coding, frame, at),
    ),
  );
  return box('moov', header, box('trak', track, media));
}

/** Descriptor of the object type of samples: ISO/IEC 14496-1, 7.2.6. @param specific start of the decoder config */
export function describedBy(object: number, specific: Buffer = zeros(0)): Buffer {
  const descriptor = (tag: number, content: Buffer) =>
    // Lengths may take four bytes, as written by most encoders.
    Buffer.concat([Buffer.from([tag, 0x80, 0x80, 0x80, content.length]), content]);
  const decoder = descriptor(
    4,
    Buffer.concat([Buffer.from([object, 0x15]), zeros(11), ...(specific.length > 0 ? [descriptor(5, specific)] : [])]),
  );
  return full('esds', 0, descriptor(3, Buffer.concat([u16(1), zeros(1), decoder])));
}

/** An MP4 of two seconds with noise as samples, declared with a given encoding. */
export function makeMp4(kind: Kind, bytes: number, coding: Coding, brand = 'isom'): Buffer {
  const frame = Math.floor(bytes / FRAMES);
  const data = Buffer.from(Array.from({ length: frame * FRAMES }, (_, index) => (index * 7919) & 255));
  const head = box('ftyp', Buffer.from(brand), u32(0x200), Buffer.from(brand === 'isom' ? 'isommp42' : brand));
  const at = head.length + movie(kind, coding, frame, 0).length + 8;
  return Buffer.concat([head, movie(kind, coding, frame, at), box('mdat', data)]);
}

/**
 * An MP4 video of two seconds, complete enough to be accepted; its frames are noise.
 * @param bytes of its frames
 */
export const makeFilm = (bytes = 20_000): Buffer => makeMp4('picture', bytes, { format: 'mp4v' });

/** An MP4 of two seconds with audio only: noise. */
export const makeSoundOnly = (): Buffer => makeMp4('sound', 2000, { format: 'mp4a' });
