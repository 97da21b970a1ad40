import { z } from 'zod';
import { href, line } from './fields.ts';

/** A video as returned by a video platform. */
export const videoModuleSchema = z.object({
  id: line(200).describe('Id on the platform.'),
  type: line(32).describe('Platform.'),
  name: line().default('').describe('Title.'),
  thumb: href.default('').describe('Small image.'),
  thumb_large: href.default('').describe('Large image.'),
  playable: z.boolean().default(false).describe('False while the platform processes it.'),
  source_files: z
    .array(z.object({ link: href.describe('Address of the file.'), name: line().describe('Name of this quality.') }))
    .max(50)
    .default([])
    .describe('Files to play.'),
  text_tracks: z
    .array(
      z.object({ language: line(35).describe('Language tag such as en.'), name: line().describe('Name in the menu.') }),
    )
    .max(50)
    .default([])
    .describe('Subtitles.'),
  default_text_track: line(200).default('').describe('Subtitles that are shown at first.'),
});
