import type { MediaType } from '../../../contract/entities.ts';

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
