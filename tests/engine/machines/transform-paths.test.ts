import { describe, expect, test } from 'vitest';
import {
  type ArrowKey,
  HANDLE_SIZE,
  type TransformMode,
  transformMachine,
} from '../../../engine/machines/transform.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const MODES: TransformMode[] = ['translate', 'rotate', 'scale'];
const events = (...types: string[]) => types.map((type) => ({ type }));
const key = (what: 'down' | 'up', which: ArrowKey) => ({ type: `key.${what}`, key: which });

const gestures = [
  ...MODES.map((mode) => ({ type: 'mode.set', mode })),
  ...events('drag.start', 'drag.end', 'escape', 'interrupt'),
  key('down', 'ArrowUp'),
  key('up', 'ArrowUp'),
  { type: 'wheel', delta: 1 },
  { type: 'xstate.after.keyRepeat.transform.holding' },
  { type: 'xstate.after.wheelIdle.transform.wheel' },
];
const visited = new Set<string>();
const isIdle = ({ value }: { value: unknown }) => value === 'idle';
const gestureWalk = walkPaths({
  machine: transformMachine,
  events: [
    ...gestures,
    key('down', 'ArrowLeft'),
    key('up', 'ArrowLeft'),
    { type: 'wheel', delta: 0 },
    ...events('handles.toggle'),
  ],
  simpleEvents: [gestures],
  invariant: ({ value, context }) => {
    visited.add(`${context.mode} ${value}`);
    expect(context.held.length > 0).toBe(value === 'holding');
  },
  isResting: isIdle,
});
const settingsWalk = walkPaths({
  machine: transformMachine,
  events: [
    ...['space', 'snap', 'handles'].map((what) => ({ type: `${what}.toggle` })),
    ...events('handles.grow', 'handles.shrink', 'shift.down', 'shift.up', 'drag.start', 'drag.end'),
    { type: 'axis.toggle', axis: 'y' },
  ],
  simpleEvents: [events('space.toggle', 'snap.toggle', 'drag.start', 'drag.end')],
  tries: ({ context }, { type }) => type !== 'handles.grow' || context.handleSize < HANDLE_SIZE.initial,
  invariant: ({ value, context }) => {
    expect(context.handleSize).toBeGreaterThanOrEqual(HANDLE_SIZE.min);
    if (value === 'dragging') expect(context.handlesVisible).toBe(true);
  },
  isResting: isIdle,
});

describe('every path', () => {
  test('each mode is reached at rest, dragging, holding a key and turning the wheel', () => {
    expect(gestureWalk).toMatchObject({ broken: [], reached: restableStates(transformMachine) });
    const all = MODES.flatMap((each) => restableStates(transformMachine).map((state) => `${each} ${state}`));
    expect([...visited].sort()).toEqual(all.sort());
  });

  test('every gesture can be ended, whatever is set, and something can always be done', () => {
    expect(settingsWalk.broken).toEqual([]);
    for (const walk of [gestureWalk, settingsWalk]) expect(walk).toMatchObject({ deadEnds: [], stranded: [] });
  });
});
