import { describe, expect, test } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import {
  type AccessAnswer,
  type AccessRequest,
  type EntryEvent,
  type EntryInput,
  entryMachine,
  type LoginReason,
  secondsUntilStart,
} from '../../../engine/machines/entry.ts';
import { leavesOf } from './walk-paths.ts';

/** @param token of the visit that a code began */
const open = (token: string | null = null): AccessAnswer => ({ status: 200, now: 100, startsAt: null, token });
const OPEN = open();
const opensIn = (seconds: number, token: string | null = null): AccessAnswer => ({
  status: 200,
  now: 100,
  startsAt: 100 + seconds,
  token,
});
const refused = (reason: LoginReason): AccessAnswer => ({
  status: 400,
  reason,
});
const REJECTED: AccessAnswer = { status: 401 };
const PUBLIC: EntryInput = { isProtected: false, token: null };

/** A visitor at the door. `answer` answers the last request for access; `tokens` is what was stored and cleared. */
function door(input: Partial<EntryInput> = {}) {
  const requests: (AccessRequest & PromiseWithResolvers<AccessAnswer>)[] = [];
  const tokens: string[] = [];
  const clock = new SimulatedClock();
  const machine = entryMachine.provide({
    actors: {
      access: fromPromise(({ input: request }: { input: AccessRequest }) => {
        requests.push({ ...request, ...Promise.withResolvers<AccessAnswer>() });
        return requests.at(-1)!.promise;
      }),
    },
    actions: {
      storeToken: (_, token) => void tokens.push(`stored ${token}`),
      clearToken: () => void tokens.push('cleared'),
    },
  });
  const actor = createActor(machine, { input: { ...PUBLIC, ...input }, clock }).start();
  return {
    clock,
    tokens,
    asked: () => requests.map(({ token, afterLogin }) => ({ token, afterLogin })),
    send: (event: EntryEvent) => actor.send(event),
    enter: (code: string) => actor.send({ type: 'code.entered', code }),
    answer: async (with_: AccessAnswer | Error) => {
      if (with_ instanceof Error) requests.at(-1)!.reject(with_);
      else requests.at(-1)!.resolve(with_);
      await new Promise((resolve) => setImmediate(resolve));
    },
    state: () => leavesOf(actor.getSnapshot().value).join(),
    context: () => actor.getSnapshot().context,
    left: () => secondsUntilStart(actor.getSnapshot().context),
  };
}

describe('a public room', () => {
  test('is entered at once', async () => {
    const { asked, answer, state, tokens } = door();
    expect(state()).toBe('loading');
    expect(asked()).toEqual([{ token: null, afterLogin: false }]);
    await answer(OPEN);
    expect(state()).toBe('in_room');
    expect(tokens).toEqual([]);
  });

  test('that a token from elsewhere does not open is asked for again without it', async () => {
    const { asked, answer, state, tokens } = door({ token: 'old' });
    await answer(REJECTED);
    expect(state()).toBe('loading');
    expect(tokens).toEqual(['cleared']);
    expect(asked().at(-1)).toEqual({ token: null, afterLogin: false });
    await answer(OPEN);
    expect(state()).toBe('in_room');
  });
});

describe('a protected room', () => {
  test('asks for a code at once when the visitor has none', () => {
    const { asked, state, context } = door({ isProtected: true });
    expect(state()).toBe('login.asking');
    expect(context().reason).toBe('code_required');
    expect(asked()).toEqual([]);
  });

  test('lets in a visitor whose token is stored', async () => {
    const { asked, answer, state } = door({ isProtected: true, token: 'K7' });
    expect(asked()).toEqual([{ token: 'K7', afterLogin: false }]);
    await answer(OPEN);
    expect(state()).toBe('in_room');
  });

  test('asks for a code when access says 400, though nobody knew it was protected', async () => {
    const { answer, state, context } = door();
    await answer(refused('code_required'));
    expect(state()).toBe('login.asking');
    expect(context().reason).toBe('code_required');
  });

  test('asks for access again with the code, and keeps it once it opened the room', async () => {
    const { enter, asked, answer, state, tokens, context } = door({ isProtected: true });
    enter('  K7 ');
    expect(state()).toBe('login.checking');
    expect(asked()).toEqual([{ token: 'K7', afterLogin: true }]);
    expect(tokens).toEqual([]);
    await answer(open('visit'));
    expect(state()).toBe('in_room');
    expect(tokens).toEqual(['stored visit']);
    expect(context()).toMatchObject({ afterLogin: false, token: 'visit' });
  });

  test('that asks for no code any more is entered without one from then on', async () => {
    const { enter, answer, state, tokens } = door({ isProtected: true });
    enter('K7');
    await answer(OPEN);
    expect(state()).toBe('in_room');
    expect(tokens).toEqual(['stored null']);
  });

  test('an empty code is not sent', () => {
    const { enter, asked, state } = door({ isProtected: true });
    enter('   ');
    expect(state()).toBe('login.asking');
    expect(asked()).toEqual([]);
  });

  test.each(['wrong_code', 'expired', 'not_yet_valid'] as const)('says why a code is refused: %s', async (reason) => {
    const { enter, answer, state, context, tokens } = door({ isProtected: true });
    enter('K7');
    await answer(refused(reason));
    expect(state()).toBe('login.asking');
    expect(context().reason).toBe(reason);
    expect(tokens).toEqual([]);
    enter('K8');
    expect(context().reason).toBe(null);
    await answer(open('visit'));
    expect(state()).toBe('in_room');
    expect(tokens).toEqual(['stored visit']);
  });

  test('401 clears the token and asks for a code, and says that the old one has expired', async () => {
    const { answer, state, context, tokens } = door({ isProtected: true, token: 'old' });
    await answer(REJECTED);
    expect(state()).toBe('login.asking');
    expect(context()).toMatchObject({ reason: 'expired', token: null });
    expect(tokens).toEqual(['cleared']);
  });

  test('401 for a code that was just entered is a wrong code, and without any a code is asked for', async () => {
    const entered = door({ isProtected: true });
    entered.enter('K7');
    await entered.answer(REJECTED);
    expect(entered.state()).toBe('login.asking');
    expect(entered.context().reason).toBe('wrong_code');
    const without = door();
    await without.answer(REJECTED);
    expect(without.state()).toBe('login.asking');
    expect(without.context().reason).toBe('code_required');
    expect(without.asked()).toHaveLength(1);
  });
});

describe('the countdown', () => {
  test('ticks every second until the start, asks for access again, then lets in', async () => {
    const { answer, asked, clock, state, left } = door();
    await answer(opensIn(3));
    expect([state(), left()]).toEqual(['countdown', 3]);
    clock.increment(999);
    expect(left()).toBe(3);
    clock.increment(1);
    expect(left()).toBe(2);
    clock.increment(1000);
    expect(left()).toBe(1);
    clock.increment(999);
    expect(state()).toBe('countdown');
    expect(asked()).toHaveLength(1);
    clock.increment(1);
    expect([state(), left()]).toEqual(['loading', 0]);
    expect(asked()).toHaveLength(2);
    await answer(OPEN);
    expect(state()).toBe('in_room');
  });

  test('that the server does not see ended yet goes on', async () => {
    const { answer, clock, state, asked } = door();
    await answer(opensIn(1));
    clock.increment(1000);
    expect(state()).toBe('loading');
    await answer(opensIn(0.5));
    expect(state()).toBe('countdown');
    clock.increment(500);
    expect(state()).toBe('loading');
    expect(asked()).toHaveLength(3);
  });

  test('behind a code asks again with the visit that the code began', async () => {
    const { enter, answer, asked, clock, state } = door({ isProtected: true });
    enter('K7');
    await answer(opensIn(1, 'visit'));
    expect(state()).toBe('countdown');
    clock.increment(1000);
    expect(asked().at(-1)).toEqual({ token: 'visit', afterLogin: false });
    await answer(REJECTED);
    expect(state()).toBe('login.asking');
  });

  test('ends to the millisecond when the start is not a whole second away', async () => {
    const { answer, clock, state } = door();
    await answer(opensIn(1.25));
    clock.increment(1000);
    clock.increment(249);
    expect(state()).toBe('countdown');
    clock.increment(1);
    expect(state()).toBe('loading');
    await answer(OPEN);
    expect(state()).toBe('in_room');
  });

  test('does not show when the start is now or over, or when visitors do not wait', async () => {
    for (const each of [opensIn(0), opensIn(-1), OPEN]) {
      const { answer, state } = door();
      await answer(each);
      expect(state()).toBe('in_room');
    }
  });

  test('follows the measured clock, forwards, backwards and past the start', async () => {
    const { answer, clock, send, state, left } = door();
    await answer(opensIn(60));
    clock.increment(500);
    send({ type: 'time', now: 130 });
    expect(left()).toBe(30);
    clock.increment(999);
    expect(left()).toBe(30);
    clock.increment(1);
    expect(left()).toBe(29);
    send({ type: 'time', now: 120 });
    expect(left()).toBe(40);
    send({ type: 'time', now: 160 });
    expect(state()).toBe('loading');
  });
});

describe('a failure', () => {
  test('says what happened, and trying again asks again', async () => {
    const { answer, send, state, context, asked } = door();
    await answer(new Error('The server does not answer.'));
    expect(state()).toBe('failed');
    expect(context().error).toBe('The server does not answer.');
    send({ type: 'retry' });
    expect(state()).toBe('loading');
    expect(context().error).toBe(null);
    expect(asked()).toHaveLength(2);
    await answer(OPEN);
    expect(state()).toBe('in_room');
  });

  test('while a code is checked does not lose the code', async () => {
    const { enter, answer, send, state, asked, tokens } = door({ isProtected: true });
    enter('K7');
    await answer(new Error('Offline.'));
    expect(state()).toBe('failed');
    send({ type: 'retry' });
    expect(asked().at(-1)).toEqual({ token: 'K7', afterLogin: true });
    await answer(open('visit'));
    expect(tokens).toEqual(['stored visit']);
  });
});
