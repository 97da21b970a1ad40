import { z } from 'zod';
import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';
import { hexColor, line, text } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** A picture on a plane, with title, author, date and text. */
export const imageElement = elementOf('image', {
  file_url: fileUrl,
  title: line().default('').describe('Title beside the picture.'),
  title_alignment: z.enum(['left', 'right']).default('left').describe('Side on which the title stands.'),
  title_color: hexColor.default('#14171C').describe('Colour of the title.'),
  title_size: z.number().min(1).max(500).default(24).describe('Font size of the title in pixels.'),
  text: text(10_000)
    .default('')
    .describe('Text shown beside the image; its first 400 characters there, all of it in a slider.'),
  author: line().default('').describe('Who made it.'),
  date: line(60).default('').describe('When it was made.'),
  navigation: navigationSchema,
});

export const imageCapabilities: Capabilities = {
  label: 'Image',
  dom: false,
  media: false,
  navigation: true,
  container: false,
  files: ['image'],
};
