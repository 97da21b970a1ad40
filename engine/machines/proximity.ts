import { and, setup } from 'xstate';
import { isInside, isOutside, lookFrom, type ProximityCommand } from './proximity-state.ts';

/** One measurement of a sensor. */
export interface ProximityEvent {
  type: 'look';
  /** Distance from the camera to the element in units. */
  distance: number;
  /** The sensor's distance in units; 0 while the element is invisible. */
  limit: number;
  /** Whether the element is in the camera's view. */
  inView: boolean;
  /** Whether only the volume depends on the distance: the view is ignored, and media never stops. */
  audioOnly: boolean;
}

export interface ProximityInput {
  /** Maximum width of the fade zone in units. */
  fadeZone: number;
}

const hear = (params: boolean) => ({ type: 'hear', params }) as const;
const media = (params: ProximityCommand) => ({ type: 'media', params }) as const;

/** The visitor leaves, from inside, fading or out of view. */
const LEAVING = [
  { guard: and(['isOutside', 'isAudioOnly']), target: 'outside', actions: [hear(false), media('volume')] },
  { guard: 'isOutside', target: 'outside', actions: [hear(false), media('stop')] },
] as const;
/** A visitor within reach looks away. */
const LOOKING_AWAY = { guard: 'isOutOfView', target: 'out_of_view', actions: [hear(false), media('pause')] } as const;
/** The visitor approaches or looks back. */
const APPROACHING = [
  { guard: 'isInside', target: 'inside', actions: [hear(true), media('play')] },
  { target: 'fading', actions: [hear(true), media('play')] },
] as const;

/**
 * One proximity sensor. The host provides `hear`, which sets the volume by distance or to 0, and `media`, which sends
 * the command.
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
      on: { look: [{ guard: 'isOutside' }, { guard: 'isOutOfView', target: 'out_of_view' }, ...APPROACHING] },
    },
    fading: {
      on: {
        look: [
          ...LEAVING,
          LOOKING_AWAY,
          { guard: 'isInside', target: 'inside', actions: [hear(true), media('volume')] },
          { actions: [hear(true), media('volume')] },
        ],
      },
    },
    inside: {
      on: {
        look: [
          ...LEAVING,
          LOOKING_AWAY,
          { guard: 'isInside' },
          { target: 'fading', actions: [hear(true), media('volume')] },
        ],
      },
    },
    out_of_view: { on: { look: [...LEAVING, { guard: 'isOutOfView' }, ...APPROACHING] } },
  },
});
