import { assign, emit, setup } from 'xstate';

export type TransformMode = 'translate' | 'rotate' | 'scale';
type TransformSpace = 'local' | 'world';
export type Axis = 'x' | 'y' | 'z';
/**
 * Pivot for rotating and scaling many elements: center of their bounding box, the active element, or each its own.
 */
export type Pivot = 'center' | 'active' | 'each';
export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** Amount per step of an arrow key or the wheel: units, radians, and a fraction of the size. */
const TRANSFORM_STEP: Readonly<Record<TransformMode, number>> = { translate: 10, rotate: 0.05, scale: 0.1 };

/** Key repeat of held arrow keys in milliseconds: the delay before the first, longer than a tap, and the interval. */
const KEY_REPEAT = { delay: 250, interval: 100 } as const;

/** Milliseconds without wheel input that end a wheel gesture. */
const WHEEL_IDLE = 500;

/** Size of the handles: initial, change per key press, and minimum. */
export const HANDLE_SIZE = { initial: 1, step: 0.1, min: 0.1 } as const;

/** Snapping steps of drags: units and radians. */
export interface SnapSteps {
  translation: number;
  rotation: number;
}

/** Default snapping steps: units (without and with Shift) and radians (15°). */
export const SNAP = { translation: 1, translationWithShift: 100, rotation: Math.PI / 12 } as const;

export type TransformEvent =
  | { type: 'mode.set'; mode: TransformMode }
  | { type: 'axis.toggle'; axis: Axis }
  | { type: 'space.toggle' | 'snap.toggle' | 'handles.toggle' | 'handles.grow' | 'handles.shrink' }
  | { type: 'pivot.set'; pivot: Pivot }
  | { type: 'steps.set'; steps: SnapSteps }
  | { type: 'shift.down' | 'shift.up' }
  | { type: 'drag.start' | 'drag.end' }
  /** An arrow key; exclude keyboard repeats. */
  | { type: 'key.down' | 'key.up'; key: ArrowKey }
  /** A positive delta adds, a negative one subtracts; 0 is ignored. */
  | { type: 'wheel'; delta: number }
  | { type: 'escape' }
  /** The element was deselected, or the window lost focus or the pointer: commits the gesture so far. */
  | { type: 'interrupt' };

/** A gesture consists of `started`, any number of steps, and exactly one of `ended` or `canceled`. */
export type TransformEmitted =
  /** Store the element's current transform. */
  | { type: 'transform.started'; mode: TransformMode }
  /** Apply one step per key. `amount` is the size of a step. */
  | { type: 'transform.stepped'; mode: TransformMode; keys: readonly ArrowKey[]; amount: number }
  /** Apply one wheel step; `amount` has the sign of the wheel delta. */
  | { type: 'transform.turned'; mode: TransformMode; amount: number }
  /** Save the element's position, rotation or scale. */
  | { type: 'transform.ended'; mode: TransformMode }
  /** Restore the stored transform; nothing to save. */
  | { type: 'transform.canceled'; mode: TransformMode };

export interface TransformContext {
  mode: TransformMode;
  space: TransformSpace;
  axes: Readonly<Record<Axis, boolean>>;
  handleSize: number;
  handlesVisible: boolean;
  pivot: Pivot;
  snap: boolean;
  steps: SnapSteps;
  shift: boolean;
  /** Held arrow keys, oldest first. */
  held: readonly ArrowKey[];
}

/** Current snapping steps of drags in units and radians; null without snapping. */
export function snapGrid({ snap, shift, steps }: Pick<TransformContext, 'snap' | 'shift' | 'steps'>): {
  translation: number | null;
  rotation: number | null;
} {
  return {
    translation: shift ? SNAP.translationWithShift : snap ? steps.translation : null,
    rotation: snap ? steps.rotation : null,
  };
}

function resized({ handleSize }: TransformContext, change: number): Pick<TransformContext, 'handleSize'> {
  // Rounded to whole steps, so that growing and shrinking are exact inverses.
  const steps = Math.round((handleSize + change) / HANDLE_SIZE.step);
  return { handleSize: Math.max(HANDLE_SIZE.min, steps / Math.round(1 / HANDLE_SIZE.step)) };
}

/**
 * Moving, rotating and scaling the selection. Send gesture events only during a gesture. A gesture keeps its mode. All
 * results are emitted events, because those keep their order and actions would overtake them.
 *
 * ```
 *            drag.start  key.down    wheel    its end      mode.set    escape       interrupt
 * idle       dragging    holding     wheel    ·            set         ·            ·
 * dragging   ·           ·           ·        idle, ended  ·           idle, canc.  idle, ended
 * holding    ended, dr.  one more    ·        idle, ended  ended, set  idle, ended  idle, ended
 * wheel      ended, dr.  ended, ho.  again    idle, ended  ended, set  idle, ended  idle, ended
 *
 * End: drag.end; key.up of the last held key; 500 ms without wheel input. Drags require visible handles. Edits are
 * saved and ordered in the background, so gestures never wait for them. Space, axes, pivot and handle visibility are
 * fixed during a drag; snapping, its steps and the handle size aren't.
 * ```
 */
export const transformMachine = setup({
  types: {
    context: {} as TransformContext,
    events: {} as TransformEvent,
    emitted: {} as TransformEmitted,
  },
  delays: {
    keyRepeat: ({ event }) => (event.type === 'key.down' ? KEY_REPEAT.delay : KEY_REPEAT.interval),
    wheelIdle: WHEEL_IDLE,
  },
  guards: {
    canDrag: ({ context }) => context.handlesVisible,
    isTurn: ({ event }) => event.type === 'wheel' && event.delta !== 0,
    isOtherMode: ({ context, event }) => event.type === 'mode.set' && event.mode !== context.mode,
    isNewKey: ({ context, event }) => event.type === 'key.down' && !context.held.includes(event.key),
    isLastKey: ({ context, event }) =>
      event.type === 'key.up' && context.held.length === 1 && context.held[0] === event.key,
  },
  actions: {
    setMode: assign(({ context, event }) => ({ mode: event.type === 'mode.set' ? event.mode : context.mode })),
    toggleSpace: assign(({ context }) => ({ space: context.space === 'local' ? 'world' : 'local' })),
    toggleAxis: assign(({ context: { axes }, event }) => ({
      axes: event.type === 'axis.toggle' ? { ...axes, [event.axis]: !axes[event.axis] } : axes,
    })),
    setPivot: assign(({ context, event }) => ({ pivot: event.type === 'pivot.set' ? event.pivot : context.pivot })),
    setSteps: assign(({ context, event }) => ({ steps: event.type === 'steps.set' ? event.steps : context.steps })),
    toggleSnap: assign(({ context }) => ({ snap: !context.snap })),
    toggleHandles: assign(({ context }) => ({ handlesVisible: !context.handlesVisible })),
    growHandles: assign(({ context }) => resized(context, HANDLE_SIZE.step)),
    shrinkHandles: assign(({ context }) => resized(context, -HANDLE_SIZE.step)),
    setShift: assign((_, shift: boolean) => ({ shift })),
    holdKey: assign(({ context: { held }, event }) => ({
      held: event.type === 'key.down' ? [...held, event.key] : held,
    })),
    releaseKey: assign(({ context: { held }, event }) => ({
      held: event.type === 'key.up' ? held.filter((key) => key !== event.key) : held,
    })),
    releaseKeys: assign({ held: [] }),
    emitStarted: emit(({ context }) => ({ type: 'transform.started', mode: context.mode })),
    emitStep: emit(({ context: { mode, held }, event }) => ({
      type: 'transform.stepped',
      mode,
      keys: event.type === 'key.down' ? [event.key] : held,
      amount: TRANSFORM_STEP[mode],
    })),
    emitTurn: emit(({ context: { mode }, event }) => ({
      type: 'transform.turned',
      mode,
      amount: TRANSFORM_STEP[mode] * (event.type === 'wheel' ? Math.sign(event.delta) : 0),
    })),
    emitEnded: emit(({ context }) => ({ type: 'transform.ended', mode: context.mode })),
    emitCanceled: emit(({ context }) => ({ type: 'transform.canceled', mode: context.mode })),
  },
}).createMachine({
  id: 'transform',
  context: {
    mode: 'translate',
    space: 'local',
    axes: { x: true, y: true, z: true },
    handleSize: HANDLE_SIZE.initial,
    handlesVisible: true,
    pivot: 'center',
    snap: true,
    steps: { translation: SNAP.translation, rotation: SNAP.rotation },
    shift: false,
    held: [],
  },
  initial: 'idle',
  on: {
    'space.toggle': { actions: 'toggleSpace' },
    'axis.toggle': { actions: 'toggleAxis' },
    'handles.toggle': { actions: 'toggleHandles' },
    'handles.grow': { actions: 'growHandles' },
    'handles.shrink': { actions: 'shrinkHandles' },
    'pivot.set': { actions: 'setPivot' },
    'snap.toggle': { actions: 'toggleSnap' },
    'steps.set': { actions: 'setSteps' },
    'shift.down': { actions: { type: 'setShift', params: true } },
    'shift.up': { actions: { type: 'setShift', params: false } },
  },
  states: {
    idle: {
      entry: 'releaseKeys',
      on: {
        'drag.start': { guard: 'canDrag', target: 'dragging', actions: 'emitStarted' },
        'key.down': { target: 'holding', actions: ['emitStarted', 'holdKey', 'emitStep'] },
        wheel: { guard: 'isTurn', target: 'wheel', actions: ['emitStarted', 'emitTurn'] },
        'mode.set': { actions: 'setMode' },
      },
    },
    dragging: {
      entry: 'releaseKeys',
      on: {
        'drag.end': { target: 'idle', actions: 'emitEnded' },
        escape: { target: 'idle', actions: 'emitCanceled' },
        interrupt: { target: 'idle', actions: 'emitEnded' },
        // The dragged handle must not change.
        'space.toggle': {},
        'axis.toggle': {},
        'handles.toggle': {},
        'pivot.set': {},
      },
    },
    holding: {
      after: { keyRepeat: { target: 'holding', reenter: true, actions: 'emitStep' } },
      on: {
        'key.down': { guard: 'isNewKey', actions: ['holdKey', 'emitStep'] },
        'key.up': [{ guard: 'isLastKey', target: 'idle', actions: 'emitEnded' }, { actions: 'releaseKey' }],
        'drag.start': { guard: 'canDrag', target: 'dragging', actions: ['emitEnded', 'emitStarted'] },
        'mode.set': { guard: 'isOtherMode', target: 'idle', actions: ['emitEnded', 'setMode'] },
        escape: { target: 'idle', actions: 'emitEnded' },
        interrupt: { target: 'idle', actions: 'emitEnded' },
      },
    },
    wheel: {
      after: { wheelIdle: { target: 'idle', actions: 'emitEnded' } },
      on: {
        wheel: { guard: 'isTurn', target: 'wheel', reenter: true, actions: 'emitTurn' },
        'drag.start': { guard: 'canDrag', target: 'dragging', actions: ['emitEnded', 'emitStarted'] },
        'key.down': {
          target: 'holding',
          actions: ['emitEnded', 'emitStarted', 'holdKey', 'emitStep'],
        },
        'mode.set': { guard: 'isOtherMode', target: 'idle', actions: ['emitEnded', 'setMode'] },
        escape: { target: 'idle', actions: 'emitEnded' },
        interrupt: { target: 'idle', actions: 'emitEnded' },
      },
    },
  },
});
