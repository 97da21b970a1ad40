import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { Change } from '../../../../src/contract/entities.ts';
import { foldLogs } from '../../../../src/server/features/rooms/log-queries.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { PIXEL } from './changing-requests.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('the space before and after a change, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterAll(() => api.close());

  const add = (body: Partial<Parameters<Client['rooms']['addElement']>[0]['body']>) =>
    client.rooms.addElement({ params: { id: room }, body: { element: 'image', name: 'Door', ...body } });
  /** Changes of the space and its elements, oldest first. */
  const changes = async () =>
    (await client.history.list({ query: { room_id: String(room) } })).data.toReversed() as [Change, ...Change[]];
  const ask = ({ id }: Pick<Change, 'id'>, side: 'before' | 'after', caller = client) =>
    caller.history.readRoom({ params: { id }, query: { side } });
  const code = async (attempt: Promise<unknown>) => (await refused(attempt)).code;
  /** What a state shows: its title, and its elements with their places. */
  const states = async (change: Pick<Change, 'id'>) => {
    const said = async (side: 'before' | 'after') => {
      const state = await ask(change, side);
      return state && [state.title, ...state.elements.map(({ name, position_x }) => `${name} ${position_x}`)];
    };
    return [await said('before'), await said('after')];
  };

  it('is had of each change, whether it is nearer to the beginning of the log or to now', async () => {
    const door = await add({});
    const move = (position_x: number) => client.elements.update({ params: { id: door.id }, body: { position_x } });
    for (const x of [10, 20, 30]) await move(x);
    await client.rooms.update({ params: { id: room }, body: { title: 'Great hall' } });
    await client.elements.remove({ params: { id: door.id } });
    const all = await changes();
    expect(all.map(({ has_room }) => has_room)).toEqual(all.map(() => true));
    expect(await Promise.all(all.map(states))).toEqual([
      [null, ['Hall']],
      [['Hall'], ['Hall', 'Door 0']],
      [
        ['Hall', 'Door 0'],
        ['Hall', 'Door 10'],
      ],
      [
        ['Hall', 'Door 10'],
        ['Hall', 'Door 20'],
      ],
      [
        ['Hall', 'Door 20'],
        ['Hall', 'Door 30'],
      ],
      [
        ['Hall', 'Door 30'],
        ['Great hall', 'Door 30'],
      ],
      [['Great hall', 'Door 30'], ['Great hall']],
    ]);
    // What a restore brings is a change as any other.
    await client.history.restore({ params: { id: all.at(-1)!.id } });
    expect(await states((await changes()).at(-1)!)).toEqual([['Great hall'], ['Great hall', 'Door 30']]);
  });

  it('comes with its template and files; with what a file took along, too', async () => {
    const template = await client.templates.create({ body: { name: 'Shell' } });
    await client.rooms.update({ params: { id: room }, body: { template_id: template.id } });
    const file = await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    await add({ file_id: file.id });
    const added = await ask((await changes()).at(-1)!, 'after');
    expect(added).toMatchObject({ template: { name: 'Shell' }, elements: [{ file: { url: file.url } }] });
    await client.media.remove({ params: { id: file.id }, query: { force: '1' } });
    const taken = (await changes()).at(-1)!;
    expect(taken.after).toMatchObject({ file_removed: 'pixel.png' });
    expect((await ask(taken, 'after'))!.elements[0]!.file_id).toBeNull();
  });

  it('of a copy begins with the copy; of a removed space, there is what can be restored', async () => {
    await add({});
    room = (await client.rooms.copy({ params: { id: room } })).id;
    const [copied] = await changes();
    expect(await states(copied)).toEqual([null, [expect.stringContaining('Hall'), 'Door 0']]);
    await client.rooms.remove({ params: { id: room } });
    const removed = (await changes()).at(-1)!;
    expect([removed.action, removed.has_room]).toEqual(['delete', true]);
    expect(await states(removed)).toEqual([[expect.stringContaining('Hall'), 'Door 0'], null]);
    expect(await code(ask(copied, 'after'))).toBe('not_found');
    await client.history.restore({ params: { id: removed.id } });
    const restored = (await changes()).at(-1)!;
    expect((await ask(restored, 'after'))!.elements).toHaveLength(1);
    expect((await changes()).at(-2)!.has_room).toBe(false);
    expect(await code(ask(removed, 'before'))).toBe('not_found');
  });

  it('is unknown of what happened too long ago, of what changed nothing in it, and of other things', async () => {
    await add({});
    await client.publications.publish({ params: { id: room }, body: {} });
    const template = await client.templates.create({ body: { name: 'Grid' } });
    const [ofTemplate] = (await client.history.list({ query: { entity: 'template', entity_id: String(template.id) } }))
      .data;
    const [made, added, published] = (await changes()) as [Change, Change, Change];
    for (const change of [ofTemplate!, published]) {
      expect(change.has_room).toBe(false);
      expect(await code(ask(change, 'after'))).toBe('not_found');
    }
    api.clock.advance(31 * DAY);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
    await foldLogs(api.services);
    await add({ name: 'Window' });
    expect((await changes()).map(({ has_room }) => has_room)).toEqual([false, false, false, true]);
    for (const change of [made, added]) expect(await code(ask(change, 'after'))).toBe('not_found');
    expect(await states((await changes()).at(-1)!)).toEqual([
      ['Hall', 'Door 0'],
      ['Hall', 'Door 0', 'Window 0'],
    ]);
  });

  it('is for those who may see spaces, of their organization', async () => {
    const [made] = await changes();
    expect(await code(ask({ id: 999_999 }, 'after'))).toBe('not_found');
    api.two.admin.token = await api.signIn(api.two.admin);
    expect(await code(ask(made, 'after', api.client(api.two.admin)))).toBe('not_found');
    const see = { view_any: true, create: false, update: false, delete: false };
    const other = api.client(await api.addUser(api.one, { settings: see, endpoints: see }));
    expect(await code(ask(made, 'after', other))).toBe('forbidden');
    const reader = api.client(await api.addUser(api.one, { rooms: see }));
    expect((await ask(made, 'after', reader))!.title).toBe('Hall');
    const refusedSide = api.client().history.readRoom({ params: { id: made.id }, query: { side: 'now' as 'after' } });
    expect(await code(refusedSide)).toBe('bad_request');
  });
});
