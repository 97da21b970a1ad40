import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type TimedInput, timedMachine } from '../../../engine/machines/timed.ts';
import { nextEdge, timedStateAt, timeLeft } from '../../../engine/machines/timed-state.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const DURATION = 60;
const OFFSET = 20;
const HOUR: TimedInput = { duration: DURATION, popupOffset: OFFSET };

/** A room whose times and dismissals are played in order; `seen` is what was done to the page. */
function play(input: TimedInput, ...steps: (number | 'dismiss')[]) {
  const seen: string[] = [];
  const reported: string[] = [];
  const machine = timedMachine.provide({
    actions: {
      report: (_, state) => void reported.push(state),
      closePopup: () => void seen.push('pop-up closed'),
      openPopup: () => void seen.push('pop-up'),
      leaveFullScreen: () => void seen.push('full-screen off'),
    },
  });
  const actor = createActor(machine, { input }).start();
  for (const step of steps) actor.send(step === 'dismiss' ? { type: 'popup.dismiss' } : { type: 'time', time: step });
  return { ...actor.getSnapshot().value, seen, reported };
}

const report = walkPaths({
  machine: timedMachine,
  input: HOUR,
  events: [
    ...[-1, 0, OFFSET, DURATION].map((time) => ({ type: 'time', time })),
    { type: 'untimed' },
    { type: 'popup.dismiss' },
  ],
  invariant: ({ value }, event) => {
    if (event?.type === 'untimed') expect(value).toHaveProperty('sequence', 'unknown');
    if (event?.type !== 'time') return;
    expect(value).toHaveProperty('sequence', timedStateAt(event.time, DURATION));
    if (event.time >= OFFSET) expect(value).not.toHaveProperty('popup', 'pending');
  },
  // The pop-up comes to rest for good once it was dismissed.
  isResting: ({ value }) => JSON.stringify(value) === '{"sequence":"waiting","popup":"dismissed"}',
});

describe('every path', () => {
  test('every state is reached, and each is the one that the time last reported asks for', () => {
    expect(report).toMatchObject({ broken: [], reached: restableStates(timedMachine) });
  });

  test('time goes on from everywhere, and a seek leads back to before the start', () => {
    expect(report.deadEnds).toEqual([]);
    expect(report.stranded).toEqual([]);
  });
});

describe('a sequence', () => {
  test('waits below 0, runs from 0, and has ended at its duration', () => {
    expect([-0.001, 0, 0.001].map((time) => timedStateAt(time, DURATION))).toEqual(['waiting', 'active', 'active']);
    expect([59.999, 60, 60.001].map((time) => timedStateAt(time, DURATION))).toEqual(['active', 'ended', 'ended']);
  });

  test('without an end never ends, and waits while no time is known', () => {
    expect(timedStateAt(1e12, Number.POSITIVE_INFINITY)).toBe('active');
    expect(timedStateAt(Number.NaN, DURATION)).toBe('waiting');
  });

  test('shows the time that is left, and none once it has ended', () => {
    expect([-5, 0, 59, 60, 61].map((time) => timeLeft(time, DURATION))).toEqual([65, 60, 1, 0, 0]);
  });

  test('is reported when it changes, and not in between', () => {
    expect(play(HOUR, -5, -1, 0, 30, 60, 90, 10).reported).toEqual(['waiting', 'active', 'ended', 'active']);
  });

  test('has its next edge at the start, then at its end, then nowhere', () => {
    const { POSITIVE_INFINITY } = Number;
    expect([-1, 0, 59, 60].map((time) => nextEdge(time, DURATION))).toEqual([0, 60, 60, POSITIVE_INFINITY]);
    expect(nextEdge(5, POSITIVE_INFINITY)).toBe(POSITIVE_INFINITY);
  });

  test('follows a seek from any state to any other', () => {
    const times = { waiting: -10, active: 10, ended: 100 };
    for (const from of Object.values(times))
      for (const [state, to] of Object.entries(times)) expect(play(HOUR, from, to)).toMatchObject({ sequence: state });
  });
});

describe('the timed pop-up', () => {
  test('opens when its offset has passed, and switches off full-screen first', () => {
    expect(play(HOUR, 19.999)).toMatchObject({ popup: 'pending', seen: [] });
    expect(play(HOUR, 20)).toMatchObject({ popup: 'opened', seen: ['full-screen off', 'pop-up'] });
    expect(play(HOUR, 20.001)).toMatchObject({ popup: 'opened' });
  });

  test('opens for a visitor who comes late, and for one who comes after the end', () => {
    expect(play(HOUR, 45)).toMatchObject({ popup: 'opened', sequence: 'active' });
    expect(play(HOUR, 1000)).toMatchObject({ popup: 'opened', sequence: 'ended' });
  });

  test('with offset 0 opens at the start, not while the room waits', () => {
    expect(play({ duration: DURATION, popupOffset: 0 }, -1).popup).toBe('pending');
    expect(play({ duration: DURATION, popupOffset: 0 }, 0).popup).toBe('opened');
  });

  test('does not open again after a seek back, open or dismissed', () => {
    expect(play(HOUR, 20, 5, 20)).toMatchObject({ popup: 'opened', seen: ['full-screen off', 'pop-up'] });
    expect(play(HOUR, 20, 'dismiss', 5, 20)).toMatchObject({
      popup: 'dismissed',
      seen: ['full-screen off', 'pop-up', 'pop-up closed'],
    });
  });

  test("can't be dismissed before it opened", () => {
    expect(play(HOUR, 5, 'dismiss', 20).popup).toBe('opened');
  });

  test('stays away where a room has none', () => {
    expect(play({ duration: DURATION, popupOffset: null }, 0, 30, 90)).toMatchObject({ popup: 'pending', seen: [] });
  });
});

test('any times in any order: the state is that of the last time, and the pop-up opens at most once', () => {
  const time = fc.oneof(fc.double({ min: -100, max: 200, noNaN: true }), fc.constantFrom(-1, 0, 19, 20, 59, 60));
  const steps = fc.array(fc.oneof({ weight: 5, arbitrary: time }, fc.constant('dismiss' as const)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      const times = all.filter((step) => step !== 'dismiss');
      const room = play(HOUR, ...all);
      const last = times.at(-1);
      expect(room.sequence).toBe(
        last === undefined ? 'unknown' : last < 0 ? 'waiting' : last < DURATION ? 'active' : 'ended',
      );
      const opened = room.seen.filter((what) => what === 'pop-up').length;
      expect(opened).toBe(times.some((each) => each >= OFFSET) ? 1 : 0);
    }),
    { numRuns: 500, seed: 1 },
  );
});
