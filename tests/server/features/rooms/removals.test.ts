import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('removing many things at once, and tokens that come in, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let endpoint: number;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    endpoint = (await client.endpoints.create({ body: { name: 'Museum', room_id: room } })).id;
  });
  afterAll(() => api.close());

  const send = (content: string, body: object = {}) =>
    client.accessTokens.importFile({
      params: { id: endpoint },
      body,
      files: { access_tokens_file: new File([content], 'codes.csv') },
    });
  const codes = async () => {
    const { db } = api.services;
    return db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpoint).orderBy('token').execute();
  };
  const undo = (job: number | null, body = {}) => client.imports.undo({ params: { id: job! }, body });

  it('every import of tokens is a job, which undo takes back: what came goes, what changed or went is as before', async () => {
    const first = await send('one\ntwo\nthree\n');
    const [entry] = (await client.imports.list()).data;
    expect(entry).toMatchObject({ id: first.job, kind: 'access_tokens', counts: { create: 3 }, is_undoable: true });
    expect((await send('one\n')).job).toBeNull();
    expect((await send('nine\n', { dry_run: true })).job).toBeNull();

    const before = await codes();
    const times = JSON.stringify([{ token: 'one', valid_duration: 45, first_used_at: '2026-01-01T00:00:00.000Z' }]);
    const second = await send(times, { prune: true });
    expect(second).toMatchObject({ accepted: 0, updated: 1, removed: 2 });
    expect(await codes()).toHaveLength(1);
    expect(await undo(second.job, { dry_run: true })).toEqual({ undone: 3 });
    expect(await codes()).toHaveLength(1);
    expect(await undo(second.job)).toEqual({ undone: 3 });
    const stampless = (rows: Awaited<ReturnType<typeof codes>>) => rows.map(({ updated_at: _, ...row }) => row);
    expect(stampless(await codes())).toEqual(stampless(before));

    await api.services.db
      .updateTable('access_tokens')
      .set({ first_used_at: '2099-01-01T00:00:00.000Z' })
      .where('token', '=', 'two')
      .execute();
    const stale = await refused(undo(first.job));
    expect(stale).toMatchObject({
      code: 'stale',
      msg: { error: [expect.stringMatching(/^1 access token of Museum has been/)] },
    });
    // What is set back afterwards is not what the import left; forced, all of it goes.
    expect(await undo(first.job, { force: true })).toEqual({ undone: 3 });
    expect(await codes()).toEqual([]);
  });

  it('removes rooms, templates, structures with their tokens, and users in one job, each of which comes back', async () => {
    const below = await client.endpoints.create({
      body: { name: 'Wing', room_id: room, parent_endpoint_id: endpoint },
    });
    await send('alpha\nbeta\n');
    const template = await client.templates.create({ body: { name: 'White' } });
    const { id: user } = await api.addUser(api.one, {});
    const [token] = await codes();
    const things = [
      ['endpoints', endpoint, 2],
      ['rooms', room, 1],
      ['templates', template.id, 1],
      ['users', user, 1],
      ['access_tokens', token!.id, 1],
    ] as const;
    const before = await codes();
    for (const [what, id, count] of things) {
      const tried = await client.imports.remove({ body: { kind: what, ids: [id], dry_run: true } });
      expect(tried, what).toMatchObject({ job: null, applied: false, counts: { remove: count, wrong: 0 } });
      const unknown = await client.imports.remove({ body: { kind: what, ids: [id, 999_999] } });
      expect(unknown, what).toMatchObject({ job: null, counts: { wrong: 1 } });
      const { job } = await client.imports.remove({ body: { kind: what, ids: [id, id] } });
      const gone = await client.imports.remove({ body: { kind: what, ids: [id] } });
      expect(gone, what).toMatchObject({ job: null, counts: { remove: 0, wrong: 1 } });
      const [entry] = (await client.imports.list()).data;
      expect(entry, what).toMatchObject({ id: job, kind: what, counts: { remove: count } });
      await undo(job);
    }
    expect(await codes()).toEqual(before);
    expect((await client.rooms.read({ params: { id: room } })).title).toBe('Hall');
    const [museum] = await client.endpoints.list();
    expect(museum).toMatchObject({ id: endpoint, children: [{ id: below.id, room_id: room }], room_id: room });
    expect((await client.templates.list()).data.map(({ name }) => name)).toContain('White');
  });

  it('needs the right to delete what it removes', async () => {
    const reader = await api.addUser(api.one, { rooms: { view_any: true, create: true, update: true, delete: false } });
    const all = api.client(reader);
    const { code } = await refused(all.imports.remove({ body: { kind: 'rooms', ids: [room] } }));
    expect(code).toBe('forbidden');
  });
});
