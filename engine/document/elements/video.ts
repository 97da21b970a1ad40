import { z } from 'zod';
import { alternativeFields, elementOf, fileUrl, playedFields, spokenFields } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { line, optional } from '../fields.ts';
import { videoModuleSchema } from '../video-module.ts';

/** A video in its platform's player. */
export const videoElement = elementOf('video', {
  type: z.enum(['youtube', 'vimeo', 'local']).default('youtube').describe('Platform name.'),
  id: line(200).default('').describe('Video ID on the platform.'),
  file_url: fileUrl,
  module_video: optional(videoModuleSchema).describe('Video from a platform.'),
  mime: line(100).default('').describe('MIME type of an uploaded file, such as video/mp4.'),
  controls: z.boolean().default(true).describe('Whether to show controls.'),
  fullscreen: z.boolean().default(false).describe('Whether the video opens as a full page.'),
  autoplay: z.boolean().default(false).describe('Whether playback starts when the visitor enters.'),
  muted: z.boolean().default(false).describe('Whether playback starts muted.'),
  loop: z.boolean().default(false).describe('Whether playback loops.'),
  pause_others: z.boolean().default(false).describe('Whether playback pauses other media.'),
  ...playedFields,
  text_tracks: z
    .array(
      z.object({
        id: line(200).describe('Track ID on the platform.'),
        name: line().describe('Label in the menu.'),
        language: line(35).describe('BCP 47 language tag, such as en.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Subtitle tracks on the platform.'),
  default_text_track: line(200).default('').describe('Default subtitle track.'),
  ...alternativeFields,
  ...spokenFields,
});

export const videoDescriptor: ElementDescriptor = {
  label: 'Video',
  description: 'A video from YouTube or Vimeo, or an uploaded file.',
  traits: { hit: 'page', plays: 'film', load: 'panel', press: 'open', sources: ['file_url', 'file', 'module_video'] },
  files: ['video'],
  source: { settings: ['id', 'file_url', 'module_video'], advice: CHOOSE_FILE },
};
