import { z } from 'zod';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { html } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** Formatted text from the rich text editor. */
export const richTextElement = elementOf('rich_text', {
  body: html(200_000).default('').describe('HTML from the rich text editor, with at most 20,000 tags.'),
  padding: z.number().min(0).max(1000).default(0).describe('Padding in pixels.'),
  navigation: navigationSchema,
});

export const richTextDescriptor: ElementDescriptor = {
  label: 'Rich text',
  description: 'Formatted text: headings, lists, links.',
  traits: { hit: 'page', navigation: true, reads: 'page_part' },
};
