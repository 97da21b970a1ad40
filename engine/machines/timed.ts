import { setup } from 'xstate';
import { isPopupDue, type TimedState, timedStateAt } from './timed-state.ts';

export type TimedEvent =
  /** Room time in seconds; times may be in any order. */
  | { type: 'time'; time: number }
  /** The room isn't timed. */
  | { type: 'untimed' }
  /** The visitor dismissed the timed pop-up. */
  | { type: 'popup.dismiss' };

export interface TimedInput {
  /** Duration of the sequence in seconds; Infinity if it has no end. */
  duration: number;
  /** Seconds after the start at which the timed pop-up opens; null if there is none. */
  popupOffset: number | null;
}

const report = (params: TimedState) => ({ type: 'report', params }) as const;

/**
 * A room's timed sequence and its pop-up. Both depend only on reported times, so a seek is just another report. The
 * pop-up opens at most once per actor, regardless of later seeks. The host provides `report` with the entered state,
 * `openPopup`, `closePopup` and `leaveFullScreen`.
 *
 * ```
 * sequence    time < 0   0 ≤ time < duration   time ≥ duration   untimed
 * unknown     waiting    active                ended             ·
 * waiting     ·          active                ended             unknown
 * active      waiting    ·                     ended             unknown
 * ended       waiting    active                ·                 unknown
 *
 * popup       time < offset   time ≥ offset   popup.dismiss
 * pending     ·               opened          ·
 * opened      ·               ·               dismissed
 * dismissed   ·               ·               ·
 * ```
 */
export const timedMachine = setup({
  types: { context: {} as TimedInput, events: {} as TimedEvent, input: {} as TimedInput },
  guards: {
    isWaiting: ({ context, event }) =>
      event.type === 'time' && timedStateAt(event.time, context.duration) === 'waiting',
    isActive: ({ context, event }) => event.type === 'time' && timedStateAt(event.time, context.duration) === 'active',
    isPopupDue: ({ context, event }) => event.type === 'time' && isPopupDue(event.time, context.popupOffset),
  },
  actions: {
    report: (_, _state: TimedState) => {},
    openPopup: () => {},
    closePopup: () => {},
    leaveFullScreen: () => {},
  },
}).createMachine({
  id: 'timed',
  context: ({ input }) => input,
  type: 'parallel',
  states: {
    sequence: {
      initial: 'unknown',
      on: { untimed: '.unknown' },
      states: {
        unknown: {
          on: {
            time: [
              { guard: 'isWaiting', target: 'waiting' },
              { guard: 'isActive', target: 'active' },
              { target: 'ended' },
            ],
          },
        },
        waiting: {
          entry: report('waiting'),
          on: { time: [{ guard: 'isWaiting' }, { guard: 'isActive', target: 'active' }, { target: 'ended' }] },
        },
        active: {
          entry: report('active'),
          on: { time: [{ guard: 'isWaiting', target: 'waiting' }, { guard: 'isActive' }, { target: 'ended' }] },
        },
        ended: {
          entry: report('ended'),
          on: {
            time: [
              { guard: 'isWaiting', target: 'waiting' },
              { guard: 'isActive', target: 'active' },
            ],
          },
        },
      },
    },
    popup: {
      initial: 'pending',
      states: {
        pending: {
          on: { time: { guard: 'isPopupDue', target: 'opened' } },
        },
        opened: {
          entry: ['leaveFullScreen', 'openPopup'],
          on: { 'popup.dismiss': { target: 'dismissed', actions: 'closePopup' } },
        },
        dismissed: {},
      },
    },
  },
});
