import { fileTypeFromBuffer } from 'file-type';
import type { MediaType } from '../../../contract/entities.ts';
import type { HeadCheck } from '../checked-head.ts';
import { isFont } from './font.ts';
import { unusable } from './inspection.ts';
import { isSoundOrFilm } from './sound-and-film.ts';

/** Bytes from which a kind of file is told. */
export const HEAD = 16 * 1024;

const PICTURES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/apng',
  'image/heic',
]);

/** The kinds of the library, in words. */
export const KIND_NAMES: Record<MediaType, string> = {
  image: 'a picture',
  object: 'a 3D model',
  hdr: 'an HDR environment',
  audio: 'a sound',
  video: 'a film',
  font: 'a font',
  site: 'a zipped page',
  text_track: 'subtitles',
  motion: 'motion capture',
};

/** What the first bytes of a file tell about it. */
interface FileKind {
  format: 'radiance' | 'exr' | 'glb' | 'picture' | 'font' | 'sound or film' | 'zip' | 'text';
  /** Media type by which a picture, font, sound or film is told. */
  mime: string;
  /** What it can be in the library. */
  types: readonly MediaType[];
  name: string;
}

const TEXT: readonly MediaType[] = ['object', 'font', 'text_track', 'motion'];

/** Tells a file by its first bytes. */
export async function kindOf(head: Buffer): Promise<FileKind> {
  const one = (format: FileKind['format'], type: MediaType, mime = ''): FileKind => ({
    format,
    mime,
    types: [type],
    name: KIND_NAMES[type],
  });
  if (head.subarray(0, 2).toString('latin1') === '#?') return one('radiance', 'hdr');
  if (head.length > 4 && head.readUInt32LE(0) === 20_000_630) return one('exr', 'hdr');
  if (head.subarray(0, 4).toString('latin1') === 'glTF') return one('glb', 'object');
  const mime: string = (await fileTypeFromBuffer(head))?.mime ?? '';
  if (PICTURES.has(mime)) return one('picture', 'image', mime);
  if (isFont(mime)) return one('font', 'font', mime);
  if (mime.startsWith('audio/')) return one('sound or film', 'audio', mime);
  // Which of the two it is, the whole file tells.
  if (isSoundOrFilm(mime)) return { format: 'sound or film', mime, types: ['audio', 'video'], name: 'a film or sound' };
  if (mime === 'application/zip') return { format: 'zip', mime, types: ['object', 'site'], name: 'an archive' };
  return { format: 'text', mime, types: TEXT, name: 'a text' };
}

/**
 * Refuses a file that can't be what is wanted by its first bytes, before any of it is written, unpacked or read. What looks
 * like a text is left to those who read it, who say what to do about it.
 */
export const headOf = (wanted: MediaType): HeadCheck => ({
  bytes: HEAD,
  look: async (head) => {
    const { format, types, name } = await kindOf(head);
    if (format !== 'text' && !types.includes(wanted))
      throw unusable(`This is ${name}; ${KIND_NAMES[wanted]} is needed here.`);
  },
});
