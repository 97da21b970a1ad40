import { z } from 'zod';
import { PIXEL_BYTES, PLANE_TRIANGLES } from '../costs.ts';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { href, line, optional } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';
import { videoModuleSchema } from '../video-module.ts';

/** A video texture on a plane or on named meshes of a model. */
export const nativeVideoElement = elementOf('native_video', {
  direct_url: href.default('').describe('Address of the video file or HLS playlist.'),
  src: href.default('').describe('Address used when direct_url is empty.'),
  file_url: fileUrl,
  thumb: href.default('').describe('Image shown before it plays.'),
  disable_thumb: z.boolean().default(false).describe('Whether no image is shown before it plays.'),
  module_video: optional(videoModuleSchema).describe('Video chosen from a platform.'),
  autoplay: z.boolean().default(false).describe('Whether it starts on entering.'),
  muted: z.boolean().default(false).describe('Whether it starts muted.'),
  controls: z.boolean().default(false).describe('Whether controls are shown.'),
  loop: z.boolean().default(false).describe('Whether it repeats when finished.'),
  pause_others: z.boolean().default(false).describe('Whether other media pause while it plays.'),
  fullscreen: z.boolean().default(false).describe('Whether selecting it opens it over the whole page.'),
  text_tracks: z
    .array(
      z.object({
        language: line(35).describe('Language tag such as en.'),
        link: href.describe('Address of the WebVTT file.'),
        type: z.enum(['subtitles', 'captions']).default('subtitles').describe('What the track holds.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Subtitles by language.'),
  default_text_track: line(35).default('').describe('Language of the subtitles that are shown at first.'),
  model_file_url: href.default('').describe('Model on whose meshes the video is drawn.'),
  model_animate: z.boolean().default(false).describe("Whether that model's animations play."),
  model_mesh_selector: line(1000)
    .default('')
    .describe('Names of those meshes, separated by commas; names that contain commas can stand in double quotes.'),
  ...alternativeFields,
  navigation: navigationSchema,
});

/** Assumed size of a video of unknown size: full HD. */
const FILM_PIXELS = 1920 * 1080;

export const nativeVideoDescriptor: ElementDescriptor<z.output<typeof nativeVideoElement>> = {
  label: 'Native video',
  description: 'A video on a plane or on the meshes of a model.',
  traits: {
    hit: 'body',
    plays: 'film',
    load: 'panel',
    press: 'play',
    navigation: true,
    sources: ['direct_url', 'src', 'file_url', 'file', 'module_video'],
    clip: 'model_animate',
  },
  files: ['video'],
  madeOf: 'video',
  dropped: { flat: true },
  source: { settings: ['direct_url', 'src', 'file_url', 'module_video'], advice: CHOOSE_FILE },
  // The video is streamed, so it doesn't count as a download.
  cost: ({ config }, sheet) => {
    sheet.add({ texture_bytes: FILM_PIXELS * PIXEL_BYTES, draw_calls: 1, triangles: PLANE_TRIANGLES });
    if (config.model_file_url) sheet.unknown();
  },
};
