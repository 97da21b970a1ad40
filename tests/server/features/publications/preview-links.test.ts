import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Policies } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

const ALL = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('preview links on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  let open: number;
  let protectedOne: number;
  let creator: TestUser;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    const client = api.client();
    room = (await client.rooms.create({ body: { title: 'Secret plans' } })).id;
    const endpoint = async (more: object) =>
      (await client.endpoints.create({ body: { name: `Hall ${++count}`, room_id: room, ...more } })).id;
    open = await endpoint({});
    protectedOne = await endpoint({ is_protected: true });
    creator = await api.addUser(api.one, { ...noRights(), rooms: ALL, endpoints: ALL });
  });
  afterAll(() => api.close());

  const link = async (user: TestUser, endpoint_id: number) =>
    (
      await api.client(user).publications.createPreviewLink({
        params: { id: room },
        body: { expires_in: 3600, endpoint_id },
      })
    ).url;
  const look = async (url: string) => {
    const { pathname, search } = new URL(url);
    const { status, text } = await api.send('GET', pathname + search);
    return [status, text.includes('Secret plans')];
  };
  const change = (values: { is_active?: number; policies?: string }) =>
    api.services.db.updateTable('users').set(values).where('id', '=', creator.id).execute();
  const policies = (more: Partial<Policies>) => JSON.stringify({ ...noRights(), ...more });

  it('security 80: open a protected structure for as long as their creator may see structures', async () => {
    const url = await link(creator, protectedOne);
    expect(await look(url)).toEqual([200, true]);
    await change({ policies: policies({ rooms: ALL }) });
    expect(await look(url)).toEqual([403, false]);
    await change({ policies: policies({ rooms: ALL, endpoints: ALL }) });
    expect(await look(url)).toEqual([200, true]);
  });

  it.each([
    ['is deactivated', () => change({ is_active: 0 })],
    ['may no longer edit spaces', () => change({ policies: policies({ endpoints: ALL }) })],
    ['is deleted', () => api.client().users.remove({ params: { id: creator.id } })],
  ])('security 80: stop working when their creator %s', async (_, act) => {
    const urls = [await link(creator, open), await link(creator, protectedOne)];
    for (const url of urls) expect(await look(url)).toEqual([200, true]);
    await act();
    for (const url of urls) expect(await look(url)).toEqual([403, false]);
  });

  it('security 80: are made for structures that are not open only by those who may see structures', async () => {
    const editor = await api.addUser(api.one, { ...noRights(), rooms: ALL });
    expect(await look(await link(editor, open))).toEqual([200, true]);
    expect(await refused(link(editor, protectedOne))).toMatchObject({ status: 403, code: 'forbidden' });
    const client = api.client();
    const hidden = await client.endpoints.create({
      body: { name: `Hidden ${count}`, room_id: room, is_visible: false },
    });
    expect((await refused(link(editor, hidden.id))).status).toBe(403);
  });
});
