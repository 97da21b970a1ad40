import { z } from 'zod';
import { BUTTON_FONT, HOTSPOT_ICONS } from '../constants.ts';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { line } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

export const buttonElement = elementOf('button', {
  title: line().default('').describe('Button text.'),
  sub_title: line().default('').describe('Caption below the title, in smaller type.'),
  font_size: z.number().min(1).max(1000).default(BUTTON_FONT.title).describe('Font size of the title in pixels.'),
  sub_title_font_size: z
    .number()
    .min(1)
    .max(1000)
    .default(BUTTON_FONT.sub_title)
    .describe('Font size of the caption in pixels.'),
  appearance: z
    .enum(['panel', 'hotspot'])
    .default('panel')
    .describe(
      "A `panel` in the room, or a `hotspot`: a mark of constant size on the screen. A hotspot replaces the marker of the template's `hotspot_style`.",
    ),
  hotspot_shape: z
    .enum(['mark', 'arrow', 'ring'])
    .default('mark')
    .describe('Hotspot shape: a `mark` that faces the visitor, or an `arrow` or `ring` that lies on the floor.'),
  hotspot_icon: z.enum(HOTSPOT_ICONS).default('walk').describe('Icon of the hotspot.'),
  rounded_corners: z.boolean().default(false).describe('Whether the corners are rounded.'),
  navigation: navigationSchema,
});

export const buttonDescriptor: ElementDescriptor = {
  label: 'Button',
  description: 'A button with a link.',
  traits: { hit: 'page', press: 'own', navigation: true, reads: 'link', namedBy: 'title' },
};
