import type { MediaType } from '../../../../contract/entities.ts';

/** Media types in words. */
export const KIND_NAMES: Record<MediaType, string> = {
  image: 'an image',
  object: 'a 3D model',
  hdr: 'an HDR environment',
  audio: 'an audio file',
  video: 'a video',
  font: 'a font',
  site: 'a zipped site',
  text_track: 'subtitles',
  motion: 'motion capture',
};
