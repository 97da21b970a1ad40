import { z } from 'zod';
import { MAX_BLOCK_ELEMENTS } from '../constants.ts';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { id, optional } from '../fields.ts';

/** Elements that move together; can be filled by a feed or shown as a slider. */
export const groupElement = elementOf('group', {
  feed_enabled: z.boolean().default(false).describe('Whether the group shows the items of a feed.'),
  feed_id: optional(id).describe('Feed to show.'),
  feed_layout: z.enum(['zigzag', 'fixed', 'cloud']).default('zigzag').describe('Layout of the feed items.'),
  slider_enabled: z.boolean().default(false).describe('Whether the children open as a slider.'),
  block_id: optional(id).describe('Block that the group is a place of.'),
  block_version: optional(id).describe('Version of the block that the group contains.'),
  block_elements: optional(z.array(id).max(MAX_BLOCK_ELEMENTS)).describe(
    "IDs of the group's elements, in the order of that version's elements.",
  ),
});

export const groupDescriptor: ElementDescriptor<z.output<typeof groupElement>> = {
  label: 'Group',
  description: 'Elements that move together, a slider, or a feed.',
  traits: { hit: 'through', reads: 'children' },
  container: true,
  // A group's position is that of its children; only a feed needs its own.
  isPlaceless: ({ config }) => !config.feed_enabled,
};
