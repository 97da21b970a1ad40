import { fileTypeFromBuffer } from 'file-type';
import type { MediaType } from '../../../../contract/entities.ts';
import { isExr } from './exr-values.ts';
import { KIND_NAMES } from './kind-names.ts';
import { isUtf16Srt } from './subtitles.ts';

const PICTURES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/apng',
  'image/heic',
  'image/heic-sequence',
  'image/heif',
  'image/heif-sequence',
]);

const FONTS = new Set(['font/ttf', 'font/otf', 'font/woff', 'font/woff2']);

/** A file's type, detected from its first bytes. */
interface FileKind {
  format: 'radiance' | 'exr' | 'glb' | 'ply' | 'spz' | 'picture' | 'font' | 'audio or video' | 'zip' | 'text';
  /** Media type of an image, font, audio or video. */
  mime: string;
  /** Possible types in the library. */
  types: readonly MediaType[];
  name: string;
}

const TEXT: readonly MediaType[] = ['object', 'font', 'text_track', 'motion'];

/** Whether an ISO base media file has an AVIF brand, and not HEIC: https://aomediacodec.github.io/av1-avif/#brands */
function isAvif(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)));
  return /^(?:....)*(?:avif|avis|avio)/s.test(brands) && !/^(?:....)*(?:hei[cxms]|hev[cxms])/s.test(brands);
}

/** Detects a file's type from its first bytes. */
export async function kindOf(bytes: Uint8Array): Promise<FileKind> {
  const head = Buffer.from(bytes);
  const one = (format: FileKind['format'], type: MediaType, mime = ''): FileKind => ({
    format,
    mime,
    types: [type],
    name: KIND_NAMES[type],
  });
  if (head.subarray(0, 2).toString('latin1') === '#?') return one('radiance', 'hdr');
  if (isExr(head)) return one('exr', 'hdr');
  if (head.subarray(0, 4).toString('latin1') === 'glTF') return one('glb', 'object');
  if (/^ply\r?\n/.test(head.toString('latin1', 0, 5))) return one('ply', 'object');
  // SPZ is gzipped up to version 3.
  if (head.toString('hex', 0, 2) === '1f8b' || head.toString('latin1', 0, 4) === 'NGSP') return one('spz', 'object');
  if (isUtf16Srt(head)) return { format: 'text', mime: '', types: ['text_track'], name: KIND_NAMES.text_track };
  // Apple's signature for TrueType, and newer AVIF brands.
  if (head.toString('latin1', 0, 4) === 'true') return one('font', 'font', 'font/ttf');
  if (isAvif(head)) return one('picture', 'image', 'image/avif');
  const mime: string = (await fileTypeFromBuffer(head))?.mime ?? '';
  if (PICTURES.has(mime)) return one('picture', 'image', mime);
  if (FONTS.has(mime)) return one('font', 'font', mime);
  if (mime.startsWith('audio/')) return one('audio or video', 'audio', mime);
  // Telling them apart takes the whole file.
  if (mime.startsWith('video/'))
    return { format: 'audio or video', mime, types: ['audio', 'video'], name: 'a video or audio file' };
  if (mime === 'application/zip') return { format: 'zip', mime, types: ['object', 'site'], name: 'an archive' };
  return { format: 'text', mime, types: TEXT, name: 'a text file' };
}
