import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { proximityMachine } from '../../engine/machines/proximity.ts';
import {
  nextProximity,
  type ProximityCommand,
  type ProximityLook,
  type ProximityState,
  proximityCommand,
  proximityStateAt,
  proximityVolumeAt,
} from '../../engine/machines/proximity-state.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const FADE_ZONE = 200;
const STATES: ProximityState[] = ['outside', 'fading', 'inside', 'out_of_view'];

/** A look in view at a sensor of 1000 units. */
const look = (distance: number, rest: Partial<ProximityLook> = {}): ProximityLook => ({
  distance,
  limit: 1000,
  inView: true,
  audioOnly: false,
  ...rest,
});
const UNSEEN = { inView: false };
const AUDIO = { audioOnly: true };

/** What each look in a row gives, from outside. */
function walk(...looks: ProximityLook[]) {
  let state: ProximityState = 'outside';
  return looks.map((each) => {
    const answer = nextProximity(state, each, FADE_ZONE);
    state = answer.state;
    return answer;
  });
}
const commands = (...looks: ProximityLook[]) => walk(...looks).map(({ command }) => command);

const report = walkPaths({
  machine: proximityMachine,
  input: { fadeZone: FADE_ZONE },
  events: [look(1200), look(900), look(850), look(500), look(500, UNSEEN), look(1200, AUDIO), look(500, AUDIO)].map(
    (each) => ({ type: 'look', ...each }),
  ),
  invariant: ({ value, context: { volume } }) => {
    if (value === 'inside') expect(volume).toBe(1);
    else if (value === 'fading') expect(volume > 0 && volume < 1).toBe(true);
    else expect(volume).toBe(0);
  },
  isResting: ({ value }) => value === 'outside',
});

describe('every path', () => {
  test('every state is reached, loud inside, quieter while fading, silent elsewhere', () => {
    expect(report).toMatchObject({ broken: [], reached: restableStates(proximityMachine) });
  });

  test('every state can be left, and walking away ends outside', () => {
    expect(report.deadEnds).toEqual([]);
    expect(report.stranded).toEqual([]);
  });
});

describe('where the camera is', () => {
  test('at the limit it is outside, just before it fades', () => {
    const at = (distance: number) => proximityStateAt(look(distance), FADE_ZONE);
    expect([999.9, 1000, 1000.1].map(at)).toEqual(['fading', 'outside', 'outside']);
  });

  test('at the inner edge it fades, just before it is inside', () => {
    const at = (distance: number) => proximityStateAt(look(distance), FADE_ZONE);
    expect([799.9, 800, 800.1].map(at)).toEqual(['inside', 'fading', 'fading']);
  });

  test('a sensor no wider than the fade zone fades all the way, and one without width never plays', () => {
    const narrow = { limit: 100 };
    expect([0, 50, 99.9, 100].map((distance) => proximityVolumeAt(look(distance, narrow), FADE_ZONE))).toEqual([
      1,
      0.5,
      expect.closeTo(0.001, 10),
      0,
    ]);
    expect(proximityStateAt(look(0, narrow), FADE_ZONE)).toBe('fading');
    expect(proximityStateAt(look(0, { limit: 0 }), FADE_ZONE)).toBe('outside');
  });

  test('volume falls in a straight line', () => {
    const at = (distance: number) => proximityVolumeAt(look(distance), FADE_ZONE);
    expect([0, 799, 800, 850, 900, 950, 1000, 2000].map(at)).toEqual([1, 1, 1, 0.75, 0.5, 0.25, 0, 0]);
  });

  test('out of view only within the limit, and never for audio only', () => {
    expect(proximityStateAt(look(500, UNSEEN), FADE_ZONE)).toBe('out_of_view');
    expect(proximityStateAt(look(1000, UNSEEN), FADE_ZONE)).toBe('outside');
    expect(proximityStateAt(look(500, { ...UNSEEN, ...AUDIO }), FADE_ZONE)).toBe('inside');
  });

  test('a distance that is not known is outside', () => {
    expect(proximityStateAt(look(Number.NaN), FADE_ZONE)).toBe('outside');
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

  test('a full table of commands by where the camera was and is', () => {
    const table = (audioOnly: boolean) =>
      STATES.map((from) => STATES.map((to) => proximityCommand(from, to, audioOnly) ?? '·').join(' '));
    expect(table(false)).toEqual([
      '· play play ·',
      'stop volume volume pause',
      'stop volume · pause',
      'stop play play ·',
    ]);
    expect(table(true).map((row) => row.split(' ')[0])).toEqual(['·', 'volume', 'volume', 'volume']);
  });
});

test('any looks in any order: the chart and the pure step agree on state, volume and command', () => {
  const distance = fc.oneof(
    fc.double({ min: 0, max: 2000, noNaN: true }),
    fc.constantFrom(0, 100, 799, 800, 801, 999, 1000, 1001, Number.NaN),
  );
  const anyLook = fc.record({
    distance,
    limit: fc.constantFrom(0, 100, 200, 1000),
    inView: fc.boolean(),
    audioOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyLook, { maxLength: 30 }), fc.constantFrom(0, 50, FADE_ZONE), (looks, fadeZone) => {
      const told: (ProximityCommand | null)[] = [];
      const machine = proximityMachine.provide({ actions: { media: (_, command) => void told.push(command) } });
      const actor = createActor(machine, { input: { fadeZone } }).start();
      let state: ProximityState = 'outside';
      for (const each of looks) {
        told.length = 0;
        actor.send({ type: 'look', ...each });
        const answer = nextProximity(state, each, fadeZone);
        state = answer.state;
        expect(answer.volume >= 0 && answer.volume <= 1).toBe(true);
        expect({
          state: actor.getSnapshot().value,
          volume: actor.getSnapshot().context.volume,
          command: told[0] ?? null,
        }).toEqual(answer);
        expect(told.length).toBeLessThan(2);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
