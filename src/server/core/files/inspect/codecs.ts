import { tracksOfMp4 } from './metadata/iso-metadata.ts';
import { FileParts } from './metadata/pieces.ts';

/** A codec's name, and which browsers support it. */
interface Codec {
  name: string;
  plays: 'everywhere' | 'somewhere' | 'nowhere';
}

const everywhere = (name: string): Codec => ({ name, plays: 'everywhere' });
const nowhere = (name: string): Codec => ({ name, plays: 'nowhere' });
const HEVC: Codec = { name: 'HEVC (H.265)', plays: 'somewhere' };

/** Codecs by sample entry type: https://mp4ra.org/registered-types/sampleentries */
const ENTRIES: Record<string, Codec> = {
  avc1: everywhere('H.264'),
  avc3: everywhere('H.264'),
  vp08: everywhere('VP8'),
  vp09: everywhere('VP9'),
  av01: everywhere('AV1'),
  hvc1: HEVC,
  hev1: HEVC,
  dvh1: HEVC,
  dvhe: HEVC,
  apch: nowhere('ProRes'),
  apcn: nowhere('ProRes'),
  apcs: nowhere('ProRes'),
  apco: nowhere('ProRes'),
  ap4h: nowhere('ProRes'),
  ap4x: nowhere('ProRes'),
  s263: nowhere('H.263'),
  h263: nowhere('H.263'),
  jpeg: nowhere('Motion JPEG'),
  mjpa: nowhere('Motion JPEG'),
  encv: nowhere('encrypted'),
  enca: nowhere('encrypted'),
  Opus: everywhere('Opus'),
  fLaC: everywhere('FLAC'),
  '.mp3': everywhere('MP3'),
  'ac-3': nowhere('AC-3'),
  'ec-3': nowhere('E-AC-3'),
  'ac-4': nowhere('AC-4'),
  alac: nowhere('Apple Lossless'),
  samr: nowhere('AMR'),
  sawb: nowhere('AMR'),
  ima4: nowhere('IMA ADPCM'),
  sowt: nowhere('PCM'),
  twos: nowhere('PCM'),
  lpcm: nowhere('PCM'),
  in24: nowhere('PCM'),
};

/** Codecs by object type in an entry's descriptor: https://mp4ra.org/registered-types/object-types */
const OBJECTS: Record<number, Codec> = {
  32: nowhere('MPEG-4 Part 2'),
  96: nowhere('MPEG-2'),
  97: nowhere('MPEG-2'),
  98: nowhere('MPEG-2'),
  99: nowhere('MPEG-2'),
  106: nowhere('MPEG-1'),
  108: nowhere('Motion JPEG'),
};
/** MPEG-4 audio object type of USAC, marketed as xHE-AAC. */
const USAC = 42;

/** Reads the object type and the MPEG-4 audio object type from `esds`. */
function describedIn(entry: Buffer): { object: number; audio: number } | undefined {
  let at = entry.indexOf('esds');
  if (at < 0) return undefined;
  at += 8;
  const descriptor = (): number => {
    const tag = entry[at++];
    for (let left = 4; left > 0 && entry[at++]! & 0x80; left--);
    return tag ?? 0;
  };
  if (descriptor() === 3) {
    const flags = entry[at + 2] ?? 0;
    at += 3 + (flags & 0x80 ? 2 : 0);
    if (flags & 0x40) at += 1 + (entry[at] ?? 0);
    at += flags & 0x20 ? 2 : 0;
  }
  if (descriptor() !== 4) return undefined;
  const object = entry[at] ?? 0;
  at += 13;
  if (descriptor() !== 5 || at + 2 > entry.length) return { object, audio: 0 };
  const bits = entry.readUInt16BE(at);
  const audio = bits >> 11;
  return { object, audio: audio === 31 ? 32 + ((bits >> 5) & 0x3f) : audio };
}

function codecOfEntry(format: string, entry: Buffer): Codec {
  if (format === 'mp4v' || format === 'mp4a') {
    const { object = 0, audio = 0 } = describedIn(entry) ?? {};
    if (audio === USAC) return nowhere('xHE-AAC');
    return OBJECTS[object] ?? everywhere(format === 'mp4v' ? 'MPEG-4' : 'AAC');
  }
  return ENTRIES[format] ?? nowhere(`“${format.replace(/[^ -~]/g, '?')}”`);
}

/** WAV format tags that all browsers play: PCM, floating point, A-law, µ-law. */
const WAVES = new Set([1, 3, 6, 7]);
const WAVE_NAMES: Record<number, string> = {
  2: 'Microsoft ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG audio',
  85: 'MP3 in a WAV',
  352: 'Windows Media Audio',
  353: 'Windows Media Audio',
};
const EXTENSIBLE = 0xfffe;

async function codecOfWav(file: FileParts): Promise<Codec | undefined> {
  for (let at = 12; at + 8 <= file.size; ) {
    const head = await file.read(at, 8);
    const size = head.readUInt32LE(4);
    if (head.toString('latin1', 0, 4) === 'fmt ') {
      const format = await file.read(at + 8, Math.min(size, 40));
      if (format.length < 2) return undefined;
      const tag = format.readUInt16LE(0);
      const real = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag;
      return WAVES.has(real) ? everywhere('PCM') : nowhere(WAVE_NAMES[real] ?? `WAV format 0x${real.toString(16)}`);
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Ogg codecs by the start of their first packet; others are left to the parser. */
async function codecOfOgg(file: FileParts): Promise<Codec | undefined> {
  const head = await file.read(0, 64);
  const packet = head.subarray(27 + (head[26] ?? 0));
  return packet.toString('latin1', 0, 8) === 'Speex   ' ? nowhere('Speex') : undefined;
}

/** Codecs of a file that browsers play partially or not at all. */
export interface Playability {
  /** A sentence that rejects the file. */
  refusal?: string;
  warnings: string[];
}

const sentence = (what: 'video' | 'audio', { name }: Codec) =>
  name === 'encrypted'
    ? `The ${what} is encrypted (DRM), so browsers can't play it. Use a file without copy protection.`
    : `The ${what} uses ${name}, which browsers can't play. Export it as ${what === 'video' ? 'H.264 in an MP4' : 'AAC, MP3 or WAV'}.`;

/**
 * Detects a file's codecs from its headers.
 * @param mime media type of the container
 */
export async function playabilityOf({ path, mime }: { path: string; mime: string }): Promise<Playability> {
  return FileParts.use(path, async (file) => {
    if (/^audio\/(?:wav|vnd\.wave)$/.test(mime) || mime === 'audio/ogg') {
      const codec = await (mime === 'audio/ogg' ? codecOfOgg(file) : codecOfWav(file));
      return codec?.plays === 'nowhere' ? { refusal: sentence('audio', codec), warnings: [] } : { warnings: [] };
    }
    if (!/^(?:video\/(?:mp4|x-m4v|quicktime)|audio\/(?:mp4|x-m4a))$/.test(mime)) return { warnings: [] };
    const tracks = (await tracksOfMp4(file)).map(({ kind, format, entry }) => ({
      kind,
      codec: codecOfEntry(format, entry),
    }));
    const films = tracks.filter(({ kind }) => kind === 'vide');
    const refused = films.find(({ codec }) => codec.plays === 'nowhere');
    if (refused) return { refusal: sentence('video', refused.codec), warnings: [] };
    const silent = tracks.find(({ kind, codec }) => kind === 'soun' && codec.plays === 'nowhere');
    if (silent && films.length === 0) return { refusal: sentence('audio', silent.codec), warnings: [] };
    return {
      warnings: [
        ...(films.some(({ codec }) => codec.plays === 'somewhere')
          ? [`The video uses ${HEVC.name}, which many browsers can't play. Export it as H.264.`]
          : []),
        ...(silent ? [`The video is silent: browsers can't play its audio, ${silent.codec.name}.`] : []),
      ],
    };
  });
}
