import { describe, expect, test } from 'vitest';
import { DAY } from '../../engine/document/constants.ts';
import {
  maxZoom,
  momentText,
  parseMoment,
  rowsOf,
  type TimelineMark,
  ticksOf,
} from '../../src/viewer/preview/timeline-scale.ts';

const bar = (elementId: number, from: number, till: number): TimelineMark => ({
  kind: 'window',
  elementId,
  name: `${elementId}`,
  from,
  till,
});

describe('ticks of the timeline', () => {
  test('a day that shows as a whole has quarter hours and hours, with as many times as there is room for', () => {
    const wide = ticksOf(DAY, 0, DAY, 1000 / DAY, true);
    expect(wide).toHaveLength(97);
    expect(wide.filter(({ isLarge }) => isLarge)).toHaveLength(25);
    expect(wide.filter(({ text }) => text).map(({ text }) => text)).toEqual([
      ...['00:00', '02:00', '04:00', '06:00', '08:00', '10:00', '12:00', '14:00', '16:00', '18:00', '20:00', '22:00'],
      '24:00',
    ]);
    const narrow = ticksOf(DAY, 0, DAY, 300 / DAY, true);
    expect(narrow).toHaveLength(97);
    expect(narrow.filter(({ text }) => text).map(({ text }) => text)).toEqual([
      '00:00',
      '06:00',
      '12:00',
      '18:00',
      '24:00',
    ]);
  });

  test('a part of it has finer ones, down to half a second, and none outside of what shows', () => {
    const minutes = ticksOf(DAY, 36_000, 37_000, 1, false);
    expect(minutes.map(({ at }) => at)).toEqual(Array.from({ length: 101 }, (_, index) => 36_000 + index * 10));
    expect(minutes.filter(({ text }) => text)[1]!.text).toBe('10:02');
    const seconds = ticksOf(DAY, 36_000, 36_002, 80, false);
    expect(seconds.map(({ at, text }) => [at, text])).toEqual([
      [36_000, '10:00:00'],
      [36_000.5, ''],
      [36_001, '10:00:01'],
      [36_001.5, ''],
      [36_002, '10:00:02'],
    ]);
    expect(ticksOf(90, 0, 90, 10, true).filter(({ text }) => text)).toMatchObject([
      { text: '00:00' },
      { text: '01:00' },
    ]);
  });

  test('weeks do not become thousands of marks, and no timeline becomes wider than browsers can count', () => {
    expect(ticksOf(DAY * 14, 0, DAY * 14, 1000 / (DAY * 14), true).length).toBeLessThanOrEqual(201);
    expect(maxZoom(DAY * 14, 1000) * 1000).toBeLessThanOrEqual(8_000_000);
    expect(maxZoom(5, 1000)).toBe(1);
  });
});

describe('rows of the timeline', () => {
  test('bars do not lie over each other or their names, and take few rows', () => {
    const rows = rowsOf([bar(1, 0, 50), bar(2, 40, 90), bar(3, 52, 100), bar(4, 95, 96)], 100);
    expect(rows.map((row) => row.map(({ elementId }) => elementId))).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(rows[1]![1]!.room).toBe(5);
  });

  test('2,000 elements at once are laid out at once', () => {
    const marks = Array.from({ length: 2000 }, (_, index) => bar(index, index, index + 5000));
    const began = performance.now();
    const rows = rowsOf(marks, DAY);
    expect(rows.flat()).toHaveLength(2000);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

test('moments are typed with and without hours', () => {
  // Before the start there is something only where visitors wait for it.
  expect([parseMoment('-0:05:00', 600, true), parseMoment('−90', 600, true)]).toEqual([-300, -90]);
  expect([parseMoment('-0:05:00', 600), parseMoment('--5', 600, true)]).toEqual([null, null]);
  expect(momentText(-299.5)).toBe('−00:05:00');
  expect(parseMoment('90', 120)).toBe(90);
  expect(parseMoment(' 1:30 ', 120)).toBe(90);
  expect(parseMoment('6:30', DAY)).toBe(23_400);
  expect(parseMoment('06:30:05', DAY)).toBe(23_405);
  for (const text of ['', 'soon', '1:60', '-1', '1:2:3:4', '1.5']) expect(parseMoment(text, DAY), text).toBeNull();
});
