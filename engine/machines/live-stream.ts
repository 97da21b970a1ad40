import { assign, type ErrorActorEvent, fromPromise, setup } from 'xstate';

export type LiveStreamState = 'stopped' | 'starting' | 'started';

/** Milliseconds between two questions for a stream's state while it has not started. */
const POLL_INTERVAL = 10_000;

export type LiveStreamEvent =
  /** The user starts or stops the stream. */
  | { type: 'start' | 'stop' }
  /** A start or a stop did not get through. */
  | { type: 'command.failed'; message: string }
  /** Ask for the state now, such as when the page is looked at again. */
  | { type: 'refresh' }
  /** The user wants to leave the page. */
  | { type: 'leave' };

export interface LiveStreamInput {
  /** State when the stream was loaded. */
  state: LiveStreamState;
}

export interface LiveStreamContext {
  loaded: LiveStreamState;
  /** What a person reads. A failed question's goes with the next answer, a failed command's with the next command. */
  error: { of: 'poll' | 'command'; message: string } | null;
}

const base = setup({
  types: { context: {} as LiveStreamContext, events: {} as LiveStreamEvent, input: {} as LiveStreamInput },
  actors: {
    poll: fromPromise<LiveStreamState>(() => Promise.reject(new Error('The actor `poll` is not provided.'))),
  },
  delays: { pollInterval: POLL_INTERVAL },
  guards: {
    wasLoaded: ({ context }, state: LiveStreamState) => context.loaded === state,
    says: (_, { answer, state }: { answer: LiveStreamState; state: LiveStreamState }) => answer === state,
  },
  actions: {
    clearError: assign({ error: null }),
    clearPollError: assign(({ context }) => ({ error: context.error?.of === 'poll' ? null : context.error })),
    showPollError: assign(({ context }, error: unknown) => ({
      error:
        context.error?.of === 'command'
          ? context.error
          : { of: 'poll' as const, message: error instanceof Error ? error.message : String(error) },
    })),
    showCommandError: assign(({ context, event }) => ({
      error: event.type === 'command.failed' ? { of: 'command' as const, message: event.message } : context.error,
    })),
    startStream: () => {},
    stopStream: () => {},
    leave: () => {},
    warnBeforeLeaving: () => {},
  },
});

/** Asks once and goes where the answer says; without one it asks again later. */
function asking(afterError: 'waiting' | 'resting') {
  return base.createStateConfig({
    invoke: {
      id: 'poll',
      src: 'poll',
      onDone: (['stopped', 'starting', 'started'] as const).map((state) => ({
        guard: { type: 'says' as const, params: ({ event }) => ({ answer: event.output, state }) },
        target: `#liveStream.${state}`,
        actions: 'clearPollError' as const,
      })),
      onError: {
        target: afterError,
        actions: { type: 'showPollError', params: ({ event }: { event: ErrorActorEvent }) => event.error },
      },
    },
  });
}

/**
 * A live stream in the back-office. Until it has started its state is asked for every 10 s; a command drops the answer
 * to a question from before it. `matches('stopped')` says whether it may be edited.
 * Given by whoever starts it: the actor `poll`, and `startStream`, `stopStream`, `leave`, `warnBeforeLeaving`.
 *
 * ```
 *             start      stop      leave   answer        no answer     10 s passed   refresh,
 *                                                        (shown)                     command.failed
 * stopped     starting   ·         leave   its state     · wait 10 s   asks          asks
 * starting    ·          stopped   warn    its state     · wait 10 s   asks          asks
 * started     ·          stopped   warn    its state     ·             ·             asks
 * ```
 */
export const liveStreamMachine = base.createMachine({
  id: 'liveStream',
  context: ({ input }) => ({ loaded: input.state, error: null }),
  initial: 'loaded',
  states: {
    loaded: {
      always: [
        { guard: { type: 'wasLoaded', params: 'started' }, target: 'started' },
        { guard: { type: 'wasLoaded', params: 'starting' }, target: 'starting' },
        { target: 'stopped' },
      ],
    },
    stopped: {
      on: {
        start: { target: 'starting', actions: ['clearError', 'startStream'] },
        'command.failed': { target: '.asking', actions: 'showCommandError' },
        refresh: '.asking',
        leave: { actions: 'leave' },
      },
      initial: 'waiting',
      states: { waiting: { after: { pollInterval: 'asking' } }, asking: asking('waiting') },
    },
    starting: {
      on: {
        stop: { target: 'stopped', actions: ['clearError', 'stopStream'] },
        'command.failed': { target: '.asking', actions: 'showCommandError' },
        refresh: '.asking',
        leave: { actions: 'warnBeforeLeaving' },
      },
      initial: 'waiting',
      states: { waiting: { after: { pollInterval: 'asking' } }, asking: asking('waiting') },
    },
    started: {
      on: {
        stop: { target: 'stopped', actions: ['clearError', 'stopStream'] },
        'command.failed': { target: '.asking', actions: 'showCommandError' },
        refresh: '.asking',
        leave: { actions: 'warnBeforeLeaving' },
      },
      initial: 'resting',
      states: { resting: {}, asking: asking('resting') },
    },
  },
});
