import { describe, expect, it } from 'vitest';
import { hasOffset, instantOf, isTimeZone, nextInstant, utcOffsetAt } from '../../../engine/document/time-zone.ts';
import { isOpenAt, spansOf } from '../../../engine/document/window.ts';

const seconds = (text: string) => Date.parse(text) / 1000;
const text = (instant: number) => new Date(instant * 1000).toISOString();
const utc = (local: string, zone: string) => text(instantOf(seconds(`${local}Z`), zone));

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
    ['2026-03-29T02:30', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T03:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    // Clocks there skip only half an hour.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    // Clocks there skip the hour after midnight.
    ['2026-04-24T00:30', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // A whole day was skipped there.
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('skipped or beside it, %s in %s is the first instant after the gap: %s', (local, zone, instant) =>
    expect(utc(local, zone)).toBe(instant),
  );

  it.each([
    ['2026-10-25T01:59', 'Europe/Amsterdam', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Amsterdam', '2026-10-25T02:00:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('shown twice or beside it, %s in %s is the first of both: %s', (local, zone, instant) =>
    expect(utc(local, zone)).toBe(instant),
  );

  it('next comes today or tomorrow, across a clock change', () => {
    const next = (now: string) =>
      text(nextInstant(20 * 3600, { time_zone: 'Europe/Amsterdam', utc_offset: null }, seconds(now)));
    expect(next('2026-10-24T18:00:00Z')).toBe('2026-10-24T18:00:00.000Z');
    expect(next('2026-10-24T18:00:01Z')).toBe('2026-10-25T19:00:00.000Z');
  });

  it('has the offsets of both halves of the year, and no others', () => {
    const now = seconds('2026-08-01T00:00Z');
    expect(utcOffsetAt('Europe/Amsterdam', now)).toBe(-120);
    expect(utcOffsetAt('UTC', now)).toBe(0);
    const offsets = (zone: string) => [-660, -630, -120, -60, 0, 240, 300].filter((each) => hasOffset(zone, each, now));
    expect(offsets('Europe/Amsterdam')).toEqual([-120, -60]);
    expect(offsets('America/New_York')).toEqual([240, 300]);
    expect(offsets('Australia/Lord_Howe')).toEqual([-660, -630]);
    expect(offsets('UTC')).toEqual([0]);
  });

  it('zone names are told from other text', () => {
    expect(['Europe/Amsterdam', 'UTC', 'Asia/Kolkata', 'Etc/GMT+5'].map(isTimeZone)).toEqual([true, true, true, true]);
    expect(['', '+01:00', 'Europe/Nowhere', 'Amsterdam', '\u0000', '../etc'].map(isTimeZone)).toEqual(
      Array(6).fill(false),
    );
  });
});

describe('a window in a zone', () => {
  const amsterdam = { time_zone: 'Europe/Amsterdam', utc_offset: null };
  const spans = (from: number, till: number, day: string) =>
    spansOf(
      { from: from * 3600, till: till * 3600 },
      amsterdam,
      seconds(`${day}T00:00Z`),
      seconds(`${day}T23:59Z`),
    ).map((span) => span.map(text));

  it('opens an hour later in UTC once clocks went back', () => {
    expect(spans(20, 22, '2026-10-24')).toEqual([['2026-10-24T18:00:00.000Z', '2026-10-24T20:00:00.000Z']]);
    expect(spans(20, 22, '2026-10-25')).toEqual([['2026-10-25T19:00:00.000Z', '2026-10-25T21:00:00.000Z']]);
  });

  it('runs across midnight and across both clock changes', () => {
    expect(spans(23, 4, '2026-10-25')).toEqual([
      ['2026-10-24T21:00:00.000Z', '2026-10-25T03:00:00.000Z'],
      ['2026-10-25T22:00:00.000Z', '2026-10-26T03:00:00.000Z'],
    ]);
    expect(spans(23, 4, '2026-03-29')).toEqual([
      ['2026-03-28T22:00:00.000Z', '2026-03-29T02:00:00.000Z'],
      ['2026-03-29T21:00:00.000Z', '2026-03-30T02:00:00.000Z'],
    ]);
  });

  it('stays shut on the day that skips it, and opens at the end of a gap that it begins in', () => {
    expect(spans(2, 2.75, '2026-03-29')).toEqual([]);
    expect(spans(2.5, 3.5, '2026-03-29')).toEqual([['2026-03-29T01:00:00.000Z', '2026-03-29T01:30:00.000Z']]);
  });

  it('is open once, not twice, where clocks show its edges twice', () => {
    const element = { visible_between: { from: 2 * 3600, till: 2.5 * 3600 }, ...amsterdam };
    const open = (at: string) => isOpenAt(element, seconds(at));
    expect([open('2026-10-25T00:00Z'), open('2026-10-25T00:29:59Z')]).toEqual([true, true]);
    expect([open('2026-10-25T00:30Z'), open('2026-10-25T01:15Z')]).toEqual([false, false]);
  });

  it('falls back to the fixed offset where the machine does not know the zone', () => {
    const element = { visible_between: { from: 0, till: 3600 }, time_zone: 'Mars/Olympus', utc_offset: -60 };
    expect(isOpenAt(element, seconds('2026-01-01T23:30Z'))).toBe(true);
    expect(isOpenAt(element, seconds('2026-01-02T00:30Z'))).toBe(false);
  });
});
