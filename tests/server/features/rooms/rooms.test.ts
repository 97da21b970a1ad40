import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRoom } from '../../../../engine/document/room.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('rooms on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  it('comes back as it was made, and every answer is a document that the engine reads', async () => {
    const { rooms } = api.client();
    const made = await rooms.create({
      body: {
        title: 'Red hall',
        description: '<p>Hi</p>',
        width: 1234,
        config: { ambient_light: 2 },
        angle: { x: 1, y: 2, z: 3 },
      },
    });
    expect(made).toMatchObject({ name: 'Red hall', width: 1234, height: 1000, angle: { x: 1, y: 2, z: 3 } });
    const read = await rooms.read({ params: { id: made.id } });
    expect(read).toEqual(made);
    const { policies, updated_at, timestamp_current, timestamp_start_of_day, timestamp_end_of_day, ...document } = read;
    expect(parseRoom(document)).toEqual(document);
    expect(timestamp_current * 1000).toBe(api.clock.now());
    expect(timestamp_end_of_day - timestamp_start_of_day).toBe(86_400);
  });

  it('takes what is not given from its template', async () => {
    const { rooms, templates } = api.client();
    const template = await templates.create({
      body: { name: 'Hall', width: 111, height: 222, depth: 333, config: { camera: { fov: 77 }, animate: true } },
    });
    const room = await rooms.create({ body: { title: 'A', template_id: template.id, height: 5 } });
    expect(room).toMatchObject({ width: 111, height: 5, depth: 333, template_id: template.id });
    expect(room.config.camera.fov).toBe(77);
    expect(room.config.animate).toBe(true);
    expect(room.template).toMatchObject({ id: template.id, name: 'Hall' });
  });

  it('changes only the fields that an edit names, and settings one level deep', async () => {
    const { rooms } = api.client();
    const made = await rooms.create({
      body: { title: 'A', name: 'Own name', width: 7, config: { ambient_light: 3, duration: 60 } },
    });
    const changed = await rooms.update({ params: { id: made.id }, body: { title: 'B', config: { animate: true } } });
    expect(changed).toMatchObject({ title: 'B', name: 'Own name', width: 7 });
    expect(changed.config).toMatchObject({ ambient_light: 3, duration: 60, animate: true });
    const renamed = await rooms.update({ params: { id: made.id }, body: { name: '' } });
    expect(renamed.name).toBe('B');
  });

  it('security 55: refuses an edit of a version that is no longer current, and says which one is', async () => {
    const { rooms } = api.client();
    const { id, updated_at } = await rooms.create({ body: { title: 'A' } });
    const second = await rooms.update({ params: { id }, body: { title: 'B', updated_at } });
    expect(second.updated_at > updated_at).toBe(true);
    const error = await refused(rooms.update({ params: { id }, body: { title: 'C', updated_at } }));
    expect(error.code).toBe('stale');
    expect(error.msg.updated_at).toEqual([second.updated_at]);
    expect((await rooms.read({ params: { id } })).title).toBe('B');
    await rooms.update({ params: { id }, body: { title: 'C' } });
  });

  it('is as new as its elements, whose edits are not in the way of those of its settings', async () => {
    const { rooms, elements } = api.client();
    const { id, updated_at } = await rooms.create({ body: { title: 'A' } });
    const element = await rooms.addElement({ params: { id }, body: { element: 'group' } });
    const added = (await rooms.read({ params: { id } })).updated_at;
    expect(added > updated_at).toBe(true);
    await elements.update({ params: { id: element.id }, body: { name: 'Wall' } });
    const read = await rooms.read({ params: { id } });
    expect(read.updated_at > added).toBe(true);
    expect((await rooms.list({ query: {} })).data.find((room) => room.id === id)!.updated_at).toBe(read.updated_at);
    const settled = await rooms.update({ params: { id }, body: { title: 'B', updated_at } });
    expect(settled.title).toBe('B');
    const { width } = await rooms.update({ params: { id }, body: { width: 12, updated_at: added } });
    expect(width).toBe(12);
    expect((await refused(rooms.update({ params: { id }, body: { title: 'C', updated_at: added } }))).code).toBe(
      'stale',
    );
    const future = '2999-01-01T00:00:00.000Z';
    expect((await refused(rooms.update({ params: { id }, body: { title: 'C', updated_at: future } }))).code).toBe(
      'stale',
    );
  });

  it('names the field that is wrong, and changes nothing', async () => {
    const { rooms } = api.client();
    const { id } = await rooms.create({ body: { title: 'A' } });
    const error = await refused(
      rooms.update({ params: { id }, body: { title: 'B', config: { camera: { near: 10, far: 5 } } } }),
    );
    expect(error.code).toBe('invalid');
    expect(error.msg).toHaveProperty(['config.camera.near']);
    expect((await rooms.read({ params: { id } })).title).toBe('A');
    expect((await refused(rooms.create({ body: { title: '  ' } }))).msg).toEqual({
      title: ['Give the space a title.'],
    });
  });

  it('security 35: keeps no script of a description, a pop-up or a link', async () => {
    const { rooms } = api.client();
    const evil = '<p onclick="x()">Hi<script>x()</script><img src=x onerror=x()><a href="javascript:x()">y</a></p>';
    const link = { name: 'L', navigation: { type: 'modal_content' as const, type_config: { content: evil } } };
    const room = await rooms.create({
      body: { title: 'A', description: evil, config: { timed_popup_text: evil, top_left_link: link } },
    });
    const texts = [
      room.description,
      room.config.timed_popup_text,
      (room.config.top_left_link!.navigation as { type_config: { content: string } }).type_config.content,
    ];
    for (const text of texts) {
      expect(text).toContain('Hi');
      expect(text).not.toMatch(/script|onclick|onerror|javascript/);
    }
  });

  it('copies a room so that everything inside points into the copy', async () => {
    const { rooms, elements } = api.client();
    const room = await rooms.create({ body: { title: 'A' } });
    const add = (body: Parameters<typeof rooms.addElement>[0]['body']) =>
      rooms.addElement({ params: { id: room.id }, body });
    const group = await add({ element: 'group', name: 'G' });
    const view = await add({ element: 'view_point', name: 'V', parent_element_id: group.id });
    const navigation = { type: 'view_point' as const, type_config: { view_point_id: view.id } };
    await add({ element: 'button', name: 'B', config: { navigation } });
    await add({ element: 'light', name: 'L', config: { target: { type: 'Element', element_id: group.id } } });
    await rooms.update({
      params: { id: room.id },
      body: {
        config: {
          top_left_link: { name: 'x', navigation },
          timed_popup_action_left: { name: 'y', navigation },
        },
      },
    });
    const copy = await rooms.copy({ params: { id: room.id } });
    expect(copy.title).toBe('A (copy)');
    const [g, b, l] = copy.elements;
    const [v] = g!.children;
    expect([g!.name, v!.name, b!.name, l!.name]).toEqual(['G', 'V', 'B', 'L']);
    const old = new Set((await elements.list({ query: { room_id: room.id } })).map(({ id }) => id));
    for (const element of [g, v, b, l]) expect(old.has(element!.id)).toBe(false);
    const target = { type: 'view_point', type_config: { view_point_id: v!.id } };
    expect(b!.config).toMatchObject({ navigation: target });
    expect(l!.config).toMatchObject({ target: { type: 'Element', element_id: g!.id } });
    expect(copy.config.top_left_link?.navigation).toEqual(target);
    expect(copy.config.timed_popup_action_left?.navigation).toEqual(target);
    const original = await rooms.read({ params: { id: room.id } });
    expect(original.config.top_left_link?.navigation).toEqual(navigation);
  });

  it('keeps a link out of the room as it is when copying', async () => {
    const { rooms } = api.client();
    const room = await rooms.create({ body: { title: 'A' } });
    const body = {
      element: 'button' as const,
      config: { navigation: { type: 'view_point' as const, type_config: { view_point_id: 999_999 } } },
    };
    await rooms.addElement({ params: { id: room.id }, body });
    const copy = await rooms.copy({ params: { id: room.id } });
    expect(copy.elements[0]!.config).toMatchObject({ navigation: { type_config: { view_point_id: 999_999 } } });
  });

  it('goes away with its elements, and structures that show it stay without it', async () => {
    const { rooms, elements, endpoints } = api.client();
    const room = await rooms.create({ body: { title: 'A' } });
    const element = await rooms.addElement({ params: { id: room.id }, body: { element: 'group' } });
    const endpoint = await endpoints.create({ body: { name: 'Gone soon', room_id: room.id } });
    await rooms.remove({ params: { id: room.id } });
    expect((await refused(rooms.read({ params: { id: room.id } }))).code).toBe('not_found');
    expect((await refused(elements.read({ params: { id: element.id } }))).code).toBe('not_found');
    expect(await endpoints.read({ params: { id: endpoint.id } })).toMatchObject({ room_id: null, room: null });
  });

  it('is found by every word of a search, whatever its case, page by page', async () => {
    const { rooms } = api.client(await api.addOrganization('search.example').then(({ admin }) => admin));
    for (const title of ['Émile 100% Hall', 'Émile Cellar', 'Other']) await rooms.create({ body: { title } });
    const titles = async (query: object) => (await rooms.list({ query })).data.map(({ title }) => title);
    expect(await titles({ search: 'HALL émile' })).toEqual(['Émile 100% Hall']);
    expect(await titles({ search: '100%' })).toEqual(['Émile 100% Hall']);
    expect(await titles({ search: '_' })).toEqual([]);
    expect(await titles({ per_page: 2, page: 2 })).toHaveLength(1);
  });

  it('security 56: a copy made while its original is removed is whole or not there', async () => {
    const { rooms } = api.client();
    for (let round = 0; round < 5; round++) {
      const room = await rooms.create({ body: { title: `R${round}` } });
      for (let index = 0; index < 5; index++)
        await rooms.addElement({ params: { id: room.id }, body: { element: 'group' } });
      const [copy] = await Promise.allSettled([
        rooms.copy({ params: { id: room.id } }),
        rooms.remove({ params: { id: room.id } }),
      ]);
      if (copy.status === 'fulfilled') expect(copy.value.elements).toHaveLength(5);
      else expect(copy.reason).toMatchObject({ code: 'not_found' });
    }
  });
});
