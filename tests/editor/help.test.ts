import { expect, test } from 'vitest';
import { helpOf } from '../../src/editor/fields/field-schema.ts';

test.each([
  ['Muted', 'Whether playback starts muted.'],
  ['Rounded corners', 'Whether the corners are rounded.'],
  ['Light type', 'Light type.'],
  ['Title size (px)', 'Font size of the title in pixels.'],
  ['Color', 'Light color.'],
])('help of “%s” that repeats its label is left out', (label, description) => {
  expect(helpOf(label, description)).toBe(undefined);
});

test.each([
  ['Width (units)', 'Width in units; empty to fit the content.'],
  ['Decay', 'Decay exponent over distance; 2 is physically correct.'],
  ['Autoplay', 'Whether playback starts when the visitor enters.'],
])('help of “%s” that adds to its label is shown', (label, description) => {
  expect(helpOf(label, description)).toBe(description);
});
