import { z } from 'zod';
import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';
import { href } from '../fields.ts';

/** A figure moved by motion capture (BVH), from a file or a stream of files. */
export const motionElement = elementOf('motion', {
  src: href.default('').describe('Address of the BVH file or of the stream.'),
  file_url: fileUrl,
  stream: z.boolean().default(false).describe('Whether the address gives one clip after another.'),
  animate: z.boolean().default(true).describe('Whether it moves.'),
});

export const motionCapabilities: Capabilities = {
  label: 'Motion capture',
  dom: false,
  media: false,
  navigation: false,
  container: false,
  files: ['motion', 'object'],
};
