import { z } from 'zod';
import { type Capabilities, elementOf } from '../element-base.ts';
import { text } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** A piece of page in the room. */
export const htmlElement = elementOf('html', {
  body: text(200_000).default('').describe('HTML; scripts are removed.'),
  padding: z.number().min(0).max(1000).default(0).describe('Space around the content in pixels.'),
  navigation: navigationSchema,
});

export const htmlCapabilities: Capabilities = {
  label: 'HTML',
  dom: true,
  media: false,
  navigation: true,
  container: false,
  files: [],
};
