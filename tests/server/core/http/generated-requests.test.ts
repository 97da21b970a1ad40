import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ELEMENT_TYPES } from '../../../../engine/document/element.ts';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, type DatabaseKind, databases, formOf, type Sent, type TestUser } from '../../../harness/api-app.ts';

/** Requests on one server. */
const BATCH = 400;
/** Servers on each database; a longer run sets GENERATED_BATCHES. */
const BATCHES = Number(process.env.GENERATED_BATCHES ?? 1);

const table = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => ({ name: `${area}.${name}`, call })),
);

/** Calls that make something. */
const making = table.filter(({ call }) => call.status === 201);

const anyValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 1e308, '', 'Hall', '12:30', '#ff0000', '/media/a', [], {}),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 4 }),
);
const id = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, { weight: 1, arbitrary: fc.integer() });

/** Values for the fields that a schema names, some right and some not. */
const FIELDS: Record<string, Arbitrary<unknown>> = {
  id,
  template_id: id,
  room_id: id,
  parent_element_id: fc.option(id),
  parent_endpoint_id: fc.option(id),
  file_id: fc.option(id),
  element: fc.constantFrom(...ELEMENT_TYPES),
  name: fc.string({ maxLength: 20 }),
  title: fc.string({ maxLength: 20 }),
  slug: fc.string({ maxLength: 20 }),
  sort: fc.oneof(
    fc.array(id, { maxLength: 5 }),
    fc.array(fc.record({ id, children: fc.array(fc.record({ id }), { maxLength: 2 }) }), { maxLength: 5 }),
  ),
  config: fc.dictionary(
    fc.constantFrom('navigation', 'body', 'title', 'camera', 'color', 'target', 'animate', 'duration', 'file_url'),
    anyValue,
    { maxKeys: 4, noNullPrototype: true },
  ),
};

/** Fields without which nothing is made. */
const NEEDED = ['title', 'name', 'element', 'room_id'];

/** A few fields that a call takes, most with values that fit, and most often those without which nothing is made. */
function bodyOf(call: Call): Arbitrary<Record<string, unknown> | undefined> {
  const shape = (call.body as { shape?: object } | undefined)?.shape;
  if (!shape) return fc.constant(undefined);
  const names = Object.keys(shape);
  const needed = names.filter((name) => NEEDED.includes(name));
  const chosen = fc.tuple(
    fc.subarray(names, { maxLength: Math.min(3, names.length) }),
    fc.oneof({ weight: 4, arbitrary: fc.constant(needed) }, { weight: 1, arbitrary: fc.constant([]) }),
  );
  const valueFor = (name: string) =>
    fc.oneof({ weight: 4, arbitrary: FIELDS[name] ?? anyValue }, { weight: 1, arbitrary: anyValue });
  return chosen.chain(([some, always]) =>
    fc.record(Object.fromEntries([...always, ...some].map((name) => [name, valueFor(name)])), {
      noNullPrototype: true,
    }),
  );
}

const queryOf = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(
        fc.constantFrom('search', 'page', 'per_page', 'room_id', 'filters', 'force', 'x'),
        fc.oneof(fc.string(), id.map(String)),
        {
          maxKeys: 3,
        },
      )
      .map((entries) => new URLSearchParams(entries as Record<string, string>).toString()),
  },
);

/** A value that fits, or at times any text. */
const mostly = (fitting: Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) });

/** One of all calls; of those that make something more often than they are among all, for all else needs what they make. */
const chosenCall = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...table) },
  { weight: 1, arbitrary: fc.constantFrom(...making) },
);

const requests = chosenCall.chain(({ name, call }) =>
  fc.record({
    name: fc.constant(name),
    role: fc.constantFrom('nobody', 'reader', 'stranger', ...Array<string>(5).fill('admin')),
    params: fc.record({
      id: mostly(id.map(String)),
      hidden: mostly(fc.constantFrom('0', '1')),
      slugOne: mostly(fc.constantFrom('hall', 'hall-1', 'none')),
      slugTwo: mostly(fc.constant('hall')),
    }),
    body: bodyOf(call),
    query: queryOf,
  }),
);

const addReader = (api: ApiApp) =>
  api.addUser(api.one, { rooms: { view_any: true, create: false, update: false, delete: false } });

/** A server with a few of everything, and the session of each role. */
async function furnish(kind: DatabaseKind): Promise<{ api: ApiApp; users: Record<string, TestUser | null> }> {
  const api = await ApiApp.start(kind);
  const reader = await addReader(api);
  const { rooms, templates, endpoints } = api.client();
  for (let index = 0; index < 4; index++) {
    const template = await templates.create({ body: { name: `T${index}` } });
    const room = await rooms.create({ body: { title: 'Hall', template_id: template.id } });
    await endpoints.create({ body: { name: index ? `Hall ${index}` : 'Hall', room_id: room.id } });
    for (const element of ELEMENT_TYPES.slice(0, 3))
      await rooms.addElement({ params: { id: room.id }, body: { element } });
  }
  return { api, users: { nobody: null, reader, admin: api.one.admin, stranger: api.two.admin } };
}

describe.each(databases)('generated requests on %s', (kind) => {
  const outcomes = new Map<number, number>();

  it.each(Array.from({ length: BATCHES }, (_, batch) => batch + 1))(
    `security 45: ${BATCH} requests give no 5xx and no answer that the call table does not promise (%i)`,
    async () => {
      const { api, users } = await furnish(kind);
      const attempt = fc.asyncProperty(requests, async ({ name, role, params, body, query }) => {
        const { call } = table.find((row) => row.name === name)!;
        // A lone surrogate cannot stand in a path at all.
        if (Object.values(params).some((value) => !value.isWellFormed())) return;
        const fields = Object.entries(body ?? {}).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const sent: Sent = call.files ? { form: formOf(Object.fromEntries(fields)) } : { body };
        const user = users[role];
        const answer = await api.call(call, params, { ...sent, query, token: user?.token });
        if (name === 'users.logout' && user) user.token = await api.signIn(user);
        // Whoever was removed is followed by another one.
        if (name === 'users.remove' && answer.status === 200) users.reader = await addReader(api);
        outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
        if (answer.status >= 500) throw new Error(`${name}: ${answer.text}`);
      });
      await fc.assert(attempt, { numRuns: BATCH }).finally(() => api.close());
    },
  );

  it('the requests reached far enough to be worth asking', () => {
    for (const status of [200, 201, 401, 403, 404, 422])
      expect(outcomes.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
  });
});
