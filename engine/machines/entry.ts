import { assign, type ErrorActorEvent, fromPromise, not, setup } from 'xstate';

/** Why the login is shown. */
export type LoginReason = 'code_required' | 'wrong_code' | 'expired' | 'not_yet_valid';

/** Response to an access request. The actor throws all other errors. */
export type AccessAnswer =
  | {
      status: 200;
      /** The server's clock in seconds. */
      now: number;
      /** Server time in seconds when the room opens; null if visitors don't have to wait. */
      startsAt: number | null;
      /** Token of the visit started by the access token; null if none was started. */
      token: string | null;
    }
  | { status: 400; reason: LoginReason }
  | { status: 401 };

export interface AccessRequest {
  token: string | null;
  /** Whether the visitor has just entered the token. */
  afterLogin: boolean;
}

/** Maximum interval of the countdown in milliseconds. */
const MAX_COUNTDOWN_TICK = 1000;

export type EntryEvent =
  | { type: 'code.entered'; code: string }
  /**
   * The server's clock in seconds, used by the countdown. Timers of hidden pages are throttled: send it when the page
   * becomes visible again.
   */
  | { type: 'time'; now: number }
  | { type: 'retry' };

export interface EntryInput {
  /** Whether the room is known to be protected. */
  isProtected: boolean;
  /** The visitor's stored token. */
  token: string | null;
}

export interface EntryContext extends EntryInput {
  afterLogin: boolean;
  /** Why the login is shown; null otherwise. */
  reason: LoginReason | null;
  /** The server's clock in seconds as of the last response, tick or `time` event. */
  now: number;
  startsAt: number | null;
  /** Error message to display; null unless failed. */
  error: string | null;
}

/** Seconds until the room opens, at least 0. */
export function secondsUntilStart({ now, startsAt }: Pick<EntryContext, 'now' | 'startsAt'>): number {
  return startsAt === null ? 0 : Math.max(0, startsAt - now);
}

const base = setup({
  types: { context: {} as EntryContext, events: {} as EntryEvent, input: {} as EntryInput },
  actors: {
    access: fromPromise<AccessAnswer, AccessRequest>(() =>
      Promise.reject(new Error('The actor `access` is not provided.')),
    ),
  },
  delays: { tick: ({ context }) => Math.min(MAX_COUNTDOWN_TICK, secondsUntilStart(context) * 1000) },
  guards: {
    lacksCode: ({ context }) => context.isProtected && context.token === null,
    hasText: ({ event }) => event.type === 'code.entered' && event.code.trim() !== '',
    isNotNeeded: ({ context: { token, afterLogin, isProtected } }, { status }: AccessAnswer) =>
      status === 401 && token !== null && !afterLogin && !isProtected,
    isRejected: (_, { status }: AccessAnswer) => status === 401,
    isRefused: (_, { status }: AccessAnswer) => status === 400,
    isAfterLogin: ({ context }) => context.afterLogin,
    startsLater: ({ context }) => secondsUntilStart(context) > 0,
  },
  actions: {
    takeCode: assign(({ context, event }) =>
      event.type === 'code.entered' ? { token: event.code.trim(), afterLogin: true, reason: null } : context,
    ),
    dropToken: assign({ token: null, afterLogin: false }),
    askForCode: assign((_, reason: LoginReason) => ({
      reason,
      isProtected: true,
      token: null,
      afterLogin: false,
      error: null,
    })),
    admit: assign(({ context }, answer: AccessAnswer) => {
      if (answer.status !== 200) return {};
      const { now, startsAt, token } = answer;
      // If no visit was started, the room isn't protected anymore.
      return { now, startsAt, ...(context.afterLogin && { token, isProtected: token !== null, afterLogin: false }) };
    }),
    fail: assign((_, error: unknown) => ({ error: error instanceof Error ? error.message : String(error) })),
    forgetError: assign({ error: null }),
    setTime: assign(({ context, event }) => ({ now: event.type === 'time' ? event.now : context.now })),
    countTick: assign(({ context: { now, startsAt } }) => ({
      now: Math.min(now + MAX_COUNTDOWN_TICK / 1000, startsAt ?? now),
    })),
    /** The token was accepted: store the token of the visit. */
    storeToken: (_, _token: string | null) => {},
    clearToken: () => {},
  },
});

const reasonOf = ({ afterLogin, token }: EntryContext, answer: AccessAnswer): LoginReason => {
  if (answer.status === 400) return answer.reason;
  if (afterLogin) return 'wrong_code';
  return token === null ? 'code_required' : 'expired';
};

const asking = base.createStateConfig({
  invoke: {
    id: 'access',
    src: 'access',
    input: ({ context }) => ({ token: context.token, afterLogin: context.afterLogin }),
    onDone: [
      {
        guard: { type: 'isNotNeeded', params: ({ event }) => event.output },
        target: '#entry.arriving',
        actions: ['clearToken', 'dropToken'],
      },
      {
        guard: { type: 'isRejected', params: ({ event }) => event.output },
        target: '#entry.login',
        actions: [
          'clearToken',
          { type: 'askForCode', params: ({ context, event }) => reasonOf(context, event.output) },
        ],
      },
      {
        guard: { type: 'isRefused', params: ({ event }) => event.output },
        target: '#entry.login',
        actions: { type: 'askForCode', params: ({ context, event }) => reasonOf(context, event.output) },
      },
      {
        guard: 'isAfterLogin',
        target: '#entry.admitted',
        actions: [
          { type: 'admit', params: ({ event }) => event.output },
          { type: 'storeToken', params: ({ context }) => context.token },
        ],
      },
      { target: '#entry.admitted', actions: { type: 'admit', params: ({ event }) => event.output } },
    ],
    onError: {
      target: '#entry.failed',
      actions: { type: 'fail', params: ({ event }: { event: ErrorActorEvent }) => event.error },
    },
  },
});

/**
 * How a visitor enters a room past its login and countdown. Access is requested when loading, when checking a token, and
 * again after a countdown, because the server doesn't return the room before. The host provides the actor `access` and
 * the actions `storeToken` and `clearToken`.
 *
 * ```
 *                     access: 200   400     401               error    event and target
 * loading             admitted      login   login, retry¹     failed   ·
 * login.asking        ·             ·       ·                 ·        code.entered: login.checking
 * login.checking      admitted      login   login             failed   ·
 * countdown           ·             ·       ·                 ·        1 s passed, time: loading once it is over
 * failed              ·             ·       ·                 ·        retry: loading
 * in_room             (final)
 *
 * admitted   starts later: countdown; else: in_room
 * loading    protected and without a token: login
 * ¹ retry    without the token, if the room isn't known to be protected
 * ```
 */
export const entryMachine = base.createMachine({
  id: 'entry',
  context: ({ input }) => ({
    ...input,
    afterLogin: false,
    reason: null,
    now: 0,
    startsAt: null,
    error: null,
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'lacksCode', target: 'login', actions: { type: 'askForCode', params: 'code_required' } },
        { target: 'loading' },
      ],
    },
    loading: asking,
    login: {
      initial: 'asking',
      states: {
        asking: { on: { 'code.entered': { guard: 'hasText', target: 'checking', actions: 'takeCode' } } },
        checking: asking,
      },
    },
    admitted: {
      always: [{ guard: 'startsLater', target: 'countdown' }, { target: 'in_room' }],
    },
    countdown: {
      always: { guard: not('startsLater'), target: 'loading' },
      after: { tick: { target: 'countdown', reenter: true, actions: 'countTick' } },
      on: { time: { target: 'countdown', reenter: true, actions: 'setTime' } },
    },
    failed: { on: { retry: { target: 'arriving', actions: 'forgetError' } } },
    in_room: { type: 'final' },
  },
});
