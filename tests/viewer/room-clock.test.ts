import { describe, expect, test } from 'vitest';
import { nestedRoom, parseRoom } from '../../engine/document/room.ts';
import type { PublicEndpoint } from '../../src/contract/entities.ts';
import { createRoomClock } from '../../src/viewer/visit/room-clock.ts';

/** Noon of a day, in seconds since 1970. */
const NOON = Date.UTC(2026, 2, 10, 12) / 1000;

/** A clock of a visit that arrives at noon, when the page's own clock shows 5 s; `passes` lets seconds pass. */
function clockOf(fields: Partial<PublicEndpoint>, duration: number | null, current_time = NOON) {
  let now = 5000;
  const room = { ...parseRoom({ id: 1, title: 'Show', config: { duration } }) };
  const timestamps = { timestamp_current: 0, timestamp_start_of_day: 0, timestamp_end_of_day: 0 };
  const endpoint: PublicEndpoint = {
    id: 1,
    name: 'Show',
    slug: 'show',
    path: '/show',
    is_timed: true,
    show_countdown: false,
    start_date: null,
    start_time: null,
    start_time_utc_offset: null,
    time_zone: null,
    is_protected: false,
    accent_color: null,
    current_time,
    opens_at: null,
    access_ends_at: null,
    room: { ...nestedRoom(room), ...timestamps },
    ...fields,
  };
  const clock = createRoomClock({ endpoint, at: now }, () => now);
  const passes = (seconds: number) => {
    now += seconds * 1000;
  };
  return { clock, passes };
}

describe('the clock of a visit', () => {
  test('counts from the start of the sequence, before it and after it', () => {
    const { clock, passes } = clockOf({ start_time: '12:01', start_time_utc_offset: 0 }, 900);
    expect(clock.now()).toBe(-60);
    passes(90);
    clock.enter();
    expect(clock.now()).toBe(30);
    expect(clock.epoch).toBe(NOON + 60);
  });

  test('goes on past midnight with the sequence of the day before', () => {
    const early = NOON + 12 * 3600 + 600;
    const { clock } = clockOf({ start_time: '23:30', start_time_utc_offset: 0 }, 7200, early);
    expect(clock.now()).toBe(2400);
    const over = clockOf({ start_time: '23:30', start_time_utc_offset: 0 }, 1800, early);
    expect(over.clock.now()).toBeLessThan(0);
  });

  test('counts from the start on a date, before it and long after it', () => {
    const start = { start_date: '2026-03-29', start_time: '12:00', time_zone: 'Europe/Berlin' };
    const starts = Date.UTC(2026, 2, 29, 10) / 1000;
    expect(clockOf(start, 900).clock.now()).toBe(NOON - starts);
    expect(clockOf(start, 900, starts + 5 * 86_400).clock.now()).toBe(5 * 86_400);
  });

  test('stands at the beginning until the visitor enters, where no start is set', () => {
    const { clock, passes } = clockOf({}, 900);
    passes(120);
    expect(clock.now()).toBe(0);
    clock.enter();
    expect(clock.now()).toBe(0);
    expect(clock.epoch).toBe(NOON + 120);
    passes(7);
    clock.enter();
    expect(clock.now()).toBe(7);
  });

  test('can be moved before the visitor enters, and runs on from there after', () => {
    const { clock, passes } = clockOf({}, 900);
    clock.moveTo(300);
    passes(60);
    expect(clock.now()).toBe(300);
    clock.enter();
    passes(5);
    expect(clock.now()).toBe(305);
    clock.moveTo(10);
    passes(1);
    expect(clock.now()).toBe(11);
  });

  test('is the second of the day in a room without a sequence', () => {
    const { clock, passes } = clockOf({ start_time: '10:00', start_time_utc_offset: 0 }, null);
    passes(1);
    clock.enter();
    expect(clock.now()).toBe(12 * 3600 + 1);
    expect(clock.epoch).toBe(NOON - 12 * 3600);
  });
});
