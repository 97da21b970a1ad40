import type { MediaType } from '../../contract/entities.ts';

/** What the kinds of media are called, and which file endings they have. */
export const MEDIA_KINDS: Record<MediaType, { label: string; endings: readonly string[] }> = {
  image: { label: 'Images', endings: ['.jpg', '.jpeg', '.png', '.webp', '.avif', '.gif'] },
  object: { label: '3D models', endings: ['.glb', '.gltf', '.zip'] },
  hdr: { label: 'Environments', endings: ['.hdr', '.exr'] },
  audio: { label: 'Audio', endings: ['.mp3', '.m4a', '.ogg', '.wav', '.flac', '.aac'] },
  video: { label: 'Videos', endings: ['.mp4', '.webm', '.mov', '.m4v'] },
  font: { label: 'Fonts', endings: ['.ttf', '.otf', '.woff', '.woff2', '.json'] },
  site: { label: 'Zipped pages', endings: ['.zip'] },
  text_track: { label: 'Subtitles', endings: ['.vtt', '.srt'] },
  motion: { label: 'Motion capture', endings: ['.bvh'] },
};

/** Widths of thumbnails in the back-office and in the editor, in pixels. */
const WIDTHS = [200, 400] as const;

/**
 * Addresses of a picture's thumbnails: the browser takes the one that its screen needs.
 * @param width at which it is shown, in CSS pixels
 */
export function thumbnailOf(url: string, width: number) {
  const at = (pixels: number) => `${url}${url.includes('?') ? '&' : '?'}width=${pixels}`;
  const srcSet = WIDTHS.map((pixels) => `${at(pixels)} ${pixels}w`).join(', ');
  return { src: at(WIDTHS[0]), srcSet, sizes: `${width}px` };
}
