import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, assign, createMachine, type SnapshotFrom, setup, transition } from 'xstate';
import type { ChartTable } from '../../../engine/machines/chart-table.ts';
import { compile, compileRegions } from '../../../engine/machines/compile.ts';
import { type ProximityEvent, proximityMachine } from '../../../engine/machines/proximity.ts';
import * as tables from '../../../engine/machines/tables.ts';
import { timedMachine } from '../../../engine/machines/timed.ts';
import { codeOf } from '../../../vite.chart-tables.ts';

const { proximityTable, sequenceTable, popupTable } = tables;

/** What a chart itself does in a state: where it goes, and what it tells. */
function ask<Machine extends AnyStateMachine>(machine: Machine, value: object | string, input: object, event: object) {
  const snapshot = machine.resolveState({ value, context: input } as never) as SnapshotFrom<Machine>;
  const [after, actions] = transition(machine, snapshot, event as never);
  const told = actions.map(({ type, params }) => (params === undefined ? { type } : { type, params }));
  return { state: (after as { value: unknown }).value, told };
}

/** What its table says. @param outcomes guards that hold */
function lookUp<Event extends string, Guard extends string>(
  table: ChartTable<unknown, Event, Guard>,
  state: unknown,
  event: Event,
  outcomes: Partial<Record<Guard, boolean>>,
) {
  const held = (Object.keys(outcomes) as Guard[]).filter((guard) => outcomes[guard]);
  const bits = held.reduce((sum, guard) => sum + table.guards[guard], 0);
  const place = table.states.indexOf(state) * table.row + table.events[event] + bits;
  return { state: table.states[table.next[place]!], told: table.commands[table.told[place]!]! };
}

describe('the table of a sensor', () => {
  const looks = [-1, 0, 100, 799, 800, 900, 999, 1000, 5000, Number.NaN].flatMap((distance) =>
    [true, false].flatMap((inView) =>
      [true, false].map((audioOnly): ProximityEvent => ({ type: 'look', distance, limit: 1000, inView, audioOnly })),
    ),
  );

  test('says for every state and every look what the chart does', () => {
    expect([...proximityTable.states].sort()).toEqual(Object.keys(proximityMachine.states).sort());
    for (const state of proximityTable.states) {
      for (const look of looks) {
        const { distance, inView, audioOnly } = look;
        const outcomes = {
          isOutside: !(Math.abs(distance) < 1000),
          isOutOfView: !inView && !audioOnly,
          isInside: Math.abs(distance) < 800,
          isAudioOnly: audioOnly,
        };
        expect(lookUp(proximityTable, state, 'look', outcomes), JSON.stringify([state, look])).toEqual(
          ask(proximityMachine, state, { fadeZone: 200 }, look),
        );
      }
    }
  });

  test('has a place for every state, event and combination of guards, and no other', () => {
    expect(proximityTable.next).toHaveLength(4 * 2 ** 4);
    expect(proximityTable.told).toHaveLength(4 * 2 ** 4);
  });
});

describe('the tables of a timed room', () => {
  const input = { duration: 60, popupOffset: 20 };
  const times = [-1, 0, 10, 20, 59, 60, 100];
  const sequences = sequenceTable.states;
  const popups = popupTable.states;

  test('say together for every state and every event what the chart does', () => {
    const { sequence: ofSequence, popup: ofPopup } = timedMachine.states;
    expect([...sequences].sort()).toEqual(Object.keys(ofSequence?.states ?? {}).sort());
    expect([...popups].sort()).toEqual(Object.keys(ofPopup?.states ?? {}).sort());
    for (const sequence of sequences) {
      for (const popup of popups) {
        const value = { sequence, popup };
        for (const time of times) {
          const first = lookUp(sequenceTable, sequence, 'time', {
            isWaiting: time < 0,
            isActive: time >= 0 && time < 60,
          });
          const second = lookUp(popupTable, popup, 'time', { isPopupDue: time >= 20 });
          expect({
            state: { sequence: first.state, popup: second.state },
            told: [...first.told, ...second.told],
          }).toEqual(ask(timedMachine, value, input, { type: 'time', time }));
        }
        const untimed = lookUp(sequenceTable, sequence, 'untimed', {});
        expect({ state: { sequence: untimed.state, popup }, told: untimed.told }).toEqual(
          ask(timedMachine, value, input, { type: 'untimed' }),
        );
        const closed = lookUp(popupTable, popup, 'popup.dismiss', {});
        expect({ state: { sequence, popup: closed.state }, told: closed.told }).toEqual(
          ask(timedMachine, value, input, { type: 'popup.dismiss' }),
        );
      }
    }
  });
});

test('a page gets the tables that Node compiles', async () => {
  const code = codeOf(tables);
  const written = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect({ ...written }).toEqual({ ...tables });
  expect(code).not.toContain('xstate');
});

describe("a chart that can't be a table is refused", () => {
  test.each([
    ['waits', createMachine({ id: 'c', initial: 'a', states: { a: { after: { 10: 'b' } }, b: {} } })],
    ['tells something at once', createMachine({ id: 'c', entry: 'hello' })],
    [
      'has a guard with a parameter',
      setup({ guards: { is: (_, _of: string) => true }, actions: { do: () => {} } }).createMachine({
        id: 'c',
        on: { go: { guard: { type: 'is', params: 'so' }, actions: 'do' } },
      }),
    ],
    [
      'keeps something',
      setup({ types: { context: {} as { count: number } } }).createMachine({
        id: 'c',
        context: { count: 0 },
        on: { go: { actions: assign({ count: 1 }) } },
      }),
    ],
  ])('because it %s', (_, machine) => {
    expect(() => compile(machine as AnyStateMachine)).toThrow("can't be a table");
  });

  test('also as a region', () => {
    const machine = createMachine({ id: 'c', type: 'parallel', states: { a: { entry: 'hello' } } });
    expect(() => compileRegions(machine)).toThrow("c.a can't be a table");
  });
});
