import { z } from 'zod';
import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';

/** Sound at a place in the room. */
export const audioElement = elementOf('audio', {
  file_url: fileUrl,
  muted: z.boolean().default(false).describe('Whether it starts muted.'),
  autoplay: z.boolean().default(false).describe('Whether it starts on entering.'),
  loop: z.boolean().default(false).describe('Whether it starts over at its end.'),
  pause_others: z.boolean().default(false).describe('Whether other media pause while it plays.'),
});

export const audioCapabilities: Capabilities = {
  label: 'Audio',
  dom: false,
  media: true,
  navigation: false,
  container: false,
  files: ['audio'],
};
