import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { sweepChanges } from '../../../../src/server/core/changes/change-log.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { PIXEL } from './changing-requests.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('bringing back what was removed, on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let room: number;
  let group: number;
  let image: number;
  let template: number;
  let picture: number;
  let endpoint: number;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    template = (await client.templates.create({ body: { name: 'Inner' } })).id;
    picture = (await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } })).id;
    room = (await client.rooms.create({ body: { title: 'Hall', template_id: template } })).id;
    const add = async (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      (await client.rooms.addElement({ params: { id: room }, body })).id;
    await add({ element: 'group', name: 'Before' });
    group = await add({ element: 'group', name: 'Group' });
    await add({ element: 'group', name: 'After' });
    image = await add({ element: 'image', name: 'Picture', file_id: picture, parent_element_id: group });
    endpoint = (await client.endpoints.create({ body: { name: 'Door', room_id: room } })).id;
  });
  afterAll(() => api.close());

  const read = async () => {
    const { timestamp_current, updated_at, ...document } = await client.rooms.read({ params: { id: room } });
    return document;
  };
  const latest = async () => (await client.history.list({ query: { removed: '1' } })).data[0]!.id;
  const restore = (id: number) => client.history.restore({ params: { id } });
  const removeRoom = async () => {
    await client.rooms.remove({ params: { id: room } });
    return latest();
  };
  const removeGroup = async () => {
    await client.elements.remove({ params: { id: group } });
    return latest();
  };
  const said = async (attempt: Promise<unknown>) => {
    const { status, message } = await refused(attempt);
    return `${status} ${message}`;
  };

  it('a space comes back as it was, under its ids, and its structures show it again', async () => {
    const before = await read();
    await api.send('GET', `/api/v1/endpoints/door`);
    const entry = await removeRoom();
    expect((await client.endpoints.read({ params: { id: endpoint } })).room_id).toBeNull();
    api.clock.advance(29 * DAY);
    client = api.client({ token: await api.signIn(organization.admin) });
    expect(await restore(entry)).toEqual({ entity: 'room', id: room, room_id: room, missing: [] });
    expect(await read()).toMatchObject({
      ...before,
      timestamp_start_of_day: expect.anything(),
      timestamp_end_of_day: expect.anything(),
    });
    expect((await client.endpoints.read({ params: { id: endpoint } })).room_id).toBe(room);
    expect((await client.history.list({ query: { removed: '1' } })).data).toEqual([]);
    expect((await client.history.list()).data[0]).toMatchObject({ action: 'restore', entity: 'room', entity_id: room });
    // New elements get ids of their own.
    const added = await client.rooms.addElement({ params: { id: room }, body: { element: 'group' } });
    expect(added.id).toBeGreaterThan(image);
  });

  it('a structure that shows another space by then goes on showing it', async () => {
    const entry = await removeRoom();
    const other = (await client.rooms.create({ body: { title: 'Other' } })).id;
    await client.endpoints.update({ params: { id: endpoint }, body: { room_id: other } });
    await restore(entry);
    expect((await client.endpoints.read({ params: { id: endpoint } })).room_id).toBe(other);
  });

  it('comes back once: also of several attempts at once one wins, and a later removal has its own entry', async () => {
    const entry = await removeRoom();
    const attempts = await Promise.allSettled([restore(entry), restore(entry), restore(entry)]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await said(restore(entry))).toBe('422 This space already exists.');
    const again = await removeRoom();
    expect(await said(restore(entry))).toMatch(/^422 This space can't be restored from this entry/);
    await restore(again);
    expect((await read()).elements).toHaveLength(3);
  });

  it('an element comes back to its place with all that stood below it', async () => {
    const before = await read();
    const entry = await removeGroup();
    expect((await client.history.list()).data[0]!.before).toMatchObject({ name: 'Group', elements: 2 });
    expect(await restore(entry)).toEqual({ entity: 'element', id: group, room_id: room, missing: [] });
    expect(await read()).toEqual(before);
    expect(await said(restore(entry))).toBe('422 This element already exists.');
  });

  it('an element whose parent is gone comes to the top; one whose space is gone waits for it', async () => {
    await client.elements.remove({ params: { id: image } });
    const entry = await latest();
    await removeGroup();
    await restore(entry);
    expect((await read()).elements.map(({ name }) => name)).toContain('Picture');
    await client.elements.remove({ params: { id: image } });
    const second = await latest();
    const removal = await removeRoom();
    expect(await said(restore(second))).toBe(
      '422 The space of this element no longer exists. Restore the space first.',
    );
    await restore(removal);
    await restore(second);
  });

  it('files and templates that are gone are left out and named', async () => {
    const entry = await removeRoom();
    await client.media.remove({ params: { id: picture } });
    await client.templates.remove({ params: { id: template } });
    expect((await restore(entry)).missing).toEqual(['Template Inner', 'File pixel.png']);
    const restored = await read();
    expect(restored.template_id).toBeNull();
    expect(restored.elements[1]!.children[0]).toMatchObject({ name: 'Picture', file_id: null });
    expect((await client.history.list()).data[0]!.after).toMatchObject({
      missing: ['Template Inner', 'File pixel.png'],
    });
  });

  it('after thirty days it can no longer be restored, swept or not', async () => {
    const entry = await removeRoom();
    const young = await client.rooms.create({ body: { title: 'Young' } });
    api.clock.advance(20 * DAY);
    client = api.client({ token: await api.signIn(organization.admin) });
    await client.rooms.remove({ params: { id: young.id } });
    const second = await latest();
    api.clock.advance(10 * DAY + 1);
    client = api.client({ token: await api.signIn(organization.admin) });
    expect(await said(restore(entry))).toMatch(/^422 This space can't be restored/);
    await sweepChanges(api.services);
    const records = api.services.db.selectFrom('change_rows').select('id').where('change_id', '=', entry);
    expect(await records.execute()).toEqual([]);
    const { is_restorable, before } = await api.services.db
      .selectFrom('changes')
      .selectAll()
      .where('id', '=', entry)
      .executeTakeFirstOrThrow();
    expect([is_restorable, JSON.parse(before!).title]).toEqual([0, 'Hall']);
    await restore(second);
    api.clock.advance(366 * DAY);
    await api.restart();
    client = api.client({ token: await api.signIn(organization.admin) });
    expect((await client.history.list()).meta.total).toBe(0);
  });

  it('only removals can be restored, by whoever may; an element asks for the right to change', async () => {
    const [created] = (await client.history.list({ query: { entity: 'room' } })).data;
    expect(await said(restore(created!.id))).toBe('422 This entry has nothing to restore.');
    const entry = await removeGroup();
    const rooms = { view_any: false, create: true, update: false, delete: false };
    const { token } = await api.addUser(organization, { rooms });
    expect((await api.call(calls.history.restore, { id: entry }, { token })).status).toBe(403);
    const stranger = await api.call(calls.history.restore, { id: entry }, { token: await api.signIn(api.two.admin) });
    expect(stranger.status).toBe(404);
    await restore(entry);
  });
});
