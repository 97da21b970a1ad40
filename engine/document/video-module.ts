import { z } from 'zod';
import { href, line } from './fields.ts';

/** A video as returned by a video platform. */
export const videoModuleSchema = z.object({
  id: line(200).describe('Video ID on the platform.'),
  type: line(32).describe('Platform name.'),
  name: line().default('').describe('Video title.'),
  thumb: href.default('').describe('Thumbnail URL.'),
  thumb_large: href.default('').describe('Large thumbnail URL.'),
  playable: z
    .boolean()
    .default(false)
    .describe('Whether the video can be played; false while the platform processes it.'),
  source_files: z
    .array(z.object({ link: href.describe('File URL.'), name: line().describe('Quality name.') }))
    .max(50)
    .default([])
    .describe('Video files.'),
  text_tracks: z
    .array(
      z.object({
        language: line(35).describe('BCP 47 language tag, such as en.'),
        name: line().describe('Label in the menu.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Subtitle tracks.'),
  default_text_track: line(200).default('').describe('Default subtitle track.'),
});
