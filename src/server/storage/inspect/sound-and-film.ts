import { parseFile } from 'music-metadata';
import { damaged, type Inspection, unusable } from './inspection.ts';

/** Media types that browsers play, with the ending under which they are kept. */
const AUDIO: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
};
const VIDEO: Record<string, string> = { 'video/mp4': 'mp4', 'video/webm': 'webm', 'video/x-m4v': 'mp4' };

/**
 * Reads length and kind of a sound or film. An MP4 or WebM without a picture is sound, whatever its name says.
 * @param file with its media type as its first bytes tell it
 */
export async function inspectSoundOrFilm({ path, mime }: { path: string; mime: string }): Promise<Inspection> {
  const plain = mime.split(';')[0]!;
  if (!(plain in AUDIO || plain in VIDEO))
    throw unusable('Audio can be MP3, AAC, Ogg, WAV or FLAC; videos MP4 or WebM.');
  const read = await parseFile(path, { duration: true, skipCovers: true }).catch(() => null);
  if (!read) throw damaged('The audio or video is damaged or incomplete.');
  const { trackInfo, codec, hasVideo } = read.format;
  // The length of an MP4 is that of its sound; a silent film has only that of its pictures.
  const duration = read.format.duration ?? trackInfo?.find(({ duration: length }) => length)?.duration;
  const hasPicture = hasVideo === true || trackInfo?.some(({ video }) => video) === true;
  if (!duration || !Number.isFinite(duration))
    throw damaged('The audio or video has no length: it is damaged or incomplete.');
  const details = codec ? { codec } : {};
  const extension = VIDEO[plain];
  if (extension && hasPicture)
    return { type: 'video', mime: plain === 'video/webm' ? plain : 'video/mp4', extension, duration, details };
  if (extension) {
    const isWebm = plain === 'video/webm';
    return {
      type: 'audio',
      mime: isWebm ? 'audio/webm' : 'audio/mp4',
      extension: isWebm ? 'webm' : 'm4a',
      duration,
      details,
    };
  }
  return { type: 'audio', mime: plain, extension: AUDIO[plain]!, duration, details };
}
