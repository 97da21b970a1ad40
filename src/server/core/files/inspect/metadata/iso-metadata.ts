import { blanked, FileParts, type Piece } from './pieces.ts';

/** A box of an ISO base media file (MP4, AVIF, HEIF): ISO/IEC 14496-12. */
interface Box {
  type: string;
  at: number;
  /** Start and end of its content. */
  from: number;
  to: number;
}

/** Maximum size of a box read as a whole: sample tables of long videos. */
const MAX_READ = 64 * 1024 * 1024;
/** Boxes that contain boxes. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex', 'edts']);
/** Metadata boxes: user data with locations (©xyz, loci), tags, XMP, and events. */
const ABOUT = new Set(['udta', 'meta', 'uuid', 'emsg', 'ilst', 'Xtra']);
/** Playable track types. Others, such as `meta`, can contain the camera's location. */
const PLAYED = new Set(['vide', 'soun', 'subt', 'sbtl', 'text', 'clcp', 'auxv', 'pict', 'tmcd', 'hint']);

async function boxesIn(file: FileParts, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const head = await file.read(at, 16);
    if (head.length < 8) break;
    const short = head.readUInt32BE(0);
    const start = short === 1 ? 16 : 8;
    if (head.length < start) break;
    const size = short === 0 ? to - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (size < start || at + size > to) break;
    boxes.push({ type: head.toString('latin1', 4, 8), at, from: at + start, to: at + size });
    at += size;
  }
  return boxes;
}

/** A nested box by its path. */
async function find(file: FileParts, box: Box, [type, ...below]: string[]): Promise<Box | undefined> {
  const found = (await boxesIn(file, box.from, box.to)).find((each) => each.type === type);
  return found && below.length > 0 ? find(file, found, below) : found;
}

async function contentOf(file: FileParts, box: Box | undefined): Promise<Buffer> {
  if (!box || box.to - box.from > MAX_READ) return Buffer.alloc(0);
  return file.read(box.from, box.to - box.from);
}

type Range = { from: number; to: number; by?: Buffer };

/** Empties a box in place, so that all other offsets stay valid. */
const emptied = ({ at, from, to }: Box): Range[] => [
  { from: at + 4, to: at + 8, by: Buffer.from('free') },
  { from, to },
];

/** Byte ranges of a track's samples, from its chunk and size tables. */
async function samplesOf(file: FileParts, track: Box): Promise<Range[]> {
  const table = await find(file, track, ['mdia', 'minf', 'stbl']);
  if (!table) return [];
  const boxes = await boxesIn(file, table.from, table.to);
  const read = (type: string) =>
    contentOf(
      file,
      boxes.find((box) => box.type === type),
    );
  const [sizes, runs, short, long] = [await read('stsz'), await read('stsc'), await read('stco'), await read('co64')];
  if (sizes.length < 12 || runs.length < 8) return [];
  const fixed = sizes.readUInt32BE(4);
  const sizeOf = (sample: number) =>
    fixed || (12 + sample * 4 + 4 <= sizes.length ? sizes.readUInt32BE(12 + sample * 4) : 0);
  const [chunks, width] = long.length > 0 ? [long, 8] : [short, 4];
  const ranges: Range[] = [];
  let [sample, run] = [0, 0];
  for (let chunk = 0; 8 + (chunk + 1) * width <= chunks.length; chunk++) {
    while (8 + (run + 1) * 12 + 4 <= runs.length && runs.readUInt32BE(8 + (run + 1) * 12) <= chunk + 1) run++;
    const count = 8 + run * 12 + 8 <= runs.length ? runs.readUInt32BE(8 + run * 12 + 4) : 0;
    const place = 8 + chunk * width;
    const from = width === 8 ? Number(chunks.readBigUInt64BE(place)) : chunks.readUInt32BE(place);
    let to = from;
    for (let index = 0; index < count && to < file.size; index++) to += sizeOf(sample++);
    if (from < file.size) ranges.push({ from, to: Math.min(to, file.size) });
  }
  return ranges;
}

async function aboutIn(file: FileParts, from: number, to: number): Promise<Range[]> {
  const ranges: Range[] = [];
  for (const box of await boxesIn(file, from, to)) {
    if (ABOUT.has(box.type)) ranges.push(...emptied(box));
    else if (box.type === 'trak') {
      const handler = await contentOf(file, await find(file, box, ['mdia', 'hdlr']));
      if (PLAYED.has(handler.toString('latin1', 8, 12))) ranges.push(...(await aboutIn(file, box.from, box.to)));
      else ranges.push(...emptied(box), ...(await samplesOf(file, box)));
    } else if (CONTAINERS.has(box.type)) ranges.push(...(await aboutIn(file, box.from, box.to)));
  }
  return ranges;
}

/** An MP4 with locations, tags and unplayable tracks overwritten by zeros; null if it has none. */
export const playedOfMp4 = async (file: FileParts): Promise<Piece[] | null> =>
  blanked(await aboutIn(file, 0, file.size), file.size);

/**
 * Tracks of an MP4: their types, such as `vide` and `soun`, and their first sample entries, which identify the codecs.
 */
export async function tracksOfMp4(file: FileParts): Promise<{ kind: string; format: string; entry: Buffer }[]> {
  const tracks: { kind: string; format: string; entry: Buffer }[] = [];
  for (const movie of await boxesIn(file, 0, file.size))
    for (const track of movie.type === 'moov' ? await boxesIn(file, movie.from, movie.to) : []) {
      if (track.type !== 'trak') continue;
      const kind = (await contentOf(file, await find(file, track, ['mdia', 'hdlr']))).toString('latin1', 8, 12);
      const entry = (await contentOf(file, await find(file, track, ['mdia', 'minf', 'stbl', 'stsd']))).subarray(8);
      if (entry.length >= 8) tracks.push({ kind, format: entry.toString('latin1', 4, 8), entry });
    }
  return tracks;
}

/**
 * Whether an MP4 plays before it has been loaded as a whole: its index (`moov`) comes before its first samples (`mdat`).
 * Only the headers of the outermost boxes are read. @param source path of the file
 */
export const startsFast = ({ source }: { source: string }): Promise<boolean> =>
  FileParts.use(source, async (file) => {
    const types = (await boxesIn(file, 0, file.size)).map(({ type }) => type);
    const [index, samples] = [types.indexOf('moov'), types.indexOf('mdat')];
    return index < 0 || samples < 0 || index < samples;
  });

/** Reads consecutive numbers whose sizes a header declares. */
function reader(bytes: Buffer, start: number) {
  let at = start;
  return {
    number: (size: number): number => {
      const value = size === 0 ? 0 : size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size);
      at += size;
      return value;
    },
  };
}

/** Ids of the EXIF and XMP items of an AVIF or HEIF, from `infe` boxes of version 2 and 3. */
async function metadataItems(file: FileParts, table: Box | undefined): Promise<Set<number>> {
  const items = new Set<number>();
  if (!table) return items;
  const version = (await file.read(table.from, 1))[0] ?? 0;
  for (const box of await boxesIn(file, table.from + (version === 0 ? 6 : 8), table.to)) {
    const entry = await contentOf(file, box);
    if (entry.length < 12 || entry[0]! < 2) continue;
    const [id, at] = entry[0] === 2 ? [entry.readUInt16BE(4), 8] : [entry.readUInt32BE(4), 10];
    if (/^(?:Exif|mime|uri )$/.test(entry.toString('latin1', at, at + 4))) items.add(id);
  }
  return items;
}

/** Byte ranges of items, from `iloc`. */
async function placesOf(file: FileParts, meta: Box, boxes: readonly Box[], items: Set<number>): Promise<Range[]> {
  const bytes = await contentOf(
    file,
    boxes.find(({ type }) => type === 'iloc'),
  );
  const data = boxes.find(({ type }) => type === 'idat');
  if (bytes.length < 8) return [];
  const version = bytes[0]!;
  const [first, second] = [bytes[4]!, bytes[5]!];
  const [offset, length, base, index] = [first >> 4, first & 15, second >> 4, version === 0 ? 0 : second & 15];
  const { number } = reader(bytes, 6);
  const ranges: Range[] = [];
  for (let left = number(version < 2 ? 2 : 4); left > 0; left--) {
    const id = number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const start = number(base) + (method === 1 ? (data?.from ?? meta.to) : 0);
    for (let extents = number(2); extents > 0; extents--) {
      number(index);
      const from = start + number(offset);
      const to = from + number(length);
      if (items.has(id) && method < 2 && to <= file.size) ranges.push({ from, to });
    }
  }
  return ranges;
}

/** An AVIF with EXIF, XMP and other metadata overwritten by zeros; null if it has none. */
export async function shownOfAvif(file: FileParts): Promise<Piece[] | null> {
  const ranges: Range[] = [];
  for (const box of await boxesIn(file, 0, file.size)) {
    if (box.type === 'uuid' || box.type === 'udta') ranges.push(...emptied(box));
    if (box.type === 'moov') ranges.push(...(await aboutIn(file, box.from, box.to)));
    if (box.type !== 'meta') continue;
    const boxes = await boxesIn(file, box.from + 4, box.to);
    const items = await metadataItems(
      file,
      boxes.find(({ type }) => type === 'iinf'),
    );
    ranges.push(...(await placesOf(file, box, boxes, items)));
  }
  return blanked(ranges, file.size);
}

/** ICC color profile of a HEIF's first image, from `meta/iprp/ipco/colr`; null if it has none. */
export async function profileOfHeif(file: FileParts): Promise<Buffer | null> {
  const meta = (await boxesIn(file, 0, file.size)).find(({ type }) => type === 'meta');
  const properties = meta && (await find(file, { ...meta, from: meta.from + 4 }, ['iprp', 'ipco']));
  for (const box of properties ? await boxesIn(file, properties.from, properties.to) : []) {
    const color = box.type === 'colr' ? await contentOf(file, box) : Buffer.alloc(0);
    if (/^(?:prof|rICC)$/.test(color.toString('latin1', 0, 4))) return color.subarray(4);
  }
  return null;
}
