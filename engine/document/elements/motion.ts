import { z } from 'zod';
import { elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { href } from '../fields.ts';

/** A figure animated by motion capture (BVH), from a file or a stream of files. */
export const motionElement = elementOf('motion', {
  src: href.default('').describe('URL of the BVH file or stream.'),
  file_url: fileUrl,
  stream: z.boolean().default(false).describe('Whether the URL returns one clip after another.'),
  animate: z.boolean().default(true).describe('Whether the animation plays.'),
});

export const motionDescriptor: ElementDescriptor<z.output<typeof motionElement>> = {
  label: 'Motion capture',
  description: 'A figure animated by motion capture.',
  traits: { hit: 'body', sources: ['src', 'file_url', 'file'], isSolid: true },
  files: ['motion', 'object'],
  madeOf: 'motion',
  source: { settings: ['src', 'file_url'], advice: CHOOSE_FILE },
  cost: (_, sheet) => {
    sheet.add({ draw_calls: 1 });
    sheet.download();
  },
};
