import { expect, test } from 'vitest';
import { fitWords } from '../../../engine/scene/entities/transient-elements.ts';

test('words of a card are as large as they fit', () => {
  expect(fitWords('Twice.', 'Ines', 168, 168)).toEqual({ size: 24, text: 'Twice.' });
  const longer = fitWords('Bring a blanket. The sound of the lake alone is worth the walk.', 'Mei, 23 Nov', 168, 168);
  expect(longer.size).toBeLessThan(24);
  expect(longer.text).toContain('worth the walk.');
});

test('what fits in no size is cut, and ends with an ellipsis', () => {
  const { size, text } = fitWords('word '.repeat(200), 'Anna', 168, 168);
  expect(size).toBe(14);
  expect(text.endsWith('word…')).toBe(true);
  expect(text.length).toBeLessThan(200);
  expect(fitWords('Hello', '', 1, 1)).toEqual({ size: 14, text: '…' });
});
