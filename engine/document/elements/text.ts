import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';
import { hexColor, text as textOf } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** Letters as solid bodies. */
export const textElement = elementOf('text', {
  text: textOf(2000).default('').describe('The words.'),
  file_url: fileUrl.describe("Address of the font; empty takes the template's or the built-in one."),
  color: hexColor.default('#14171C').describe('Colour of the letters.'),
  navigation: navigationSchema,
});

export const textCapabilities: Capabilities = {
  label: '3D text',
  dom: false,
  media: false,
  navigation: true,
  container: false,
  files: ['font'],
};
