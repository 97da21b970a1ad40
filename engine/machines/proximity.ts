import { and, assign, setup } from 'xstate';
import {
  isInside,
  isOutOfView,
  isOutside,
  type ProximityCommand,
  type ProximityLook,
  proximityVolumeAt,
} from './proximity-state.ts';

export interface ProximityEvent extends ProximityLook {
  type: 'look';
}

export interface ProximityInput {
  /** Widest zone in which volume fades, in units. */
  fadeZone: number;
}

export interface ProximityContext extends ProximityInput {
  /** From 0 to 1. */
  volume: number;
}

/**
 * One proximity sensor. Given by whoever starts it: `media`, with the command; the volume is in the context.
 *
 * ```
 * look, and the     outside             out of view   inside          fading
 * camera is
 * outside           ·                   · out_of_view play · inside   play · fading
 * fading            stop · outside      pause · o.    volume · inside volume
 * inside            stop · outside      pause · o.    ·               volume · fading
 * out_of_view       stop · outside      ·             play · inside   play · fading
 *
 * Audio-only: volume (to 0) in place of stop, and never out of view.
 * ```
 */
export const proximityMachine = setup({
  types: { context: {} as ProximityContext, events: {} as ProximityEvent, input: {} as ProximityInput },
  guards: {
    isOutside: ({ event }) => isOutside(event),
    isOutOfView: ({ event }) => isOutOfView(event),
    isInside: ({ context, event }) => isInside(event, context.fadeZone),
    isAudioOnly: ({ event }) => event.audioOnly,
  },
  actions: {
    hear: assign(({ context, event }) => ({ volume: proximityVolumeAt(event, context.fadeZone) })),
    media: (_, _command: ProximityCommand) => {},
  },
}).createMachine({
  id: 'proximity',
  context: ({ input }) => ({ ...input, volume: 0 }),
  initial: 'outside',
  states: {
    outside: {
      on: {
        look: [
          { guard: 'isOutside' },
          { guard: 'isOutOfView', target: 'out_of_view' },
          { guard: 'isInside', target: 'inside', actions: ['hear', { type: 'media', params: 'play' }] },
          { target: 'fading', actions: ['hear', { type: 'media', params: 'play' }] },
        ],
      },
    },
    fading: {
      on: {
        look: [
          {
            guard: and(['isOutside', 'isAudioOnly']),
            target: 'outside',
            actions: ['hear', { type: 'media', params: 'volume' }],
          },
          { guard: 'isOutside', target: 'outside', actions: ['hear', { type: 'media', params: 'stop' }] },
          { guard: 'isOutOfView', target: 'out_of_view', actions: ['hear', { type: 'media', params: 'pause' }] },
          { guard: 'isInside', target: 'inside', actions: ['hear', { type: 'media', params: 'volume' }] },
          { actions: ['hear', { type: 'media', params: 'volume' }] },
        ],
      },
    },
    inside: {
      on: {
        look: [
          {
            guard: and(['isOutside', 'isAudioOnly']),
            target: 'outside',
            actions: ['hear', { type: 'media', params: 'volume' }],
          },
          { guard: 'isOutside', target: 'outside', actions: ['hear', { type: 'media', params: 'stop' }] },
          { guard: 'isOutOfView', target: 'out_of_view', actions: ['hear', { type: 'media', params: 'pause' }] },
          { guard: 'isInside' },
          { target: 'fading', actions: ['hear', { type: 'media', params: 'volume' }] },
        ],
      },
    },
    out_of_view: {
      on: {
        look: [
          {
            guard: and(['isOutside', 'isAudioOnly']),
            target: 'outside',
            actions: { type: 'media', params: 'volume' },
          },
          { guard: 'isOutside', target: 'outside', actions: { type: 'media', params: 'stop' } },
          { guard: 'isOutOfView' },
          { guard: 'isInside', target: 'inside', actions: ['hear', { type: 'media', params: 'play' }] },
          { target: 'fading', actions: ['hear', { type: 'media', params: 'play' }] },
        ],
      },
    },
  },
});
