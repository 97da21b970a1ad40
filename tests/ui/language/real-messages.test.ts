import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import type { Call } from '../../../src/contract/call.ts';
import { calls } from '../../../src/contract/calls.ts';
import { ApiError } from '../../../src/contract/errors.ts';
import { NOW, spoken } from '../../engine/document/lint/spoken-cases.ts';
import { ApiApp, formOf } from '../../harness/api-app.ts';
import { arbitraryRequest } from '../../harness/arbitrary-request.ts';
import { translatorOf } from './translator-of.ts';

/** Words of English sentences that are no Dutch words, outside names and code. */
const ENGLISH =
  /\b(?:the|must|use|choose|enter|cannot|with|without|your|this|these|there|and|invalid|expected|received|remove|not|only|another|already|isn't|can't|doesn't)\b/i;
const NAMES = /“[^”]*”|"[^"]*"|`[^`]*`|https?:\S+/g;

const dutch = translatorOf('nl');
const leftInEnglish = (texts: Iterable<string>) =>
  [...texts].filter((text) => ENGLISH.test(dutch.translate(text).replace(NAMES, '')));

const all = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => ({ name: `${area}.${name}`, call })),
);
const byName = new Map(all.map(({ name, call }) => [name, call]));

/** Bodies with mistakes in each field. */
function* bodiesOf(call: Call): Generator<Record<string, unknown>> {
  yield {};
  yield { nonsense: 1 };
  const fields = Object.keys((call.body as { shape?: object } | undefined)?.shape ?? {});
  for (const value of [null, '', 'x'.repeat(5000), -1, 1e9, 1.5, true, [], ['x', 'x'], {}, { type: 'x' }])
    yield Object.fromEntries(fields.map((field) => [field, value]));
}

/** Calls of visitors, and those that end the session. */
const OTHERS = /^(?:visit|account|users\.logout)\b/;

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());

/** Sends a request, and adds the messages of its error, or its success message. */
async function addMessages(
  found: Map<string, string>,
  name: string,
  { params, query = '', body }: { params: Record<string, string>; query?: string; body: unknown },
): Promise<void> {
  const call = byName.get(name)!;
  const sent = call.files ? { form: formOf({ ...(body as Record<string, string>) }) } : { body };
  const { admin } = api.one;
  const answer = await api.call(call, params, { ...sent, query, token: admin.token });
  if (name === 'users.logout' || answer.status === 401) admin.token = await api.signIn(admin);
  const messages = Object.values((answer.body as { msg?: Record<string, string[]> } | undefined)?.msg ?? {}).flat();
  for (const text of [...messages, ...(answer.status >= 400 ? [new ApiError(answer.body.code).suggestion] : [])])
    found.set(text, name);
}

test('errors of every call have no English in the Dutch back-office', async () => {
  const found = new Map<string, string>();
  for (const { name, call } of all) {
    if (OTHERS.test(name)) continue;
    const params = Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map(([, param]) => [param!, '999999']));
    for (const body of call.body ? bodiesOf(call) : [undefined]) await addMessages(found, name, { params, body });
  }
  // Seeded: every run sends the same requests.
  for (const { name, ...request } of fc.sample(arbitraryRequest, { seed: 7, numRuns: 300 })) {
    if (OTHERS.test(name) || Object.values(request.params).some((value) => !value.isWellFormed() || value === ''))
      continue;
    await addMessages(found, name, request);
  }
  expect(found.size).toBeGreaterThan(100);
  expect(leftInEnglish(found.keys()).map((text) => `${found.get(text)}: ${text} → ${dutch.translate(text)}`)).toEqual(
    [],
  );
}, 300_000);

test('findings have no English in the Dutch editor', () => {
  const texts = spoken.flatMap(({ input }) =>
    lintRoom(input, NOW).flatMap(({ message, suggestion }) => [message, suggestion]),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(leftInEnglish(new Set(texts)).map((text) => `${text} → ${dutch.translate(text)}`)).toEqual([]);
});
