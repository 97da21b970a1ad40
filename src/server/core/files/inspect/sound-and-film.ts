import { parseFile } from 'music-metadata';
import { playabilityOf } from './codecs.ts';
import { damaged, type Inspection, unusable } from './inspection.ts';
import { playedOfMp4 } from './metadata/iso-metadata.ts';
import { FileParts, writePieces } from './metadata/pieces.ts';
import { playedOf } from './metadata/sound-metadata.ts';

/** Media types that browsers play, with the extension under which they are stored. */
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

/** Containers that may not declare their duration. */
const STREAMED = new Set(['video/webm', 'audio/flac', 'audio/x-flac']);

/** Reads duration and type. An MP4 or WebM without a video track is audio, whatever its name. */
async function inspectPlayed({ path, mime }: { path: string; mime: string }): Promise<Inspection> {
  const plain = mime.split(';')[0]!;
  const { refusal, warnings } = await playabilityOf({ path, mime: plain });
  if (refusal) throw unusable(refusal);
  if (!(plain in AUDIO || plain in VIDEO))
    throw unusable('Unsupported format. Use MP3, AAC, Ogg, WAV or FLAC for audio, and MP4 or WebM for videos.');
  const read = await parseFile(path, { duration: true, skipCovers: true }).catch(() => null);
  if (!read) throw damaged('The audio or video is damaged or incomplete.');
  const { trackInfo, codec, hasVideo } = read.format;
  // An MP4's duration is that of its audio; a silent video has only that of its video track.
  const duration = read.format.duration ?? trackInfo?.find(({ duration: length }) => length)?.duration;
  const hasPicture = hasVideo === true || trackInfo?.some(({ video }) => video) === true;
  const isMeasured = duration !== undefined && duration > 0 && Number.isFinite(duration);
  // Streaming recorders don't write the duration afterwards.
  if (!isMeasured && !(STREAMED.has(plain) && codec))
    throw damaged('The audio or video has no duration. It is damaged or incomplete.');
  if (!isMeasured) warnings.push('The file contains no duration.');
  const details = { ...(codec && { codec }), ...(warnings.length > 0 && { warnings }) };
  const length = isMeasured ? { duration } : {};
  const extension = VIDEO[plain];
  if (extension && hasPicture)
    return { type: 'video', mime: plain === 'video/webm' ? plain : 'video/mp4', extension, ...length, details };
  if (extension) {
    const isWebm = plain === 'video/webm';
    return {
      type: 'audio',
      mime: isWebm ? 'audio/webm' : 'audio/mp4',
      extension: isWebm ? 'webm' : 'm4a',
      ...length,
      details,
    };
  }
  return { type: 'audio', mime: plain, extension: AUDIO[plain]!, ...length, details };
}

/** Extensions of ISO base media files. */
const ISO = new Set(['mp4', 'm4a']);

/**
 * Reads duration and type of audio or video, and strips locations, tags and covers.
 * @param file with its media type as detected from its first bytes
 */
export async function inspectSoundOrFilm(file: { path: string; mime: string }): Promise<Inspection> {
  const found = await inspectPlayed(file);
  const { extension } = found;
  const pieces = await FileParts.use(file.path, (parts) =>
    ISO.has(extension) ? playedOfMp4(parts) : playedOf(extension, parts),
  );
  if (!pieces) return found;
  const path = `${file.path}.stripped`;
  await writePieces(file.path, path, pieces);
  return { ...found, instead: { path } };
}
