import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnyEventObject, createActor, fromPromise, SimulatedClock } from 'xstate';
import {
  type LiveStreamContext,
  type LiveStreamEvent,
  type LiveStreamInput,
  type LiveStreamState,
  liveStreamMachine,
} from '../../engine/machines/live-stream.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const STATES: LiveStreamState[] = ['stopped', 'starting', 'started'];

const messageIn = ({ error }: LiveStreamContext) => error?.message ?? null;

/** The page of a stream that was loaded in this state. `log` is what the page did, `answer` answers its last question. */
function page(state: LiveStreamInput['state']) {
  const log: string[] = [];
  const questions: PromiseWithResolvers<LiveStreamState>[] = [];
  const clock = new SimulatedClock();
  const machine = liveStreamMachine.provide({
    actors: {
      poll: fromPromise(() => {
        log.push('asked');
        questions.push(Promise.withResolvers<LiveStreamState>());
        return questions.at(-1)!.promise;
      }),
    },
    actions: {
      startStream: () => void log.push('start'),
      stopStream: () => void log.push('stop'),
      leave: () => void log.push('left'),
      warnBeforeLeaving: () => void log.push('warned'),
    },
  });
  const actor = createActor(machine, { input: { state }, clock }).start();
  return {
    log,
    clock,
    send: (event: LiveStreamEvent | LiveStreamEvent['type']) =>
      actor.send(typeof event === 'string' ? ({ type: event } as LiveStreamEvent) : event),
    answer: async (with_: LiveStreamState | Error, question = questions.length - 1) => {
      if (with_ instanceof Error) questions[question]!.reject(with_);
      else questions[question]!.resolve(with_);
      await new Promise((resolve) => setImmediate(resolve));
    },
    state: () => STATES.find((each) => actor.getSnapshot().matches(each)),
    error: (): string | null => messageIn(actor.getSnapshot().context),
  };
}

const events: AnyEventObject[] = [
  ...['start', 'stop', 'refresh', 'leave'].map((type) => ({ type })),
  ...STATES.map((output) => ({ type: 'xstate.done.actor.poll', output })),
  { type: 'xstate.error.actor.poll', error: new Error('Offline.') },
  ...['stopped', 'starting'].map((each) => ({ type: `xstate.after.pollInterval.liveStream.${each}.waiting` })),
];
const walks = STATES.map((state) =>
  walkPaths({
    machine: liveStreamMachine,
    input: { state },
    events: [...events, { type: 'command.failed', message: 'Refused.' }],
    simpleEvents: [events],
    // A question that nobody asked can not fail.
    tries: ({ value }, { type }) => type !== 'xstate.error.actor.poll' || JSON.stringify(value).includes('asking'),
    invariant: ({ value, status, children, context }) => {
      expect(status).toBe('active');
      expect('poll' in children).toBe(JSON.stringify(value).includes('asking'));
      expect([null, 'Refused.', 'Offline.']).toContain(messageIn(context));
    },
    isResting: ({ value, context }) => JSON.stringify(value) === '{"stopped":"waiting"}' && context.error === null,
  }),
);

describe('every path', () => {
  test('every state is reached, whichever the stream was loaded in', () => {
    for (const walk of walks) expect(walk).toMatchObject({ broken: [], reached: restableStates(liveStreamMachine) });
  });

  test('something can always be done, and it can always be stopped without an error showing', () => {
    for (const walk of walks) expect(walk).toMatchObject({ deadEnds: [], stranded: [] });
  });
});

describe('loading', () => {
  test.each(STATES)('shows a stream that is %s as that', (state) => {
    expect(page(state).state()).toBe(state);
  });
});

describe('asking for the state', () => {
  test.each(['stopped', 'starting'] as const)('happens every 10 s while %s', async (state) => {
    const { log, clock, answer } = page(state);
    clock.increment(9_999);
    expect(log).toEqual([]);
    clock.increment(1);
    expect(log).toEqual(['asked']);
    clock.increment(60_000);
    expect(log).toEqual(['asked']);
    await answer(state);
    clock.increment(9_999);
    expect(log).toHaveLength(1);
    clock.increment(1);
    expect(log).toHaveLength(2);
  });

  test('ends when the stream has started', async () => {
    const { log, clock, answer, state } = page('starting');
    clock.increment(10_000);
    await answer('started');
    expect(state()).toBe('started');
    clock.increment(60_000);
    expect(log).toEqual(['asked']);
  });

  test('shows what somebody else did', async () => {
    for (const [before, after] of [
      ['stopped', 'starting'],
      ['stopped', 'started'],
      ['starting', 'stopped'],
    ] as const) {
      const { clock, answer, state } = page(before);
      clock.increment(10_000);
      await answer(after);
      expect(state()).toBe(after);
    }
  });

  test('can be done at once, also when started', async () => {
    for (const before of STATES) {
      const { log, send, answer, state } = page(before);
      send('refresh');
      expect(log).toEqual(['asked']);
      await answer('stopped');
      expect(state()).toBe('stopped');
    }
  });

  test('that fails says so and goes on, until an answer comes', async () => {
    const { log, clock, answer, state, error } = page('starting');
    clock.increment(10_000);
    await answer(new Error('The server does not answer.'));
    expect(error()).toBe('The server does not answer.');
    expect(state()).toBe('starting');
    clock.increment(10_000);
    expect(log).toEqual(['asked', 'asked']);
    await answer('started');
    expect(error()).toBe(null);
    expect(state()).toBe('started');
  });

  test('of a started stream that fails leaves it started', async () => {
    const { send, answer, state, error, clock, log } = page('started');
    send('refresh');
    await answer(new Error('Offline.'));
    expect([state(), error()]).toEqual(['started', 'Offline.']);
    clock.increment(60_000);
    expect(log).toEqual(['asked']);
  });
});

describe('starting and stopping', () => {
  test('a stopped stream starts, and one that is starting or started stops', () => {
    const { log, send, state } = page('stopped');
    send('stop');
    expect(log).toEqual([]);
    send('start');
    expect(state()).toBe('starting');
    send('start');
    expect(log).toEqual(['start']);
    send('stop');
    expect(state()).toBe('stopped');
    const started = page('started');
    started.send('start');
    started.send('stop');
    expect(started.log).toEqual(['stop']);
    expect(started.state()).toBe('stopped');
  });

  test('an answer to a question from before the command is dropped', async () => {
    const { clock, send, answer, state, log } = page('stopped');
    clock.increment(10_000);
    send('start');
    await answer('stopped');
    expect(state()).toBe('starting');
    clock.increment(9_999);
    expect(log).toEqual(['asked', 'start']);
    clock.increment(1);
    await answer('started');
    expect(state()).toBe('started');
  });

  test('a command that fails says so and asks for the state; the message stays until the next command', async () => {
    const { log, send, answer, state, error, clock } = page('stopped');
    send('start');
    send({ type: 'command.failed', message: 'The encoder is busy.' });
    expect(log).toEqual(['start', 'asked']);
    await answer('stopped');
    expect([state(), error()]).toEqual(['stopped', 'The encoder is busy.']);
    clock.increment(10_000);
    await answer(new Error('Offline.'));
    expect(error()).toBe('The encoder is busy.');
    send('start');
    expect(error()).toBe(null);
    send({ type: 'command.failed', message: 'Still busy.' });
    send('stop');
    expect(error()).toBe(null);
  });

  test.each(STATES)('a command that fails late, when the stream is %s, says so too', async (state) => {
    const { log, send, answer, error } = page(state);
    send({ type: 'command.failed', message: 'Timed out.' });
    expect(log).toEqual(['asked']);
    await answer(state);
    expect(error()).toBe('Timed out.');
  });

  test('stopping that fails says so, and the answer shows that it still runs', async () => {
    const { send, answer, state, error } = page('started');
    send('stop');
    send({ type: 'command.failed', message: 'Not allowed.' });
    await answer('started');
    expect([state(), error()]).toEqual(['started', 'Not allowed.']);
  });
});

test('leaving warns while the stream is active, and only then', () => {
  expect(
    STATES.map((state) => {
      const { log, send } = page(state);
      send('leave');
      return log[0];
    }),
  ).toEqual(['left', 'warned', 'warned']);
});

test('any events and pauses: it is asked at most once in 10 s unless somebody asks, and never while started', () => {
  const step = fc.oneof(
    fc.constantFrom<LiveStreamEvent['type']>('start', 'stop', 'leave'),
    fc.constantFrom(1, 5_000, 9_999, 10_000),
  );
  fc.assert(
    fc.property(fc.constantFrom(...STATES), fc.array(step, { maxLength: 40 }), (from, steps) => {
      const { log, clock, send, state } = page(from);
      let waited = 0;
      for (const each of steps) {
        const before = log.length;
        const was = state();
        if (typeof each === 'number') {
          waited += each;
          clock.increment(each);
        } else {
          send(each);
          if (state() !== was) waited = 0;
        }
        const asked = log.slice(before).filter((line) => line === 'asked').length;
        // A question stays open here, so there is one for each stay in a state.
        expect(asked).toBe(
          typeof each === 'number' && was !== 'started' && waited >= 10_000 && waited - each < 10_000 ? 1 : 0,
        );
      }
    }),
    { numRuns: 300, seed: 1 },
  );
});
