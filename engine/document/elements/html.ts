import { z } from 'zod';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { html } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** An HTML fragment in the room. */
export const htmlElement = elementOf('html', {
  body: html(200_000).default('').describe('HTML with at most 20,000 tags. Scripts are removed.'),
  padding: z.number().min(0).max(1000).default(0).describe('Padding in pixels.'),
  navigation: navigationSchema,
});

export const htmlDescriptor: ElementDescriptor = {
  label: 'HTML',
  description: 'A block of HTML.',
  traits: { hit: 'page', navigation: true, reads: 'page_part' },
};
