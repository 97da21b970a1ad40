import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { BulkActionName, BulkJob } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

const ALL = { view_any: true, create: true, update: true, delete: true };

/** Ids of nothing: looking for each takes a job a while. */
const MISSING = Array.from({ length: 5000 }, (_, index) => 1_000_000 + index);

describe.each(databases)('an action on many things on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const start = (action: BulkActionName, ids: number[], as = client) => as.bulk.start({ body: { action, ids } });
  const ended = async (id: number, as = client): Promise<BulkJob> => {
    const read = () => as.bulk.read({ params: { id } });
    await expect.poll(async () => (await read()).state, { timeout: 60_000 }).not.toBe('running');
    return read();
  };
  /** Starts a job and waits for its end. */
  const end = async (action: BulkActionName, ids: number[], as = client): Promise<BulkJob> =>
    ended((await start(action, ids, as)).id, as);
  const run = async (body: Parameters<Client['bulk']['start']>[0]['body']): Promise<BulkJob> =>
    ended((await client.bulk.start({ body })).id);
  const makeRooms = async (count: number) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await client.rooms.create({ body: { title: `Space ${index}` } })).id);
    return ids;
  };

  it('removes 200 spaces in one job with one call, and the bin has each of them', async () => {
    const ids = await makeRooms(200);
    const started = await start('rooms.remove', ids);
    expect(started).toMatchObject({ state: 'running', total: 200, finished: 0, changed: [] });
    const finished: number[] = [];
    await expect
      .poll(
        async () => {
          const job = await client.bulk.read({ params: { id: started.id } });
          finished.push(job.finished);
          return job.state;
        },
        { timeout: 60_000 },
      )
      .toBe('ended');
    const ended = await client.bulk.read({ params: { id: started.id } });
    expect(ended).toMatchObject({ finished: 200, problems: [] });
    expect(new Set(ended.restorable).size).toBe(200);
    expect(finished).toEqual(finished.toSorted((a, b) => a - b));
    expect((await client.rooms.list()).meta.total).toBe(0);
    const { data } = await client.bin.list({ query: { entity: 'room', entity_id: ids[0]!, per_page: 1 } });
    await client.history.restore({ params: { id: data[0]!.id } });
    expect((await client.rooms.read({ params: { id: ids[0]! } })).title).toBe('Space 0');
    const rest = ended.restorable.filter((id) => id !== data[0]!.id);
    expect((await end('bin.restore', rest)).changed).toHaveLength(199);
    expect((await client.rooms.list()).meta.total).toBe(200);
  });

  it('stops when its server was killed; what it had removed by then can be restored', async () => {
    const ids = await makeRooms(3);
    const [first, second, third] = ids as [number, number, number];
    const done = await end('rooms.remove', [first, second]);
    const killed = { state: 'running' as const, total: 3, touched_at: new Date(0).toISOString() };
    await api.services.db.updateTable('bulk_jobs').set(killed).where('id', '=', done.id).execute();
    const job = await client.bulk.read({ params: { id: done.id } });
    expect(job).toMatchObject({ state: 'stopped', total: 3, finished: 2, changed: [first, second] });
    expect(job.restorable).toHaveLength(2);
    expect((await end('bin.restore', job.restorable)).changed).toHaveLength(2);
    for (const id of [first, second, third]) await client.rooms.read({ params: { id } });
  });

  it('sets the validity of access tokens, and leaves the other fields', async () => {
    const [room_id] = (await makeRooms(1)) as [number];
    const { id: endpoint_id } = await client.endpoints.create({ body: { name: 'Gate', room_id, is_protected: true } });
    const made = [];
    for (const token of ['one', 'two'])
      made.push(await client.accessTokens.create({ body: { endpoint_id, token, valid_duration: 30 } }));
    const valid_till = '2030-01-01T00:00:00.000Z';
    const body = { action: 'accessTokens.update' as const, ids: made.map(({ id }) => id), fields: { valid_till } };
    const { id } = await client.bulk.start({ body });
    await expect.poll(async () => (await client.bulk.read({ params: { id } })).state).toBe('ended');
    for (const token of made) {
      const after = await client.accessTokens.read({ params: { id: token.id } });
      expect(Date.parse(after.valid_till!)).toBe(Date.parse(valid_till));
      expect(after.valid_duration).toBe(30);
    }
    const again = await client.bulk.start({ body });
    await expect.poll(async () => (await client.bulk.read({ params: { id: again.id } })).state).toBe('ended');
    expect((await client.bulk.read({ params: { id: again.id } })).changed).toEqual([]);
    expect((await refused(client.bulk.start({ body: { ...body, fields: {} } }))).code).toBe('invalid');
    expect((await refused(start('accessTokens.update', body.ids))).code).toBe('invalid');
    expect((await refused(client.bulk.start({ body: { ...body, action: 'rooms.remove' } }))).code).toBe('invalid');
  });

  it('sets the group and the note of access tokens, revokes them, and undoes both', async () => {
    const [room_id] = (await makeRooms(1)) as [number];
    const { id: endpoint_id } = await client.endpoints.create({ body: { name: 'Undo', room_id, is_protected: true } });
    const valid_from = '2031-01-01T00:00:00.000Z';
    const ids: number[] = [];
    for (const token of ['one', 'two', 'three'])
      ids.push((await client.accessTokens.create({ body: { endpoint_id, token, valid_from } })).id);
    const read = async () => {
      const rows = await Promise.all(ids.map((id) => client.accessTokens.read({ params: { id } })));
      return rows.map(({ group, note, valid_from, valid_till }) => ({ group, note, valid_from, valid_till }));
    };
    const before = await read();
    for (const fields of [{ group: 'Press' }, { note: 'Left side' }]) {
      const job = await run({ action: 'accessTokens.update', ids, fields });
      expect(await read()).toMatchObject(ids.map(() => fields));
      expect((await run({ action: 'bin.restore', ids: job.restorable })).problems).toEqual([]);
      expect(await read()).toEqual(before);
    }
    const revoked = await run({ action: 'accessTokens.revoke', ids });
    const now = new Date(api.clock.now()).toISOString();
    expect(await read()).toMatchObject(ids.map(() => ({ valid_from: null, valid_till: now })));
    expect((await run({ action: 'accessTokens.revoke', ids })).changed).toEqual([]);
    api.clock.advance(1000);
    await client.accessTokens.update({ params: { id: ids[0]! }, body: { group: 'Staff' } });
    const undone = await run({ action: 'bin.restore', ids: revoked.restorable });
    expect(undone.problems).toEqual([expect.stringContaining('Undo has been changed since.')]);
    expect((await read()).slice(1)).toEqual(before.slice(1));
    expect((await read())[0]).toMatchObject({ group: 'Staff', valid_till: now });
  });

  it('publishes spaces, sets their template, and moves structures', async () => {
    const ids = await makeRooms(2);
    const { id: template_id } = await client.templates.create({ body: { name: `Dark ${ids[0]}` } });
    expect((await end('rooms.publish', ids)).changed).toEqual(ids);
    for (const id of ids) expect((await client.publications.read({ params: { id } })).published).not.toBeNull();
    expect((await run({ action: 'rooms.template', ids, fields: { template_id } })).changed).toEqual(ids);
    for (const id of ids) expect((await client.rooms.read({ params: { id } })).template_id).toBe(template_id);
    const structure = async (name: string, more: object = {}) =>
      (await client.endpoints.create({ body: { name: `${name} ${ids[0]}`, room_id: ids[0]!, ...more } })).id;
    const wing = await structure('Wing');
    const halls = [await structure('Hall'), await structure('Attic')];
    const move = (parent_endpoint_id: number | null, moved = halls) =>
      run({ action: 'endpoints.move', ids: moved, fields: { parent_endpoint_id } });
    const parents = () => Promise.all(halls.map(async (id) => (await client.endpoints.read({ params: { id } })).path));
    const before = await parents();
    await move(wing);
    expect(await parents()).toEqual(before.map((path) => `/wing-${ids[0]}${path}`));
    expect((await move(wing)).changed).toEqual([]);
    expect((await move(halls[0]!, [wing])).problems).toHaveLength(1);
    await move(null);
    expect(await parents()).toEqual(before);
    expect((await move(999_999)).problems).toHaveLength(1);
    const wrong = client.bulk.start({ body: { action: 'rooms.template', ids, fields: { note: 'x' } } });
    expect((await refused(wrong)).code).toBe('invalid');
  });

  it('says beforehand how many structures lose their space, or go with the ones above them', async () => {
    const [one, two] = (await makeRooms(2)) as [number, number];
    const endpoint = async (name: string, room_id: number, parent_endpoint_id?: number) =>
      (await client.endpoints.create({ body: { name, room_id, ...(parent_endpoint_id && { parent_endpoint_id }) } }))
        .id;
    const above = await endpoint('Above', one);
    const below = await endpoint('Below', two, above);
    await client.accessTokens.create({ body: { endpoint_id: below } });
    const effects = (action: BulkActionName, ids: number[]) => client.bulk.effects({ body: { action, ids } });
    expect(await effects('rooms.remove', [one, two])).toEqual({ structures: 2, access_tokens: 0 });
    expect(await effects('endpoints.remove', [above])).toEqual({ structures: 1, access_tokens: 1 });
    const theirs = api.client(api.two.admin);
    const body = { action: 'rooms.remove' as const, ids: [one, two] };
    expect(await theirs.bulk.effects({ body })).toEqual({ structures: 0, access_tokens: 0 });
  });

  it('leaves alone what is so already, and reports what cannot be done', async () => {
    const template = await client.templates.create({ body: { name: 'In use' } });
    const free = await client.templates.create({ body: { name: 'Free' } });
    await client.rooms.create({ body: { title: 'User', template_id: template.id } });
    const job = await end('templates.remove', [template.id, free.id, 999_999]);
    expect(job).toMatchObject({ state: 'ended', total: 3, finished: 3, changed: [free.id] });
    expect(job.problems).toHaveLength(2);
    const [room_id] = await makeRooms(1);
    const [shown, hidden] = [
      await client.endpoints.create({ body: { name: 'Shown', room_id: room_id! } }),
      await client.endpoints.create({ body: { name: 'Hidden', room_id: room_id!, is_visible: false } }),
    ];
    expect(await end('endpoints.hide', [shown.id, hidden.id])).toMatchObject({ changed: [shown.id], problems: [] });
  });

  it('does nothing to another organization', async () => {
    const [room] = await makeRooms(1);
    const theirs = await end('rooms.remove', [room!], api.client(api.two.admin));
    expect(theirs).toMatchObject({ changed: [], finished: 1 });
    expect((await client.rooms.read({ params: { id: room! } })).id).toBe(room);
  });

  it('needs the right that one of them needs, and is read only by whoever started it', async () => {
    const [room] = await makeRooms(1);
    const reader = api.client(await api.addUser(api.one, { ...noRights(), rooms: { ...ALL, delete: false } }));
    expect((await refused(start('rooms.remove', [room!], reader))).code).toBe('forbidden');
    const { id } = await end('rooms.remove', [room!]);
    expect((await refused(reader.bulk.read({ params: { id } }))).code).toBe('not_found');
  });

  it('stops when the user who started it is deactivated', async () => {
    const user = await api.addUser(api.one, { ...noRights(), rooms: ALL });
    const [room] = await makeRooms(1);
    const { id } = await start('rooms.remove', [...MISSING, room!], api.client(user));
    await api.services.db.updateTable('users').set({ is_active: 0 }).where('id', '=', user.id).execute();
    const stateOf = async () =>
      (await api.services.db.selectFrom('bulk_jobs').select('state').where('id', '=', id).executeTakeFirstOrThrow())
        .state;
    await expect.poll(stateOf, { timeout: 60_000 }).toBe('stopped');
    expect((await client.rooms.read({ params: { id: room! } })).id).toBe(room);
  });

  it('ends early when the server stops, and says how far it came', async () => {
    const [room] = await makeRooms(1);
    const { id } = await start('rooms.remove', [...MISSING, room!]);
    await api.restart();
    client = api.client();
    const job = await client.bulk.read({ params: { id } });
    expect(job).toMatchObject({ state: 'stopped', changed: [] });
    expect(job.finished).toBeLessThan(MISSING.length);
    expect((await client.rooms.read({ params: { id: room! } })).id).toBe(room);
  });

  it('restores many from the bin in one job: the last removed first, and what is gone of them is told', async () => {
    const template = await client.templates.create({ body: { name: 'Look' } });
    const rooms = await makeRooms(30);
    const themed = await client.rooms.create({ body: { title: 'Themed', template_id: template.id } });
    const door = await client.endpoints.create({ body: { name: 'Bulk door', room_id: rooms[0]! } });
    const inner = await client.endpoints.create({
      body: { name: 'Bulk inner', room_id: rooms[0]!, parent_endpoint_id: door.id },
    });
    await client.endpoints.remove({ params: { id: inner.id } });
    await client.endpoints.remove({ params: { id: door.id } });
    await end('rooms.remove', [...rooms, themed.id]);
    await client.templates.remove({ params: { id: template.id } });
    await client.bin
      .list({ query: { entity: 'template', per_page: 1 } })
      .then(({ data }) => client.bin.empty({ body: { ids: [data[0]!.id] } }));
    const entryOf = async (entity: 'room' | 'endpoint', entity_id: number) =>
      (await client.bin.list({ query: { entity, entity_id, per_page: 1 } })).data[0]!.id;
    const entries: number[] = [];
    for (const id of [...rooms, themed.id]) entries.push(await entryOf('room', id));
    // The one that lay below was removed first, and can only come back behind the one above.
    entries.push(await entryOf('endpoint', inner.id), await entryOf('endpoint', door.id), 999_999);
    const job = await end('bin.restore', entries);
    expect(job).toMatchObject({ state: 'ended', total: 34, finished: 34 });
    expect(job.changed).toHaveLength(33);
    expect(job.problems).toEqual([expect.stringMatching(/not found|does not exist/i), 'Not restored: Template Look.']);
    for (const id of [...rooms, themed.id]) expect((await client.rooms.read({ params: { id } })).id).toBe(id);
    expect((await client.endpoints.read({ params: { id: inner.id } })).parent_endpoint_id).toBe(door.id);
    // Whoever may not add spaces is told so for each.
    await end('rooms.remove', rooms.slice(0, 2));
    const again = [await entryOf('room', rooms[0]!), await entryOf('room', rooms[1]!)];
    const reader = api.client(await api.addUser(api.one, { ...noRights(), rooms: { ...ALL, create: false } }));
    expect(await end('bin.restore', again, reader)).toMatchObject({ changed: [], problems: [expect.any(String)] });
  });

  it.runIf(kind === 'postgres')('notes a problem at once, so that a job that is cut off has told it', async () => {
    const [room] = await makeRooms(1);
    const opened = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const { db } = api.services;
    // The second of the job waits here, as if its server had died.
    const holder = db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('rooms').select('id').where('id', '=', room!).forUpdate().execute();
      locked.resolve();
      await opened.promise;
    });
    await locked.promise;
    const { id } = await start('rooms.remove', [1_000_000, room!]);
    await expect
      .poll(() => client.bulk.read({ params: { id } }))
      .toMatchObject({ state: 'running', finished: 1, problems: [expect.any(String)] });
    opened.resolve();
    await holder;
    await expect.poll(() => client.bulk.read({ params: { id } })).toMatchObject({ state: 'ended', changed: [room] });
  });
});
