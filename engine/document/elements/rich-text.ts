import { z } from 'zod';
import { type Capabilities, elementOf } from '../element-base.ts';
import { html } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** Formatted text written in the rich text editor. */
export const richTextElement = elementOf('rich_text', {
  body: html(200_000).default('').describe('HTML as the rich text editor makes it, of at most 20,000 tags.'),
  padding: z.number().min(0).max(1000).default(0).describe('Space around the text in pixels.'),
  navigation: navigationSchema,
});

export const richTextCapabilities: Capabilities = {
  label: 'Rich text',
  dom: true,
  media: false,
  navigation: true,
  container: false,
  files: [],
};
