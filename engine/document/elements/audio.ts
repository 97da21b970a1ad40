import { z } from 'zod';
import { alternativeFields, elementOf, fileUrl, playedFields, spokenFields } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';

/** Positional audio. */
export const audioElement = elementOf('audio', {
  file_url: fileUrl,
  muted: z.boolean().default(false).describe('Whether playback starts muted.'),
  autoplay: z.boolean().default(false).describe('Whether playback starts when the visitor enters.'),
  loop: z.boolean().default(false).describe('Whether playback loops.'),
  pause_others: z.boolean().default(false).describe('Whether playback pauses other media.'),
  ...playedFields,
  ...alternativeFields,
  ...spokenFields,
});

export const audioDescriptor: ElementDescriptor = {
  label: 'Audio',
  description: 'Spatial audio, played from its position in the room.',
  traits: { hit: 'through', plays: 'sound', load: 'sound', sources: ['file_url', 'file'] },
  files: ['audio'],
  madeOf: 'audio',
  sign: 'sound',
  source: { settings: ['file_url'], advice: CHOOSE_FILE },
};
