import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnyEventObject, createActor, fromPromise, SimulatedClock } from 'xstate';
import {
  type LiveStreamContext,
  type LiveStreamEvent,
  type LiveStreamState,
  liveStreamMachine,
} from '../../../engine/machines/live-stream.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const STATES: LiveStreamState[] = ['stopped', 'starting', 'started'];

const messageIn = ({ error }: LiveStreamContext) => error?.message ?? null;

/** The page of a stream that was loaded in this state. `log` is what the page asked and told; `answer` answers the last. */
function page(state: LiveStreamState) {
  const log: string[] = [];
  const questions: PromiseWithResolvers<LiveStreamState>[] = [];
  const clock = new SimulatedClock();
  const logged = (line: string) =>
    fromPromise(() => {
      log.push(line);
      questions.push(Promise.withResolvers<LiveStreamState>());
      return questions.at(-1)!.promise;
    });
  const machine = liveStreamMachine.provide({
    actors: { poll: logged('asked'), start: logged('start'), stop: logged('stop') },
  });
  const actor = createActor(machine, { clock }).start();
  actor.send({ type: 'loaded', state });
  return {
    log,
    clock,
    send: (event: LiveStreamEvent | 'start' | 'stop' | 'refresh') =>
      actor.send(typeof event === 'string' ? { type: event } : event),
    answer: async (with_: LiveStreamState | Error, question = questions.length - 1) => {
      if (with_ instanceof Error) questions[question]!.reject(with_);
      else questions[question]!.resolve(with_);
      await new Promise((resolve) => setImmediate(resolve));
    },
    state: () => STATES.find((each) => actor.getSnapshot().matches(each)),
    has: (tag: 'active' | 'commanding') => actor.getSnapshot().hasTag(tag),
    error: (): string | null => messageIn(actor.getSnapshot().context),
  };
}

const ACTORS = ['poll', 'start', 'stop'];
const LEAF_OF: Record<string, RegExp> = { poll: /asking/, start: /starting.*commanding/, stop: /stopped.*commanding/ };
const events: AnyEventObject[] = [
  ...['start', 'stop', 'refresh'].map((type) => ({ type })),
  ...ACTORS.flatMap((actor) => STATES.map((output) => ({ type: `xstate.done.actor.${actor}`, output }))),
  { type: 'xstate.error.actor.poll', error: new Error('Offline.') },
  ...['stopped', 'starting'].map((each) => ({ type: `xstate.after.pollInterval.liveStream.${each}.waiting` })),
];
const loaded = STATES.map((state) => ({ type: 'loaded', state }));
const refused = ['start', 'stop'].map((actor) => ({
  type: `xstate.error.actor.${actor}`,
  error: new Error('Refused.'),
}));
const actorIn = (type: string) => /^xstate\.\w+\.actor\.(\w+)$/.exec(type)?.[1];
const walk = walkPaths({
  machine: liveStreamMachine,
  events: [...loaded, ...events, ...refused],
  simpleEvents: STATES.map((state) => [
    { type: 'loaded', state },
    ...events.filter(({ type }) => ['start', 'stop', 'refresh', 'xstate.error.actor.poll'].includes(type)),
    ...STATES.map((output) => ({ type: 'xstate.done.actor.poll', output })),
    { type: 'xstate.done.actor.start', output: 'starting' },
    { type: 'xstate.done.actor.stop', output: 'stopped' },
  ]),
  // What was not asked or told is not answered.
  tries: ({ value }, { type }) => {
    const actor = actorIn(type);
    return actor === undefined || LEAF_OF[actor]!.test(JSON.stringify(value));
  },
  invariant: ({ value, status, children, context }) => {
    expect(status).toBe('active');
    for (const actor of ACTORS) expect(actor in children).toBe(LEAF_OF[actor]!.test(JSON.stringify(value)));
    expect([null, 'Refused.', 'Offline.']).toContain(messageIn(context));
  },
  isResting: ({ value, context }) => JSON.stringify(value) === '{"stopped":"waiting"}' && context.error === null,
});

describe('every path', () => {
  test('every state is reached', () => {
    expect(walk).toMatchObject({ broken: [], reached: restableStates(liveStreamMachine) });
  });

  test('something can always be done, and it can always be stopped without an error showing', () => {
    expect(walk).toMatchObject({ deadEnds: [], stranded: [] });
  });
});

describe('loading', () => {
  test.each(STATES)('shows a stream that is %s as that', (state) => {
    expect(page(state).state()).toBe(state);
  });

  test('anew shows the state that it is in now, and a question from before it is dropped', async () => {
    const { send, answer, state } = page('stopped');
    send('refresh');
    send({ type: 'loaded', state: 'started' });
    await answer('stopped');
    expect(state()).toBe('started');
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
  test('a stopped stream starts, and one that is starting or started stops', async () => {
    const { log, send, answer, state } = page('stopped');
    send('stop');
    expect(log).toEqual([]);
    send('start');
    expect(state()).toBe('starting');
    await answer('starting');
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

  test("the platform's answer is what is shown", async () => {
    const { send, answer, state } = page('stopped');
    send('start');
    await answer('started');
    expect(state()).toBe('started');
    send('stop');
    await answer('started');
    expect(state()).toBe('started');
  });

  test('while the platform is told, nothing else is told or asked', async () => {
    const { log, send, answer, state, has, clock } = page('stopped');
    send('start');
    expect(has('commanding')).toBe(true);
    for (const event of ['start', 'stop', 'refresh'] as const) send(event);
    send({ type: 'loaded', state: 'stopped' });
    clock.increment(60_000);
    expect([log, state()]).toEqual([['start'], 'starting']);
    await answer('starting');
    expect(has('commanding')).toBe(false);
  });

  test('an answer to a question from before the command is dropped', async () => {
    const { clock, send, answer, state, log } = page('stopped');
    clock.increment(10_000);
    send('start');
    await answer('stopped', 0);
    expect(state()).toBe('starting');
    await answer('starting');
    clock.increment(9_999);
    expect(log).toEqual(['asked', 'start']);
    clock.increment(1);
    await answer('started');
    expect(state()).toBe('started');
  });

  test('a command that fails says so and asks for the state; the message stays until the next command', async () => {
    const { log, send, answer, state, error, clock } = page('stopped');
    send('start');
    await answer(new Error('The encoder is busy.'));
    expect(log).toEqual(['start', 'asked']);
    await answer('stopped');
    expect([state(), error()]).toEqual(['stopped', 'The encoder is busy.']);
    clock.increment(10_000);
    await answer(new Error('Offline.'));
    expect(error()).toBe('The encoder is busy.');
    send('start');
    expect(error()).toBe(null);
  });

  test('stopping that fails says so, and the answer shows that it still runs', async () => {
    const { send, answer, state, error } = page('started');
    send('stop');
    await answer(new Error('Not allowed.'));
    await answer('started');
    expect([state(), error()]).toEqual(['started', 'Not allowed.']);
  });
});

test('it is active unless it rests stopped: then it may be edited, and the page left without a warning', async () => {
  expect(STATES.map((state) => page(state).has('active'))).toEqual([false, true, true]);
  const { send, has, answer } = page('started');
  send('stop');
  expect(has('active')).toBe(true);
  await answer('stopped');
  expect(has('active')).toBe(false);
});

test('any events and pauses: it is asked at most once in 10 s unless somebody asks, and never while started', () => {
  const step = fc.oneof(fc.constantFrom(...STATES), fc.constantFrom(1, 5_000, 9_999, 10_000));
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
          send({ type: 'loaded', state: each });
          waited = 0;
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
