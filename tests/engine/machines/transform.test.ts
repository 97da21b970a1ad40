import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import {
  type ArrowKey,
  type Axis,
  SNAP,
  snapGrid,
  type TransformEmitted,
  type TransformEvent,
  type TransformMode,
  transformMachine,
} from '../../../engine/machines/transform.ts';

const MODES: TransformMode[] = ['translate', 'rotate', 'scale'];
const down = (key: ArrowKey): TransformEvent => ({ type: 'key.down', key });
const up = (key: ArrowKey): TransformEvent => ({ type: 'key.up', key });
const mode = (to: TransformMode): TransformEvent => ({ type: 'mode.set', mode: to });
const turn = (delta: number): TransformEvent => ({ type: 'wheel', delta });

function lineOf(event: TransformEmitted): string {
  if (event.type === 'transform.stepped') return `${event.mode} ${event.keys.join('+')} ${event.amount}`;
  if (event.type === 'transform.turned') return `${event.mode} wheel ${event.amount}`;
  return `${event.type.slice('transform.'.length)} ${event.mode}`;
}

/** An editor with an element selected. A number lets that many milliseconds pass; `log` is what happened to it. */
function editor(...steps: (TransformEvent | TransformEvent['type'] | number)[]) {
  const log: string[] = [];
  const clock = new SimulatedClock();
  const actor = createActor(transformMachine, { clock });
  actor.on('*', (event) => log.push(lineOf(event)));
  actor.start();
  const play = (...more: typeof steps) => {
    for (const step of more) {
      if (typeof step === 'number') clock.increment(step);
      else actor.send(typeof step === 'string' ? ({ type: step } as TransformEvent) : step);
    }
    return actor.getSnapshot();
  };
  play(...steps);
  return { log, play, snapshot: () => actor.getSnapshot(), context: () => actor.getSnapshot().context };
}

/** What one key press, and one turn of the wheel, look like from start to end. */
const stepped = ['started translate', 'translate ArrowUp 10', 'ended translate'];
const turned = ['started translate', 'translate wheel 10', 'ended translate'];

describe('dragging a handle', () => {
  test('is saved once, in its mode, when the handle is let go', () => {
    expect(editor(mode('rotate'), 'drag.start', 'drag.end', 'drag.end').log).toEqual([
      'started rotate',
      'ended rotate',
    ]);
  });

  test('Esc puts the element back, and nothing is saved', () => {
    const { log, snapshot } = editor('drag.start', 'escape', 'drag.end');
    expect(log).toEqual(['started translate', 'canceled translate']);
    expect(snapshot().value).toBe('idle');
  });

  test('counts as far as it went when the window loses the pointer', () => {
    expect(editor('drag.start', 'interrupt').log).toEqual(['started translate', 'ended translate']);
  });

  test('keeps mode, space, axes and handles; keys and the wheel do nothing', () => {
    const { log, context, play } = editor('drag.start');
    const before = context();
    play(mode('scale'), 'space.toggle', { type: 'axis.toggle', axis: 'x' }, 'handles.toggle');
    play(down('ArrowUp'), turn(1), 1000);
    expect(context()).toEqual(before);
    expect(log).toEqual(['started translate']);
  });

  test('does not begin while handles are hidden; keys and the wheel still work', () => {
    const { log } = editor('handles.toggle', 'drag.start', down('ArrowUp'), 'drag.start', up('ArrowUp'), turn(1));
    expect(log).toEqual([...stepped, ...turned.slice(0, 2)]);
  });
});

describe('holding an arrow key', () => {
  test('steps at once, after 250 ms and then every 100 ms, and is saved once on release', () => {
    const { log, play } = editor(down('ArrowLeft'), 249);
    expect(log).toEqual(['started translate', 'translate ArrowLeft 10']);
    play(1);
    expect(log).toHaveLength(3);
    play(99);
    expect(log).toHaveLength(3);
    play(1, up('ArrowLeft'), 1000);
    expect(log).toEqual(['started translate', ...Array(3).fill('translate ArrowLeft 10'), 'ended translate']);
  });

  test('a tap is one step', () => {
    expect(editor(down('ArrowUp'), 200, up('ArrowUp'), 1000).log).toEqual(stepped);
  });

  test('steps 10 units, 0.05 rad or 0.1 of the size', () => {
    expect(MODES.map((each) => editor(mode(each), down('ArrowUp')).log[1])).toEqual([
      'translate ArrowUp 10',
      'rotate ArrowUp 0.05',
      'scale ArrowUp 0.1',
    ]);
  });

  test('a second key joins in, and the gesture ends with the last one', () => {
    const { log, play } = editor(down('ArrowUp'), 50, down('ArrowRight'), down('ArrowRight'), 200);
    expect(log.slice(1)).toEqual([
      'translate ArrowUp 10',
      'translate ArrowRight 10',
      'translate ArrowUp+ArrowRight 10',
    ]);
    play(up('ArrowUp'), up('ArrowDown'), 100);
    expect(log.slice(4)).toEqual(['translate ArrowRight 10']);
    play(up('ArrowRight'));
    expect(log.slice(5)).toEqual(['ended translate']);
  });

  test('choosing another mode ends it in the old mode; the same mode again does not', () => {
    const { log, context, play } = editor(down('ArrowUp'), mode('translate'));
    expect(log).toEqual(stepped.slice(0, 2));
    play(mode('scale'), 500);
    expect(log).toEqual(stepped);
    expect(context().mode).toBe('scale');
  });

  test.each(['escape', 'interrupt'] as const)('%s ends it, and what was done is saved', (type) => {
    const { log, snapshot } = editor(down('ArrowUp'), type, 500, up('ArrowUp'));
    expect(log).toEqual(stepped);
    expect(snapshot()).toMatchObject({ value: 'idle', context: { held: [] } });
  });

  test('grabbing a handle ends it and begins a drag', () => {
    const { log } = editor(down('ArrowUp'), 'drag.start', up('ArrowUp'), 'drag.end');
    expect(log).toEqual([...stepped, 'started translate', 'ended translate']);
  });
});

describe('turning the wheel', () => {
  test('is saved once, 500 ms after the last turn', () => {
    const { log, play } = editor(mode('scale'), turn(3), 499, turn(-120), 499);
    expect(log).toEqual(['started scale', 'scale wheel 0.1', 'scale wheel -0.1']);
    play(1);
    expect(log.slice(3)).toEqual(['ended scale']);
    play(1000);
    expect(log).toHaveLength(4);
  });

  test('a sideways turn neither begins nor prolongs it', () => {
    expect(editor(turn(0), 500).log).toEqual([]);
    expect(editor(turn(1), 400, turn(0), 100).log).toEqual(turned);
  });

  test('a drag, a key or another mode ends it first', () => {
    expect(editor(turn(1), 'drag.start').log).toEqual([...turned, 'started translate']);
    expect(editor(turn(1), down('ArrowUp')).log).toEqual([...turned, ...stepped.slice(0, 2)]);
    const { log, context, play } = editor(turn(1), mode('translate'));
    expect(log).toEqual(turned.slice(0, 2));
    play(mode('rotate'), 500);
    expect(log).toEqual(turned);
    expect(context().mode).toBe('rotate');
  });

  test('hiding the handles meanwhile keeps a drag from taking over', () => {
    expect(editor(turn(1), 'handles.toggle', 'drag.start', 500).log).toEqual(turned);
  });

  test.each(['escape', 'interrupt'] as const)('%s ends it at once', (type) => {
    expect(editor(turn(1), type, 500).log).toEqual(turned);
  });
});

describe('settings', () => {
  test('local and world, handles and snapping switch to and fro', () => {
    const { context, play } = editor('space.toggle', 'handles.toggle', 'snap.toggle');
    expect(context()).toMatchObject({ space: 'world', handlesVisible: false, snap: false });
    play('space.toggle', 'handles.toggle', 'snap.toggle');
    expect(context()).toEqual(editor().context());
  });

  test.each<Axis>(['x', 'y', 'z'])('the %s axis hides and shows by itself', (axis) => {
    const { context, play } = editor({ type: 'axis.toggle', axis });
    expect(context().axes).toEqual({ x: true, y: true, z: true, [axis]: false });
    play({ type: 'axis.toggle', axis });
    expect(context().axes).toEqual({ x: true, y: true, z: true });
  });

  test('handles shrink to 0.1 and no further, and grow again by 0.1', () => {
    const { context, play } = editor(...Array(8).fill('handles.shrink'));
    expect(context().handleSize).toBe(0.2);
    play('handles.shrink');
    expect(context().handleSize).toBe(0.1);
    play('handles.shrink');
    expect(context().handleSize).toBe(0.1);
    play('handles.grow', 'handles.grow');
    expect(context().handleSize).toBe(0.3);
  });

  test('drags snap to 1 unit and 15° unless switched off, and to 100 units while Shift is down, also during a drag', () => {
    const { context, play } = editor();
    expect(snapGrid(context())).toEqual({ translation: 1, rotation: SNAP.rotation });
    play('drag.start', 'shift.down');
    expect(snapGrid(context())).toEqual({ translation: 100, rotation: SNAP.rotation });
    play('snap.toggle');
    expect(snapGrid(context())).toEqual({ translation: 100, rotation: null });
    play('shift.up');
    expect(snapGrid(context())).toEqual({ translation: null, rotation: null });
    expect((SNAP.rotation * 180) / Math.PI).toBeCloseTo(15, 10);
  });
});

test('any events and pauses: each gesture starts once and ends once, in its order and in its mode', () => {
  const key = fc.constantFrom<ArrowKey>('ArrowUp', 'ArrowLeft');
  const step = fc.oneof(
    key.map(down),
    key.map(up),
    fc.constantFrom(...MODES).map(mode),
    fc.constantFrom(-2, 0, 2).map(turn),
    fc.constantFrom<TransformEvent['type']>('drag.start', 'drag.end', 'escape', 'interrupt', 'handles.toggle'),
    fc.constantFrom<TransformEvent['type']>('space.toggle', 'snap.toggle'),
    fc.constantFrom(1, 99, 100, 499, 500),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { log, play, snapshot } = editor();
      let open: string | undefined;
      for (const each of steps) {
        const { value: before, context } = snapshot();
        const from = log.length;
        const { value: after } = play(each);
        const left = before !== 'idle' && before !== after;
        const ends = log.slice(from).filter((line) => /^(ended|canceled) /.test(line));
        expect(ends).toEqual(
          left ? [`${before === 'dragging' && each === 'escape' ? 'canceled' : 'ended'} ${context.mode}`] : [],
        );
        for (const line of log.slice(from)) {
          const [what, which] = line.split(' ');
          if (what === 'started') {
            expect(open).toBe(undefined);
            open = which;
          } else if (what === 'ended' || what === 'canceled') {
            expect(which).toBe(open);
            open = undefined;
          } else {
            expect(what).toBe(open);
          }
        }
        expect(open).toBe(after === 'idle' ? undefined : snapshot().context.mode);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
