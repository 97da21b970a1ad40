import { z } from 'zod';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { id, optional } from '../fields.ts';

/** Elements that move together; can be filled by a feed or shown as a slider. */
export const groupElement = elementOf('group', {
  feed_enabled: z.boolean().default(false).describe('Whether a feed fills the group.'),
  feed_id: optional(id).describe('Feed that fills it.'),
  feed_layout: z.enum(['zigzag', 'fixed', 'cloud']).default('zigzag').describe('How feed items are placed.'),
  slider_enabled: z.boolean().default(false).describe('Whether its children open as a slider.'),
});

export const groupDescriptor: ElementDescriptor<z.output<typeof groupElement>> = {
  label: 'Group',
  description: 'Elements that move together, a slider, or a feed.',
  traits: { hit: 'through', reads: 'children' },
  container: true,
  // A group's position is that of its children; only a feed needs its own.
  isPlaceless: ({ config }) => !config.feed_enabled,
};
