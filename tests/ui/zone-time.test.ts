import { expect, test } from 'vitest';
import { timeText } from '../../src/ui/zone-time.ts';

const AMSTERDAM = { zone: 'Europe/Amsterdam', offset: -60 };

test.each([
  ['in the same zone', '20:00', AMSTERDAM, -60, '20:00 Amsterdam time'],
  ['elsewhere', '20:00', AMSTERDAM, 300, '20:00 Amsterdam time (14:00 your time)'],
  ['elsewhere, on the next day', '20:00', AMSTERDAM, -540, '20:00 Amsterdam time (04:00 your time)'],
  [
    'from one time to another',
    ['20:00', '24:00'],
    AMSTERDAM,
    300,
    '20:00 to 24:00 Amsterdam time (14:00 to 18:00 your time)',
  ],
  ['with an offset that is not known yet', '20:00', { ...AMSTERDAM, offset: null }, 300, '20:00 Amsterdam time'],
  ['of a zone of two words', '09:15', { zone: 'America/New_York', offset: 240 }, 240, '09:15 New York time'],
  ['at a fixed offset', '20:00', { zone: null, offset: -330 }, -330, '20:00 UTC+5:30'],
  ['at a fixed offset, elsewhere', '20:00', { zone: null, offset: 120 }, 0, '20:00 UTC−2 (22:00 your time)'],
  ['at no offset', '20:00', { zone: null, offset: null }, -60, '20:00 UTC+0 (21:00 your time)'],
] as const)('a time %s', (_, time, clock, offset, said) => {
  expect(timeText(time, clock, { offset })).toBe(said);
});
