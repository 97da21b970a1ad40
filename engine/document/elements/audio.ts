import { z } from 'zod';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';

/** Positional audio. */
export const audioElement = elementOf('audio', {
  file_url: fileUrl,
  muted: z.boolean().default(false).describe('Whether it starts muted.'),
  autoplay: z.boolean().default(false).describe('Whether it starts on entering.'),
  loop: z.boolean().default(false).describe('Whether it repeats when finished.'),
  pause_others: z.boolean().default(false).describe('Whether other media pause while it plays.'),
  ...alternativeFields,
});

export const audioDescriptor: ElementDescriptor = {
  label: 'Audio',
  description: 'Audio that comes from its place in the room.',
  traits: { hit: 'through', plays: 'sound', load: 'sound', sources: ['file_url', 'file'] },
  files: ['audio'],
  madeOf: 'audio',
  sign: 'sound',
  source: { settings: ['file_url'], advice: CHOOSE_FILE },
};
