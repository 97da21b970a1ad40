import { z } from 'zod';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { line, optional } from '../fields.ts';
import { videoModuleSchema } from '../video-module.ts';

/** A video in its platform's player. */
export const videoElement = elementOf('video', {
  type: z.enum(['youtube', 'vimeo', 'local']).default('youtube').describe('Platform.'),
  id: line(200).default('').describe('Id of the video on its platform.'),
  file_url: fileUrl,
  module_video: optional(videoModuleSchema).describe('Video chosen from a platform.'),
  mime: line(100).default('').describe('Type of a local file, such as video/mp4.'),
  controls: z.boolean().default(true).describe('Whether controls are shown.'),
  fullscreen: z.boolean().default(false).describe('Whether it opens over the whole page.'),
  autoplay: z.boolean().default(false).describe('Whether it starts on entering.'),
  muted: z.boolean().default(false).describe('Whether it starts muted.'),
  loop: z.boolean().default(false).describe('Whether it repeats when finished.'),
  pause_others: z.boolean().default(false).describe('Whether other media pause while it plays.'),
  text_tracks: z
    .array(
      z.object({
        id: line(200).describe('Id on the platform.'),
        name: line().describe('Name in the menu.'),
        language: line(35).describe('Language tag such as en.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Subtitles that the platform offers.'),
  default_text_track: line(200).default('').describe('Subtitles that are shown at first.'),
  ...alternativeFields,
});

export const videoDescriptor: ElementDescriptor = {
  label: 'Video',
  description: 'A video in the player of Youtube or Vimeo, or an uploaded one.',
  traits: { hit: 'page', plays: 'film', load: 'panel', press: 'open', sources: ['file_url', 'file', 'module_video'] },
  files: ['video'],
  source: { settings: ['id', 'file_url', 'module_video'], advice: CHOOSE_FILE },
};
