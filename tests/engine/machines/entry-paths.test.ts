import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnyEventObject, initialTransition, transition } from 'xstate';
import { type AccessAnswer, type EntryEvent, type EntryInput, entryMachine } from '../../../engine/machines/entry.ts';
import { leavesOf, restableStates, walkPaths } from './walk-paths.ts';

const events = (...types: string[]) => types.map((type) => ({ type }));
const answers = (...all: AccessAnswer[]) => all.map((output) => ({ type: 'xstate.done.actor.access', output }));
const opens = (startsAt: number | null): AccessAnswer => ({ status: 200, now: 100, startsAt, token: 'visit' });

const CODE = { type: 'code.entered', code: 'K7' };
const WRONG: AccessAnswer = { status: 400, reason: 'wrong_code' };
const REJECTED: AccessAnswer = { status: 401 };
const ERROR = { type: 'xstate.error.actor.access', error: new Error('Offline.') };
const TICK = 'xstate.after.tick.entry.countdown';

const all: AnyEventObject[] = [
  CODE,
  { type: 'code.entered', code: ' ' },
  ...answers(opens(null), opens(101), opens(102), WRONG, REJECTED),
  ...answers(
    ...(['code_required', 'expired', 'not_yet_valid'] as const).map((reason) => ({ status: 400, reason }) as const),
  ),
  ERROR,
  { type: 'time', now: 101 },
  { type: 'time', now: 200 },
  ...events(TICK, 'retry'),
];
const inputs: EntryInput[] = [false, true].flatMap((isProtected) =>
  [null, 'old'].map((token) => ({ isProtected, token })),
);
const isAsking = (value: unknown) => value === 'loading' || JSON.stringify(value) === '{"login":"checking"}';

const walks = inputs.map((input) => ({
  input,
  ...walkPaths({
    machine: entryMachine,
    input,
    events: all,
    simpleEvents: [
      [CODE, ...answers(opens(null), WRONG, REJECTED), ERROR, ...events('retry')],
      [CODE, ...answers(opens(101), WRONG), ERROR, ...events(TICK, 'retry')],
    ],
    // A request that nobody made cannot fail.
    tries: ({ value }, { type }) => type !== ERROR.type || isAsking(value),
    invariant: ({ value, context, children, status }) => {
      const [state] = leavesOf(value);
      expect(status).toBe(state === 'in_room' ? 'done' : 'active');
      expect('access' in children).toBe(isAsking(value));
      expect(context.reason !== null).toBe(state === 'login.asking');
      expect(context.error !== null).toBe(state === 'failed');
      if (context.isProtected && context.token === null) expect(state).toBe('login.asking');
      if (context.afterLogin) expect(['loading', 'login.checking', 'failed']).toContain(state);
      if (state === 'countdown') expect(context.startsAt! > context.now).toBe(true);
    },
    isResting: ({ value }) => value === 'in_room',
  }),
}));

describe('every path', () => {
  test('every state is reached', () => {
    for (const { input: _, ...walk } of walks)
      expect(walk).toMatchObject({ broken: [], reached: restableStates(entryMachine) });
  });

  test('everybody can get into the room, and only there nothing leads on', () => {
    for (const { deadEnds, stranded } of walks) {
      expect(stranded).toEqual([]);
      expect(deadEnds.filter((key) => !key.includes('"in_room"'))).toEqual([]);
    }
  });
});

test('any answers and events: nobody is in a protected room without a token, and only a visit that a code began is kept', () => {
  const event: fc.Arbitrary<AnyEventObject> = fc.oneof(
    fc.constantFrom<AnyEventObject>(...all, { type: 'code.entered', code: 'K8' }),
    fc.record({ type: fc.constant('time'), now: fc.integer({ min: 90, max: 110 }) }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...inputs), fc.array(event, { maxLength: 40 }), (input, happens) => {
      let [snapshot] = initialTransition(entryMachine, input);
      for (const each of happens) {
        if (/\.actor\./.test(each.type) && !isAsking(snapshot.value)) continue;
        const { context } = snapshot;
        const [next, actions] = transition(entryMachine, snapshot, each as EntryEvent);
        snapshot = next;
        if (snapshot.context.isProtected && !snapshot.matches('login')) expect(snapshot.context.token).not.toBe(null);
        const stored = actions.filter(({ type }) => type === 'storeToken').map(({ params }) => params);
        const opened = context.afterLogin && each.output?.status === 200;
        expect(stored).toEqual(opened ? [each.output.token] : []);
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
