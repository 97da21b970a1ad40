import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { EDITOR_CLOSE } from '../../../../src/contract/editor-messages.ts';
import { ApiError } from '../../../../src/contract/errors.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';
import { EditorSocket } from '../../../harness/editor-socket.ts';

const EDITORS = { rooms: { view_any: true, create: false, update: true, delete: false } };
const VIEWERS = { rooms: { view_any: true, create: false, update: false, delete: false } };

/** The status of an error from the API, or -1 for any other failure. */
const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : -1);

type Body = Parameters<Client['rooms']['commit']>[0]['body'];

/** One step of five editors, the last of whom attacks another. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), who: fc.nat(3) }),
  fc.record({ kind: fc.constant('empty' as const), who: fc.nat(3), mutation: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('command' as const), who: fc.nat(3), mutation: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('socket' as const), who: fc.nat(3) }),
  fc.record({ kind: fc.constant('guess' as const), text: fc.string({ minLength: 1, maxLength: 12 }) }),
);

describe.each(databases)('client numbers on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  let editors: TestUser[];
  let viewer: TestUser;
  const sockets: EditorSocket[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    editors = [];
    for (let index = 0; index < 5; index++) editors.push(await api.addUser(api.one, EDITORS));
    viewer = await api.addUser(api.one, VIEWERS);
  });
  beforeEach(async () => {
    room = (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterEach(() => {
    for (const { ws } of sockets.splice(0)) ws.terminate();
  });
  afterAll(() => api.close());

  const rename = (title: string): Body['commands'] => [{ type: 'room.update', fields: { title } }];
  const commit = (user: TestUser, body: Body, id = room) => api.client(user).rooms.commit({ params: { id }, body });
  const open = async (user: TestUser, client: string, id = room) => {
    const socket = await EditorSocket.open(api.origin, id, { token: user.token, client });
    sockets.push(socket);
    return socket;
  };
  const opened = async (...input: Parameters<typeof open>) => {
    const socket = await open(...input);
    await expect.poll(() => socket.of('opened').length).toBe(1);
    return socket;
  };

  it('security 74: no acknowledged command is lost and nobody is disconnected while one of five editors attacks', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        run++;
        const { id } = await api.client().rooms.create({ body: { title: `Hall ${run}` } });
        const [attacker] = editors.slice(-1);
        const clients = editors.slice(0, 4).map((_, index) => `page-${run}-${index}`);
        const open = await Promise.all(clients.map((client, index) => opened(editors[index]!, client, id)));
        const own = await opened(attacker!, `attacker-${run}`, id);
        await expect.poll(() => own.of('opened')[0]!.editors.length + own.of('editor').length).toBeGreaterThan(3);
        const mutations = clients.map(() => 0);
        const acknowledged: string[] = [];
        const kicked: Promise<number>[] = [];
        const guesses: Promise<unknown>[] = [];
        const stolen: Promise<number | 'accepted'>[] = [];
        for (const [index, each] of steps.entries()) {
          if (each.kind === 'edit') {
            const mutation = ++mutations[each.who]!;
            const title = `${run} ${index}`;
            const client = clients[each.who]!;
            await commit(editors[each.who]!, { client, mutation, commands: rename(title) }, id);
            acknowledged.push(title);
          } else if (each.kind === 'socket') {
            const socket = await EditorSocket.open(api.origin, id, {
              token: attacker!.token,
              client: clients[each.who]!,
            });
            kicked.push(socket.closed);
          } else {
            const client = each.kind === 'guess' ? each.text : clients[each.who]!;
            const mutation = each.kind === 'guess' ? 1 : each.mutation;
            const commands =
              each.kind === 'command' ? rename('Stolen') : [{ type: 'room.update' as const, fields: {} }];
            const sent = commit(attacker!, { client, mutation, commands }, id);
            if (each.kind === 'guess') guesses.push(sent.catch(() => undefined));
            else stolen.push(sent.then(() => 'accepted' as const, statusOf));
          }
        }
        await Promise.all(guesses);
        for (const code of await Promise.all(kicked)) expect(code).toBe(EDITOR_CLOSE.taken);
        // A flood can exceed the queue (429); nothing is accepted.
        for (const status of await Promise.all(stolen)) expect([409, 429]).toContain(status);
        const { entries } = await api.client().rooms.log({ params: { id }, query: { limit: 500 } });
        const titles = entries.flatMap(({ commands }) =>
          commands.flatMap((command) =>
            command.type === 'room.update' ? ((command.fields as { title?: string }).title ?? []) : [],
          ),
        );
        expect(titles).toEqual(acknowledged);
        for (const socket of open) expect(socket.ws.readyState).toBe(socket.ws.OPEN);
        for (const socket of [...open, own]) socket.ws.terminate();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('security 74: belong to whoever used them first, by a call or a socket, also for users who may only view', async () => {
    await opened(editors[0]!, 'by-socket');
    const error = await refused(commit(editors[1]!, { client: 'by-socket', mutation: 1, commands: [] }));
    expect(error).toMatchObject({ status: 409, code: 'client_taken' });
    await commit(editors[0]!, { client: 'by-lease', mutation: 1, commands: [], lease: 2 });
    const socket = await open(viewer, 'by-lease');
    expect(await socket.closed).toBe(EDITOR_CLOSE.taken);
    // The same name in another space is another number.
    const other = await api.client().rooms.create({ body: { title: 'Other' } });
    await commit(editors[1]!, { client: 'by-lease', mutation: 1, commands: rename('Mine') }, other.id);
  });

  it('security 74: stay with their user after signing out and in again, and after a restart', async () => {
    await commit(editors[2]!, { client: 'kept', mutation: 1, commands: rename('Before') });
    await api.client(editors[2]!).users.logout();
    editors[2] = { ...editors[2]!, token: await api.signIn(editors[2]!) };
    await api.restart();
    // What was sent before is answered again, and what waited is done.
    const again = await commit(editors[2]!, { client: 'kept', mutation: 1, commands: rename('Before') });
    expect(again.seq).toBe(1);
    expect((await commit(editors[2]!, { client: 'kept', mutation: 2, commands: rename('After') })).seq).toBe(2);
    expect((await refused(commit(editors[3]!, { client: 'kept', mutation: 3, commands: [] }))).status).toBe(409);
  });

  it('let one user have several tabs, each under its own number', async () => {
    const [one, two] = [await opened(editors[0]!, 'tab-1'), await opened(editors[0]!, 'tab-2')];
    await commit(editors[0]!, { client: 'tab-1', mutation: 1, commands: rename('One') });
    await commit(editors[0]!, { client: 'tab-2', mutation: 1, commands: rename('Two') });
    await expect.poll(() => [one, two].map((socket) => socket.of('entry').length)).toEqual([2, 2]);
  });
});
