import { describe, expect, it } from 'vitest';
import { instantOf, isTimeZone } from '../../../src/server/base/zoned-time.ts';

const utc = (local: string, zone: string) => new Date(instantOf(local, zone)).toISOString();

describe('a local time in a zone', () => {
  it.each([
    ['2026-01-15T12:00', 'Europe/Amsterdam', '2026-01-15T11:00:00.000Z'],
    ['2026-07-15T12:00:30', 'Europe/Amsterdam', '2026-07-15T10:00:30.000Z'],
    ['2026-07-15T12:00', 'Asia/Kathmandu', '2026-07-15T06:15:00.000Z'],
    ['2026-07-15T00:30', 'Pacific/Kiritimati', '2026-07-14T10:30:00.000Z'],
    ['2026-07-15T23:30', 'Pacific/Pago_Pago', '2026-07-16T10:30:00.000Z'],
    ['2026-07-15T12:00', 'UTC', '2026-07-15T12:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => expect(utc(local, zone)).toBe(instant));

  it.each([
    ['2026-03-29T01:59', 'Europe/Amsterdam', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T02:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T02:30', 'Europe/Amsterdam', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    // Clocks there skip half an hour only.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    // A whole day was skipped there.
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('skipped or beside it, %s in %s is as much later as clocks skip: %s', (local, zone, instant) =>
    expect(utc(local, zone)).toBe(instant),
  );

  it.each([
    ['2026-10-25T01:59', 'Europe/Amsterdam', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Amsterdam', '2026-10-25T02:00:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ])('twice or beside it, %s in %s is the first of both: %s', (local, zone, instant) =>
    expect(utc(local, zone)).toBe(instant),
  );

  it('names of zones are known from what is none', () => {
    expect(['Europe/Amsterdam', 'UTC', 'Asia/Kolkata', 'Etc/GMT+5'].map(isTimeZone)).toEqual([true, true, true, true]);
    expect(['', '+01:00', 'Europe/Nowhere', 'Amsterdam', '\u0000', '../etc'].map(isTimeZone)).toEqual(
      Array(6).fill(false),
    );
  });
});
