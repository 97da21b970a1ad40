import { assign, type ErrorActorEvent, fromPromise, setup } from 'xstate';

const LIVE_STREAM_STATES = ['stopped', 'starting', 'started'] as const;

export type LiveStreamState = (typeof LIVE_STREAM_STATES)[number];

/** Milliseconds between two questions for a stream's state while it has not started. */
const POLL_INTERVAL = 10_000;

export type LiveStreamEvent =
  /** The stream was read, at first or anew. */
  | { type: 'loaded'; state: LiveStreamState }
  /** The user starts or stops the stream. */
  | { type: 'start' | 'stop' }
  /** Ask for the state now, such as when the page is looked at again. */
  | { type: 'refresh' };

export interface LiveStreamContext {
  /** What a person reads. A failed question's goes with the next answer, a failed command's with the next command. */
  error: { of: 'poll' | 'command'; message: string } | null;
}

const answering = (name: string) =>
  fromPromise<LiveStreamState>(() => Promise.reject(new Error(`The actor \`${name}\` is not provided.`)));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const base = setup({
  types: { context: {} as LiveStreamContext, events: {} as LiveStreamEvent, tags: {} as 'active' | 'commanding' },
  actors: { poll: answering('poll'), start: answering('start'), stop: answering('stop') },
  delays: { pollInterval: POLL_INTERVAL },
  guards: {
    says: (_, { answer, state }: { answer: LiveStreamState; state: LiveStreamState }) => answer === state,
  },
  actions: {
    clearError: assign({ error: null }),
    clearPollError: assign(({ context }) => ({ error: context.error?.of === 'poll' ? null : context.error })),
    showPollError: assign(({ context }, error: unknown) => ({
      error: context.error?.of === 'command' ? context.error : { of: 'poll' as const, message: messageOf(error) },
    })),
    showCommandError: assign((_, error: unknown) => ({
      error: { of: 'command' as const, message: messageOf(error) },
    })),
  },
});

/** Asks once and goes where the answer says; without one it asks again later. */
function asking(afterError: 'waiting' | 'resting') {
  return base.createStateConfig({
    invoke: {
      id: 'poll',
      src: 'poll',
      onDone: LIVE_STREAM_STATES.map((state) => ({
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

/** Tells the platform and goes where its answer says; nothing else is done or asked meanwhile. */
function commanding(command: 'start' | 'stop') {
  return base.createStateConfig({
    tags: ['active', 'commanding'],
    invoke: {
      id: command,
      src: command,
      onDone: LIVE_STREAM_STATES.map((state) => ({
        guard: { type: 'says' as const, params: ({ event }) => ({ answer: event.output, state }) },
        target: `#liveStream.${state}`,
      })),
      onError: {
        target: 'asking',
        actions: { type: 'showCommandError', params: ({ event }: { event: ErrorActorEvent }) => event.error },
      },
    },
    on: { loaded: {}, start: {}, stop: {}, refresh: {} },
  });
}

/**
 * A live stream in the back-office. Until it has started its state is asked for every 10 s; a command drops the answer
 * to a question from before it. The tag `active` says that it cannot be edited and that leaving the page is warned of,
 * `commanding` that the platform is being told. Given by whoever starts it: the actors `poll`, `start` and `stop`.
 *
 * ```
 *             start           stop             answer      no answer     10 s passed   refresh
 *                                                          (shown)
 * loading     ·               ·                ·           ·             ·             ·         (until `loaded`)
 * stopped     starting, told  ·                its state   · wait 10 s   asks          asks
 * starting    ·               stopped, told    its state   · wait 10 s   asks          asks
 * started     ·               stopped, told    its state   ·             ·             asks
 * … told      ·               ·                its state   asks          ·             ·
 * ```
 */
export const liveStreamMachine = base.createMachine({
  id: 'liveStream',
  context: { error: null },
  initial: 'loading',
  on: {
    loaded: LIVE_STREAM_STATES.map((state) => ({
      guard: { type: 'says' as const, params: ({ event }) => ({ answer: event.state, state }) },
      target: `.${state}`,
      actions: 'clearPollError' as const,
    })),
  },
  states: {
    loading: {},
    stopped: {
      on: { start: { target: 'starting.commanding', actions: 'clearError' }, refresh: '.asking' },
      initial: 'waiting',
      states: {
        waiting: { after: { pollInterval: 'asking' } },
        asking: asking('waiting'),
        commanding: commanding('stop'),
      },
    },
    starting: {
      tags: 'active',
      on: { stop: { target: 'stopped.commanding', actions: 'clearError' }, refresh: '.asking' },
      initial: 'waiting',
      states: {
        waiting: { after: { pollInterval: 'asking' } },
        asking: asking('waiting'),
        commanding: commanding('start'),
      },
    },
    started: {
      tags: 'active',
      on: { stop: { target: 'stopped.commanding', actions: 'clearError' }, refresh: '.asking' },
      initial: 'resting',
      states: { resting: {}, asking: asking('resting') },
    },
  },
});
