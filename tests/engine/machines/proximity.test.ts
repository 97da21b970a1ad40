import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type ProximityEvent, proximityMachine } from '../../../engine/machines/proximity.ts';
import {
  hear,
  isInside,
  isOutside,
  lookFrom,
  type ProximityCommand,
} from '../../../engine/machines/proximity-state.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const FADE_ZONE = 200;

/** A look in view at a sensor of 1000 units. */
const look = (distance: number, rest: Partial<ProximityEvent> = {}): ProximityEvent => ({
  type: 'look',
  distance,
  limit: 1000,
  inView: true,
  audioOnly: false,
  ...rest,
});
const UNSEEN = { inView: false };
const AUDIO = { audioOnly: true };

/** What each look in a row gives, from outside. */
function walk(...looks: ProximityEvent[]) {
  let volume = 0;
  let command: ProximityCommand | null = null;
  const machine = proximityMachine.provide({
    actions: {
      hear: ({ event }, heard) => {
        const seen = lookFrom(event.distance, event.limit, FADE_ZONE);
        if (heard) hear(seen, 0);
        volume = seen.volume[0]!;
      },
      media: (_, told) => {
        command = told;
      },
    },
  });
  const actor = createActor(machine, { input: { fadeZone: FADE_ZONE } }).start();
  return looks.map((each) => {
    command = null;
    actor.send(each);
    return { state: actor.getSnapshot().value, volume, command: command as ProximityCommand | null };
  });
}
const commands = (...looks: ProximityEvent[]) => walk(...looks).map(({ command }) => command);
const answerAt = (distance: number, rest?: Partial<ProximityEvent>) => walk(look(distance, rest))[0]!;
const stateAt = (distance: number, rest?: Partial<ProximityEvent>) => answerAt(distance, rest).state;

const report = walkPaths({
  machine: proximityMachine,
  input: { fadeZone: FADE_ZONE },
  events: [look(1200), look(900), look(850), look(500), look(500, UNSEEN), look(1200, AUDIO), look(500, AUDIO)],
  invariant: ({ value }, event) => {
    if (event?.type !== 'look') return;
    const { distance, limit, inView, audioOnly } = event as ProximityEvent;
    const look = lookFrom(distance, limit, FADE_ZONE);
    const far = isOutside(look, 0);
    const near = isInside(look, 0);
    const seen = inView || audioOnly;
    expect(value).toBe(far ? 'outside' : !seen ? 'out_of_view' : near ? 'inside' : 'fading');
  },
  isResting: ({ value }) => value === 'outside',
});

describe('every path', () => {
  test('every state is reached, and each is the one that the last look asks for', () => {
    expect(report).toMatchObject({ broken: [], reached: restableStates(proximityMachine) });
  });

  test('every state can be left, and walking away ends outside', () => {
    expect(report.deadEnds).toEqual([]);
    expect(report.stranded).toEqual([]);
  });
});

describe('where the camera is', () => {
  test('at the limit it is outside, just before it fades', () => {
    expect([999.9, 1000, 1000.1].map((distance) => stateAt(distance))).toEqual(['fading', 'outside', 'outside']);
  });

  test('at the inner edge it fades, just before it is inside', () => {
    expect([799.9, 800, 800.1].map((distance) => stateAt(distance))).toEqual(['inside', 'fading', 'fading']);
  });

  test('a sensor no wider than the fade zone fades all the way, and one without width never plays', () => {
    const narrow = { limit: 100 };
    expect([0, 50, 99.9, 100].map((distance) => answerAt(distance, narrow).volume)).toEqual([
      1,
      0.5,
      expect.closeTo(0.001, 10),
      0,
    ]);
    expect(stateAt(0, narrow)).toBe('fading');
    expect(stateAt(0, { limit: 0 })).toBe('outside');
  });

  test('volume falls in a straight line', () => {
    const at = (distance: number) => answerAt(distance).volume;
    expect([0, 799, 800, 850, 900, 950, 1000, 2000].map(at)).toEqual([1, 1, 1, 0.75, 0.5, 0.25, 0, 0]);
  });

  test('out of view only within the limit, and never for audio only', () => {
    expect(stateAt(500, UNSEEN)).toBe('out_of_view');
    expect(stateAt(1000, UNSEEN)).toBe('outside');
    expect(stateAt(500, { ...UNSEEN, ...AUDIO })).toBe('inside');
  });

  test('a distance that is not known is outside', () => {
    expect(stateAt(Number.NaN)).toBe('outside');
  });
});

describe('what the media is told', () => {
  test('walking up plays it, walking on makes it louder, standing inside says nothing more', () => {
    expect(commands(look(1500), look(950), look(850), look(500), look(400))).toEqual([
      null,
      'play',
      'volume',
      'volume',
      null,
    ]);
  });

  test('walking away makes it quieter, then stops it', () => {
    expect(commands(look(500), look(900), look(1000), look(1100))).toEqual(['play', 'volume', 'stop', null]);
  });

  test('looking away pauses it, looking back plays it again', () => {
    expect(commands(look(500), look(500, UNSEEN), look(500, UNSEEN), look(500))).toEqual([
      'play',
      'pause',
      null,
      'play',
    ]);
    expect(commands(look(900), look(900, UNSEEN), look(900))).toEqual(['play', 'pause', 'play']);
  });

  test('leaving while it is paused stops it', () => {
    expect(commands(look(500), look(500, UNSEEN), look(1500, UNSEEN))).toEqual(['play', 'pause', 'stop']);
  });

  test('coming near with the back turned says nothing', () => {
    expect(commands(look(500, UNSEEN))).toEqual([null]);
  });

  test('audio only goes on silently at a distance, and does not mind the view', () => {
    const answers = walk(look(500, AUDIO), look(500, { ...AUDIO, ...UNSEEN }), look(1500, AUDIO), look(500, AUDIO));
    expect(answers.map(({ command, volume }) => [command, volume])).toEqual([
      ['play', 1],
      [null, 1],
      ['volume', 0],
      ['play', 1],
    ]);
  });
});

test('any looks in any order: the volume is that of the last look, and at most one command is told', () => {
  const anyLook = fc.record({
    distance: fc.oneof(
      fc.double({ min: 0, max: 2000, noNaN: true }),
      fc.constantFrom(0, 100, 799, 800, 801, 999, 1000, 1001, Number.NaN),
    ),
    limit: fc.constantFrom(0, 100, 200, 1000),
    inView: fc.boolean(),
    audioOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyLook, { maxLength: 30 }), (looks) => {
      const answers = walk(...looks.map((each) => look(each.distance, each)));
      for (const [index, { distance, limit, inView, audioOnly }] of looks.entries()) {
        const { state, volume } = answers[index]!;
        const heard = distance < limit && (inView || audioOnly);
        const fade = Math.min(FADE_ZONE, limit);
        expect(volume).toBeCloseTo(heard ? Math.min(1, (limit - distance) / fade) : 0, 9);
        expect(state === 'inside' || state === 'fading').toBe(heard);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
