import type { z } from 'zod';
import { elementOf, fileUrl } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { hexColor, text as textOf } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** Extruded 3D text. */
export const textElement = elementOf('text', {
  text: textOf(2000).default('').describe('Text to extrude.'),
  file_url: fileUrl.describe("URL of the font. Empty for the template's font, or the built-in one."),
  color: hexColor.default('#14171C').describe('Text color.'),
  navigation: navigationSchema,
});

/** Triangles per extruded letter: two faces and a rim of about 40 points. */
const LETTER_TRIANGLES = 160;

export const textDescriptor: ElementDescriptor<z.output<typeof textElement>> = {
  label: '3D text',
  description: 'Extruded 3D text.',
  traits: { hit: 'body', navigation: true, sources: ['file_url', 'file'], reads: 'words', namedBy: 'text' },
  files: ['font'],
  madeOf: 'font',
  dropped: { flat: true },
  cost: ({ config }, sheet) => {
    sheet.add({ triangles: config.text.replace(/\s/g, '').length * LETTER_TRIANGLES, draw_calls: 1 });
    sheet.download();
  },
};
