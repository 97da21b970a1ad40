import { and, setup } from 'xstate';
import { isInside, isOutside, lookFrom, type ProximityCommand } from './proximity-state.ts';

/** One look from the camera at a sensor. */
export interface ProximityEvent {
  type: 'look';
  /** Units from the camera to the element. */
  distance: number;
  /** The sensor's distance, in units; 0 while the element is not there. */
  limit: number;
  /** Whether the camera sees the element. */
  inView: boolean;
  /** Whether only the volume follows the distance: the view does not matter, and nothing stops. */
  audioOnly: boolean;
}

export interface ProximityInput {
  /** Widest zone in which volume fades, in units. */
  fadeZone: number;
}

const hear = (params: boolean) => ({ type: 'hear', params }) as const;
const media = (params: ProximityCommand) => ({ type: 'media', params }) as const;

/** Whoever was near, or looked away, and walks out. */
const leaves = [
  { guard: and(['isOutside', 'isAudioOnly']), target: 'outside', actions: [hear(false), media('volume')] },
  { guard: 'isOutside', target: 'outside', actions: [hear(false), media('stop')] },
] as const;
/** Whoever hears it and looks away. */
const looksAway = { guard: 'isOutOfView', target: 'out_of_view', actions: [hear(false), media('pause')] } as const;
/** Whoever does not hear it and comes near, or looks back. */
const comes = [
  { guard: 'isInside', target: 'inside', actions: [hear(true), media('play')] },
  { target: 'fading', actions: [hear(true), media('play')] },
] as const;

/**
 * One proximity sensor. Given by whoever runs it: `hear`, which makes it as loud as its distance has it, or silent; and
 * `media`, with the command.
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
  types: { context: {} as ProximityInput, events: {} as ProximityEvent, input: {} as ProximityInput },
  guards: {
    isOutside: ({ context, event }) => isOutside(lookFrom(event.distance, event.limit, context.fadeZone), 0),
    isOutOfView: ({ event }) => !event.inView && !event.audioOnly,
    isInside: ({ context, event }) => isInside(lookFrom(event.distance, event.limit, context.fadeZone), 0),
    isAudioOnly: ({ event }) => event.audioOnly,
  },
  actions: {
    hear: (_, _heard: boolean) => {},
    media: (_, _command: ProximityCommand) => {},
  },
}).createMachine({
  id: 'proximity',
  context: ({ input }) => input,
  initial: 'outside',
  states: {
    outside: {
      on: { look: [{ guard: 'isOutside' }, { guard: 'isOutOfView', target: 'out_of_view' }, ...comes] },
    },
    fading: {
      on: {
        look: [
          ...leaves,
          looksAway,
          { guard: 'isInside', target: 'inside', actions: [hear(true), media('volume')] },
          { actions: [hear(true), media('volume')] },
        ],
      },
    },
    inside: {
      on: {
        look: [
          ...leaves,
          looksAway,
          { guard: 'isInside' },
          { target: 'fading', actions: [hear(true), media('volume')] },
        ],
      },
    },
    out_of_view: { on: { look: [...leaves, { guard: 'isOutOfView' }, ...comes] } },
  },
});
