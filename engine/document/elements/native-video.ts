import { z } from 'zod';
import { STEREO_LAYOUTS } from '../constants.ts';
import { PIXEL_BYTES, PLANE_TRIANGLES } from '../costs.ts';
import { alternativeFields, elementOf, fileUrl, playedFields, spokenFields } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { href, line, optional } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';
import { videoModuleSchema } from '../video-module.ts';

/** A video texture on a plane, on named meshes of a model, or around the visitor. */
export const nativeVideoElement = elementOf('native_video', {
  direct_url: href.default('').describe('URL of the video file or HLS playlist.'),
  src: href.default('').describe('Fallback URL if direct_url is empty.'),
  file_url: fileUrl,
  thumb: href.default('').describe('Preview image.'),
  disable_thumb: z.boolean().default(false).describe('Whether to hide the preview image.'),
  module_video: optional(videoModuleSchema).describe('Video from a platform.'),
  autoplay: z.boolean().default(false).describe('Whether playback starts when the visitor enters.'),
  muted: z.boolean().default(false).describe('Whether playback starts muted.'),
  controls: z.boolean().default(false).describe('Whether to show controls.'),
  loop: z.boolean().default(false).describe('Whether playback loops.'),
  pause_others: z.boolean().default(false).describe('Whether playback pauses other media.'),
  ...playedFields,
  fullscreen: z.boolean().default(false).describe('Whether selecting the video opens it as a full page.'),
  text_tracks: z
    .array(
      z.object({
        language: line(35).describe('BCP 47 language tag, such as en.'),
        link: href.describe('URL of the WebVTT file.'),
        type: z.enum(['subtitles', 'captions']).default('subtitles').describe('Track type.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Subtitle tracks, one per language.'),
  default_text_track: line(35).default('').describe('Language of the default subtitle track.'),
  audio_description: href
    .default('')
    .describe('URL of an audio description of the video, played in step with it on request.'),
  model_file_url: href.default('').describe('URL of the model that shows the video on its meshes.'),
  model_animate: z.boolean().default(false).describe("Whether the model's animations play."),
  model_mesh_selector: line(1000)
    .default('')
    .describe('Comma-separated mesh names. Put names with commas in double quotes.'),
  projection: z
    .enum(['flat', 'equirectangular'])
    .default('flat')
    .describe(
      'How the video is shown: `flat` on a plane or model, `equirectangular` as a 360° video around the visitor, instead of the room or panorama. It follows the rotation of the element.',
    ),
  stereo: z
    .enum(STEREO_LAYOUTS)
    .default('auto')
    .describe(
      'Layout of a 360° video: one image, or one per eye. `auto` derives it from the aspect ratio: 1:1 is `top_bottom`, 4:1 is `left_right`. Headsets show both images, other devices the left one.',
    ),
  ...alternativeFields,
  ...spokenFields,
  navigation: navigationSchema,
});

/** Assumed size of a video of unknown size: full HD. */
const FILM_PIXELS = 1920 * 1080;

export const nativeVideoDescriptor: ElementDescriptor<z.output<typeof nativeVideoElement>> = {
  label: 'Native video',
  description: 'A video on a plane, on the meshes of a model, or all around the visitor.',
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
  cost: ({ config, file }, sheet) => {
    const pixels = file?.width && file.height ? file.width * file.height : FILM_PIXELS;
    sheet.add({ texture_bytes: pixels * PIXEL_BYTES, draw_calls: 1, triangles: PLANE_TRIANGLES });
    if (config.model_file_url) sheet.unknown();
  },
};
