import { assign, setup } from 'xstate';
import { type TimedState, timedStateAt } from './timed-state.ts';

export type TimedEvent =
  /** Room time in seconds, absolute: any time may follow any other. */
  | { type: 'time'; time: number }
  /** The visitor closed the timed pop-up. */
  | { type: 'popup.dismiss' };

export interface TimedInput {
  /** Seconds that the sequence lasts; Infinity when it has no end. */
  duration: number;
  /** Seconds after the start at which the timed pop-up opens; null where none is shown. */
  popupOffset: number | null;
}

export interface TimedContext extends TimedInput {
  /** Room time last reported, in seconds; null before the first report. */
  time: number | null;
}

/**
 * A room's timed sequence and its pop-up. Both follow from reported times alone, so that a seek is just another report.
 * The pop-up opens once in the life of the chart, whatever is sought afterwards.
 * Given by whoever starts it: `openPopup`, `leaveFullScreen`.
 *
 * ```
 * sequence    time < 0   0 ≤ time < duration   time ≥ duration
 * waiting     ·          active                ended
 * active      waiting    ·                     ended
 * ended       waiting    active                ·
 *
 * popup       time < offset   time ≥ offset   popup.dismiss
 * pending     ·               opened          ·
 * opened      ·               ·               dismissed
 * dismissed   ·               ·               ·
 * ```
 */
export const timedMachine = setup({
  types: { context: {} as TimedContext, events: {} as TimedEvent, input: {} as TimedInput },
  guards: {
    isNow: ({ context, event }, state: TimedState) =>
      event.type === 'time' && timedStateAt(event.time, context.duration) === state,
    popupIsDue: ({ context, event }) =>
      event.type === 'time' && context.popupOffset !== null && event.time >= context.popupOffset,
  },
  actions: {
    noteTime: assign(({ context, event }) => ({ time: event.type === 'time' ? event.time : context.time })),
    openPopup: () => {},
    leaveFullScreen: () => {},
  },
}).createMachine({
  id: 'timed',
  context: ({ input }) => ({ ...input, time: null }),
  type: 'parallel',
  states: {
    sequence: {
      initial: 'waiting',
      on: {
        time: [
          { guard: { type: 'isNow', params: 'waiting' }, target: '.waiting', actions: 'noteTime' },
          { guard: { type: 'isNow', params: 'active' }, target: '.active', actions: 'noteTime' },
          { target: '.ended', actions: 'noteTime' },
        ],
      },
      states: { waiting: {}, active: {}, ended: {} },
    },
    popup: {
      initial: 'pending',
      states: {
        pending: {
          on: { time: { guard: 'popupIsDue', target: 'opened', actions: ['leaveFullScreen', 'openPopup'] } },
        },
        opened: { on: { 'popup.dismiss': 'dismissed' } },
        dismissed: {},
      },
    },
  },
});
