import { expect, it } from 'vitest';
import { BUDGETS, classOf } from '../../../engine/stage/resources/device.ts';

it.each([
  ['a computer', { memory: 8, cores: 8, isTouched: false, textureSide: 16384 }, 'large'],
  ['a computer whose browser tells nothing', { isTouched: false }, 'large'],
  ['a computer with little memory', { memory: 4, cores: 4, isTouched: false }, 'medium'],
  ['a phone', { memory: 8, cores: 8, isTouched: true, textureSide: 8192 }, 'medium'],
  ['a phone whose browser tells no memory', { cores: 6, isTouched: true }, 'medium'],
  ['a phone with 2 GB', { memory: 2, cores: 8, isTouched: true }, 'small'],
  ['a phone with two cores', { cores: 2, isTouched: true }, 'small'],
  ['a phone with small textures', { cores: 4, isTouched: true, textureSide: 4096 }, 'small'],
  ['a computer with 2 GB', { memory: 2, cores: 2, isTouched: false }, 'small'],
  ['a computer with two cores', { memory: 8, cores: 2, isTouched: false }, 'large'],
] as const)('%s has its class', (_, device, expected) => {
  expect(classOf(device)).toBe(expected);
});

it('a weaker class never gets more than a stronger one', () => {
  const { large, medium, small } = BUDGETS;
  for (const key of Object.keys(large) as (keyof typeof large)[]) {
    expect(medium[key], key).toBeLessThanOrEqual(large[key]);
    expect(small[key], key).toBeLessThanOrEqual(medium[key]);
  }
});

it('only weaker devices scale down panoramas without tiles', () => {
  const { large, medium, small } = BUDGETS;
  expect(large.untiledWidth).toBe(Number.POSITIVE_INFINITY);
  for (const { untiledWidth, panoramaWidth } of [medium, small]) expect(untiledWidth).toBe(panoramaWidth);
});
