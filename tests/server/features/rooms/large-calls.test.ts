import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_WAITING } from '../../../../src/server/features/rooms/commit.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';

type Commands = Parameters<Client['rooms']['commit']>[0]['body']['commands'];

const ELEMENTS = 10_000;
const CALL = 500;

describe.each(databases)('large calls on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let mutation = 0;
  const ids: number[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Large' } })).id;
    while (ids.length < ELEMENTS) {
      const commands = Array.from({ length: CALL }, (_, index) => ({
        type: 'element.add' as const,
        element: { id: -1 - index, element: 'text', name: `Text ${index}` },
      }));
      ids.push(...Object.values((await commit(commands)).ids));
    }
  }, 120_000);
  afterAll(() => api.close());

  const commit = (commands: Commands, id = room) =>
    client.rooms.commit({ params: { id }, body: { client: 'large', mutation: ++mutation, commands } });

  /** How long the longest turn of the event loop took while something happened, as a share of all. */
  async function longestTurn(work: () => Promise<unknown>): Promise<{ share: number; turns: number }> {
    const begun = performance.now();
    let last = begun;
    let longest = 0;
    let turns = 0;
    let isOver = false;
    const look = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      turns++;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await work();
    isOver = true;
    return { share: longest / (performance.now() - begun), turns };
  }

  it.each([
    [
      'edits',
      (id: number, call: number) => ({
        type: 'element.update' as const,
        id,
        fields: { name: `Other ${id}`, position_x: id + call },
      }),
    ],
    ['moves', (id: number) => ({ type: 'element.move' as const, id, parent: null, after: ids[7]! })],
  ])(`security 76: ${CALL} %s of ${ELEMENTS} elements leave the event loop to others in between`, async (_, make) => {
    const chosen = Array.from({ length: CALL }, (_, index) => ids[100 + index * 19]!);
    // Calls that are each done in one turn would make it a quarter at least.
    const { share, turns } = await longestTurn(async () => {
      for (let call = 0; call < 4; call++) await commit(chosen.map((id) => make(id, call)));
    });
    expect(share).toBeLessThan(0.2);
    expect(turns).toBeGreaterThan(5);
  });

  it('security 76: calls of one user take turns; more than may wait get 429 and can be sent again', async () => {
    const other = await api.addUser(api.one, {
      rooms: { view_any: true, create: true, update: true, delete: true },
    });
    const rename = (title: string): Commands => [{ type: 'room.update', fields: { title } }];
    const send = (user: TestUser, own: string) =>
      api
        .client(user)
        .rooms.commit({ params: { id: room }, body: { client: own, mutation: 1, commands: rename(own) } });
    // Calls under way, which the test can end.
    const { promise, resolve } = Promise.withResolvers<void>();
    const { turns } = api.services.documents;
    const busy = Array.from({ length: MAX_WAITING + 1 }, () => turns.take(api.one.admin.id, () => promise));
    const error = await refused(send(api.one.admin, 'crowd'));
    expect(error).toMatchObject({ status: 429, code: 'too_many' });
    expect(error.wait).toBeGreaterThan(0);
    const before = await send(other, 'theirs');
    resolve();
    await Promise.all(busy);
    expect((await send(api.one.admin, 'crowd')).seq).toBe(before.seq + 1);
  });
});
