import { z } from 'zod';
import { type Capabilities, elementOf } from '../element-base.ts';
import { id, optional } from '../fields.ts';

/** Elements that move together; may be filled by a feed or shown as a slider. */
export const groupElement = elementOf('group', {
  feed_enabled: z.boolean().default(false).describe('Whether a feed fills the group.'),
  feed_id: optional(id).describe('Feed that fills it.'),
  feed_layout: z.enum(['zigzag', 'fixed', 'cloud']).default('zigzag').describe('How feed items are placed.'),
  slider_enabled: z.boolean().default(false).describe('Whether its children open as a slider.'),
});

export const groupCapabilities: Capabilities = {
  label: 'Group',
  dom: false,
  media: false,
  navigation: false,
  container: true,
  files: [],
};
