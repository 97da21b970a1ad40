import { assign, type ErrorActorEvent, fromPromise, setup } from 'xstate';

const LIVE_STREAM_STATES = ['stopped', 'starting', 'started'] as const;

export type LiveStreamState = (typeof LIVE_STREAM_STATES)[number];

/** Milliseconds between polls while the stream hasn't started. */
const POLL_INTERVAL = 10_000;

export type LiveStreamEvent =
  /** The stream was loaded or reloaded. */
  | { type: 'loaded'; state: LiveStreamState }
  /** The user starts or stops the stream. */
  | { type: 'start' | 'stop' }
  /** Poll now, for example when the page becomes visible again. */
  | { type: 'refresh' };

export interface LiveStreamContext {
  /** Error message to display. Poll errors are cleared by the next response, command errors by the next command. */
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

/** Polls once and enters the reported state; retries later on error. */
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

/** Sends a command and enters the reported state; nothing else happens meanwhile. */
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
 * A live stream in the back office. Its state is polled every 10 s until it has started; a command discards the response
 * of an earlier poll. The tag `active` means that it can't be edited and that leaving the page shows a warning,
 * `commanding` that a command is in progress. The host provides the actors `poll`, `start` and `stop`.
 *
 * ```
 *             start           stop             response    error         10 s passed   refresh
 * loading     ·               ·                ·           ·             ·             ·         (until `loaded`)
 * stopped     starting, cmd.  ·                its state   · wait 10 s   polls         polls
 * starting    ·               stopped, cmd.    its state   · wait 10 s   polls         polls
 * started     ·               stopped, cmd.    its state   ·             ·             polls
 * … cmd.      ·               ·                its state   polls         ·             ·
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
