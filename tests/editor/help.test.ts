import { expect, test } from 'vitest';
import { helpOf } from '../../src/editor/fields/field-schema.ts';

test.each([
  ['Muted', 'Whether it starts muted.'],
  ['Rounded corners', 'Whether the corners are round.'],
  ['Light type', 'Kind of light.'],
  ['Title size (px)', 'Font size of the title in pixels.'],
  ['Color', 'Color of the light.'],
])('help of “%s” that repeats its label is left out', (label, description) => {
  expect(helpOf(label, description)).toBe(undefined);
});

test.each([
  ['Width (units)', 'Width in units; empty follows the content.'],
  ['Decay', 'How fast it weakens with distance; 2 is physical.'],
  ['Autoplay', 'Whether it starts on entering.'],
])('help of “%s” that adds to its label is shown', (label, description) => {
  expect(helpOf(label, description)).toBe(description);
});
