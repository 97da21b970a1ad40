import type { MediaType } from '../../contract/entities.ts';

/** What the kinds of media are called, and which file endings they have. */
export const MEDIA_KINDS: Record<MediaType, { label: string; endings: readonly string[] }> = {
  image: { label: 'Pictures', endings: ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'] },
  object: { label: '3D models', endings: ['.glb', '.gltf', '.zip'] },
  hdr: { label: 'Environments', endings: ['.hdr', '.exr'] },
  audio: { label: 'Sounds', endings: ['.mp3', '.m4a', '.ogg', '.wav', '.flac', '.aac'] },
  video: { label: 'Films', endings: ['.mp4', '.webm', '.mov', '.m4v'] },
  font: { label: 'Fonts', endings: ['.ttf', '.otf', '.woff', '.woff2', '.json'] },
  site: { label: 'Zipped pages', endings: ['.zip'] },
  text_track: { label: 'Subtitles', endings: ['.vtt', '.srt'] },
  motion: { label: 'Motion capture', endings: ['.bvh'] },
};

/** A file's address in the width of a thumbnail. */
export const thumbnailOf = (url: string, width: 200 | 400): string =>
  `${url}${url.includes('?') ? '&' : '?'}width=${width}`;
