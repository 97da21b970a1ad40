import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { errors } from '../../../../src/contract/errors.ts';
import { ApiApp, type DatabaseKind, databases, formOf, type Sent, type TestUser } from '../../../harness/api-app.ts';
import { arbitraryRequest } from '../../../harness/arbitrary-request.ts';

/** Requests on each database; the run of faults asks for ten thousand. */
const REQUESTS = Number(process.env.GENERATED_REQUESTS ?? 400);
/** Requests after which a server begins anew, so that there is always something to find. */
const BATCH = 500;

const table = new Map(
  Object.entries(calls).flatMap(([area, list]) =>
    Object.entries(list as Record<string, Call>).map(([name, call]): [string, Call] => [`${area}.${name}`, call]),
  ),
);

const view = { view_any: true, create: false, update: false, delete: false };
const addReader = (api: ApiApp) => api.addUser(api.one, { rooms: view, endpoints: view });

/** A server with a few of everything, and the session of each role. */
async function furnish(kind: DatabaseKind): Promise<{ api: ApiApp; users: Record<string, TestUser | null> }> {
  const api = await ApiApp.start(kind);
  const reader = await addReader(api);
  const { rooms, templates, endpoints, accessTokens, feeds } = api.client();
  for (let index = 0; index < 4; index++) {
    const template = await templates.create({ body: { name: `T${index}` } });
    const room = await rooms.create({ body: { title: 'Hall', template_id: template.id } });
    const name = index ? `Hall ${index}` : 'Hall';
    const door = await endpoints.create({ body: { name, room_id: room.id, is_protected: index === 1 } });
    await accessTokens.create({ body: { endpoint_id: door.id } });
    for (const element of ['group', 'image', 'view_point'] as const)
      await rooms.addElement({ params: { id: room.id }, body: { element } });
  }
  await feeds.create({ body: { name: 'Guests', type: 'local' } });
  return { api, users: { nobody: null, reader, admin: api.one.admin } };
}

/** Whether an answer of the 5xx is one that the call declares: of a service that is asked. */
function isDeclared(call: Call, code: keyof typeof errors): boolean {
  return (call.errors ?? []).includes(code) && code !== 'failed' && errors[code].status >= 500;
}

/** The parts of a body as a form has them, its files too. */
function formFrom(call: Call, body: unknown): FormData {
  const fields = Object.entries(typeof body === 'object' && body !== null ? body : {});
  const [field] = call.files!;
  const file = fields.find(([name]) => name === field);
  const texts = fields
    .filter(([name]) => name !== field)
    .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]);
  const content = new Blob([String(file?.[1] ?? '')]);
  return formOf(Object.fromEntries(texts), file && { field: field!, name: 'file.csv', content });
}

describe.each(databases)('requests made from the OpenAPI document, on %s', (kind) => {
  it(`security 45: ${REQUESTS} requests × 3 roles give no 5xx that is not declared, and no answer outside its schema`, async () => {
    const outcomes = new Map<number, number>();
    const reached = new Set<string>();
    for (let done = 0; done < REQUESTS; done += BATCH) {
      const { api, users } = await furnish(kind);
      const roles = fc.constantFrom('nobody', 'reader', ...Array<string>(6).fill('admin'));
      const attempt = fc.asyncProperty(arbitraryRequest, roles, async ({ name, params, query, body }, role) => {
        const call = table.get(name)!;
        // A lone surrogate cannot stand in a path at all.
        if (Object.values(params).some((value) => !value.isWellFormed() || value === '')) return;
        const user = users[role];
        const sent: Sent = call.files ? { form: formFrom(call, body) } : { body };
        const answer = await api.call(call, params, { ...sent, query, token: user?.token });
        if (name === 'users.logout' && user) user.token = await api.signIn(user);
        // Whoever was removed is followed by another one.
        if (name === 'users.remove' && answer.status === 200) users.reader = await addReader(api);
        outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
        if (answer.status < 300) reached.add(name);
        if (answer.status >= 500 && !isDeclared(call, answer.body.code)) throw new Error(`${name}: ${answer.text}`);
      });
      const numRuns = Math.min(BATCH, REQUESTS - done);
      await fc.assert(attempt, { numRuns }).finally(() => api.close());
    }
    const counts = [...outcomes].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `Generated requests on ${kind}: ${counts.join(', ')}; ${reached.size} of ${table.size} calls were done.`,
    );
    for (const status of [200, 201, 400, 401, 403, 404, 422])
      expect(outcomes.get(status) ?? 0, `${status}`).toBeGreaterThan(0);
    expect(reached.size).toBeGreaterThan(REQUESTS >= 5000 ? 50 : 20);
  }, 900_000);
});
