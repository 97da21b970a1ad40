import { isSplats } from '../../../engine/document/splats.ts';
import type { Media, MediaType } from '../../contract/entities.ts';

/** Labels and file extensions of media types. */
export const MEDIA_KINDS: Record<MediaType, { label: string; endings: readonly string[] }> = {
  image: { label: 'Images', endings: ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'] },
  object: { label: '3D models', endings: ['.glb', '.gltf', '.zip', '.ply', '.spz', '.sog'] },
  hdr: { label: 'Environments', endings: ['.hdr', '.exr'] },
  audio: { label: 'Audio', endings: ['.mp3', '.m4a', '.ogg', '.wav', '.flac', '.aac'] },
  video: { label: 'Videos', endings: ['.mp4', '.webm', '.mov', '.m4v'] },
  font: { label: 'Fonts', endings: ['.ttf', '.otf', '.woff', '.woff2', '.json'] },
  site: { label: 'Zipped pages', endings: ['.zip'] },
  text_track: { label: 'Subtitles', endings: ['.vtt', '.srt'] },
  motion: { label: 'Motion capture', endings: ['.bvh'] },
};

/** Whether the loudness of a file is measured. */
export const hasSound = ({ type }: Pick<Media, 'type'>): boolean => type === 'audio' || type === 'video';

/** Whether a file is audio or a video whose index may be moved to its start. */
export const mayStartFaster = ({ type, url }: Pick<Media, 'type' | 'url'>): boolean =>
  hasSound({ type }) && /\.(?:mp4|m4a)$/i.test(url);

/** Whether a file may get a lighter version. */
export const mayBeLighter = (file: Pick<Media, 'type' | 'url'>): boolean =>
  file.type === 'image' ||
  file.type === 'hdr' ||
  (file.type === 'object' && !isSplats(file.url)) ||
  mayStartFaster(file);

/** Thumbnail widths in the back-office and editor, in pixels. */
const WIDTHS = [200, 400] as const;

/**
 * src and srcset of an image's thumbnails.
 * @param width displayed width in CSS pixels
 */
export function thumbnailOf(url: string, width: number) {
  const at = (pixels: number) => `${url}${url.includes('?') ? '&' : '?'}width=${pixels}`;
  const srcSet = WIDTHS.map((pixels) => `${at(pixels)} ${pixels}w`).join(', ');
  return { src: at(WIDTHS[0]), srcSet, sizes: `${width}px` };
}
