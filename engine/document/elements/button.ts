import { z } from 'zod';
import { BUTTON_FONT } from '../constants.ts';
import { type Capabilities, elementOf } from '../element-base.ts';
import { line } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** A button that visitors press. */
export const buttonElement = elementOf('button', {
  title: line().default('').describe('Words on the button.'),
  sub_title: line().default('').describe('Smaller words under them.'),
  font_size: z.number().min(1).max(1000).default(BUTTON_FONT.title).describe('Font size in pixels.'),
  sub_title_font_size: z.number().min(1).max(1000).default(BUTTON_FONT.sub_title).describe('Font size in pixels.'),
  rounded_corners: z.boolean().default(false).describe('Whether the corners are round.'),
  navigation: navigationSchema,
});

export const buttonCapabilities: Capabilities = {
  label: 'Button',
  dom: true,
  media: false,
  navigation: true,
  container: false,
  files: [],
};
