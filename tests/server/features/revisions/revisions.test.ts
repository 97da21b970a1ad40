import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { differences, sentenceOf } from '../../../../engine/document/difference.ts';
import { flatRoom } from '../../../../engine/document/room.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { AUTOMATIC_REVISION_INTERVAL, MAX_REVISIONS } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { PIXEL } from '../history/changing-requests.ts';

type Body = Parameters<Client['rooms']['addElement']>[0]['body'];

describe.each(databases)('revisions of a space, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let wall: number;
  let portrait: number;
  let picture: number;
  let door: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    picture = (await client.media.upload({ body: {}, files: { file: new File([PIXEL], `${room}.png`) } })).id;
    wall = await add({ element: 'group', name: 'Wall' });
    portrait = await add({ element: 'image', name: 'Portrait', file_id: picture, parent_element_id: wall });
    door = await add({ element: 'button', name: 'Door' });
  });

  const add = async (body: Body) => (await client.rooms.addElement({ params: { id: room }, body })).id;
  const list = () => client.revisions.list({ params: { id: room } });
  const make = (name?: string) => client.revisions.create({ params: { id: room }, body: name ? { name } : {} });
  const restore = (id: number, element_id?: number) =>
    client.revisions.restore({ params: { id }, body: element_id ? { element_id } : {} });
  const document = async () => {
    const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, updated_at, policies, ...rest } =
      await client.rooms.read({ params: { id: room } });
    return rest;
  };
  /** Changes of every kind: fields, places, order, what is there and what is not. */
  const upset = async () => {
    await client.rooms.update({ params: { id: room }, body: { title: 'Other', config: { ambient_light: 3 } } });
    await client.elements.position({ params: { id: door }, body: { position_x: 70 } });
    await client.elements.update({ params: { id: portrait }, body: { parent_element_id: null } });
    await client.elements.remove({ params: { id: wall } });
    await add({ element: 'text', name: 'New' });
    await client.elements.reorder({ body: { sort: [portrait, door] } });
  };

  it('a space becomes what it was, under the same ids, and what it was before can be had again', async () => {
    const before = await document();
    const { id } = await make('Opening');
    const seen = await client.elements.read({ params: { id: door } });
    await upset();
    const upside = await document();
    expect(differences(flatRoom(before), flatRoom(upside)).map(sentenceOf)).toEqual([
      'Title “Hall” → “Other”',
      'Ambient light 1 → 3',
      '“New” added',
      '“Wall” removed',
      '“Portrait” moved to the top level, out of “Wall”',
      '“Door” moved from 0, 0, 0 to 70, 0, 0',
    ]);
    const full = await client.revisions.read({ params: { id } });
    expect(full.room).toEqual(before);
    const restored = await restore(id);
    expect(restored).toMatchObject({ room_id: room, element_id: null, missing: [] });
    expect(await document()).toEqual(before);
    const [entry] = (await client.history.list({ query: { room_id: room } })).data;
    expect(entry).toMatchObject({
      action: 'restore',
      entity: 'room',
      after: { revision: 'Opening', elements: { added: 1, removed: 1, changed: 2 } },
    });
    // Whoever edits on what they saw before is told that it is not what is stored.
    const stale = client.elements.update({
      params: { id: door },
      body: { position_x: 1, updated_at: seen.updated_at },
    });
    expect((await refused(stale)).code).toBe('stale');
    await restore(restored.before_id);
    expect(await document()).toEqual(upside);
    // What is put into a group again after all that finds its place.
    expect(await add({ element: 'light' })).toBeGreaterThan(door);
  });

  it('one element becomes what it was, and one that is gone comes back with all that was in it', async () => {
    const before = await document();
    const { id } = await make('Opening');
    await client.elements.position({ params: { id: portrait }, body: { position_x: 9 } });
    await client.elements.update({ params: { id: door }, body: { name: 'Gate' } });
    expect(await restore(id, portrait)).toMatchObject({ element_id: portrait, missing: [] });
    expect((await client.elements.read({ params: { id: portrait } })).position_x).toBe(0);
    expect((await client.elements.read({ params: { id: door } })).name).toBe('Gate');
    await client.elements.update({ params: { id: portrait }, body: { parent_element_id: null } });
    await restore(id, portrait);
    expect((await client.elements.read({ params: { id: portrait } })).parent_element_id).toBe(wall);
    await client.elements.remove({ params: { id: wall } });
    await restore(id, wall);
    await restore(id, door);
    expect(await document()).toEqual(before);
    const later = await add({ element: 'text' });
    const error = await refused(restore(id, later));
    expect([error.status, Object.keys(error.msg)]).toEqual([422, ['element_id']]);
  });

  it('an element whose group is gone comes to the top; a file and a template that are gone are named', async () => {
    const template = (await client.templates.create({ body: { name: `Shell ${room}` } })).id;
    await client.rooms.update({ params: { id: room }, body: { template_id: template } });
    const { id } = await make('Opening');
    await client.elements.remove({ params: { id: wall } });
    await client.media.remove({ params: { id: picture }, query: { force: '1' } });
    await client.rooms.update({ params: { id: room }, body: { template_id: null } });
    await client.templates.remove({ params: { id: template } });
    expect(await restore(id, portrait)).toMatchObject({ missing: [`File ${room}.png`] });
    expect(await client.elements.read({ params: { id: portrait } })).toMatchObject({
      parent_element_id: null,
      file_id: null,
    });
    expect((await restore(id)).missing.sort()).toEqual([`File ${room}.png`, `Template Shell ${room}`]);
    const after = await document();
    expect(after.elements.map(({ name }) => name)).toEqual(['Wall', 'Door']);
    expect(after.template_id).toBeNull();
  });

  it('an automatic one is made when something changed, and every ten minutes at most', async () => {
    const first = await make();
    expect(first).toMatchObject({ kind: 'automatic', name: '', elements: 3, user: { id: api.one.admin.id } });
    await client.elements.update({ params: { id: door }, body: { name: 'Gate' } });
    expect((await make()).id).toBe(first.id);
    api.clock.advance(AUTOMATIC_REVISION_INTERVAL + 1);
    const second = await make();
    expect(second.id).toBeGreaterThan(first.id);
    api.clock.advance(AUTOMATIC_REVISION_INTERVAL + 1);
    expect((await make()).id).toBe(second.id);
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id]);
    // A restore of what is there already keeps nothing twice.
    expect((await restore(second.id)).before_id).toBe(second.id);
  });

  it('the oldest automatic ones go, those with a name stay; a named automatic one stays as well', async () => {
    const kept = await make();
    await client.revisions.rename({ params: { id: kept.id }, body: { name: 'Worth keeping' } });
    const named = await make('Opening');
    const { db } = api.services;
    const [row] = await db.selectFrom('revisions').selectAll().where('id', '=', kept.id).execute();
    const { id: _id, ...values } = row!;
    const copies = (count: number, kind: string) =>
      db
        .insertInto('revisions')
        .values(Array.from({ length: count }, (_, index) => ({ ...values, kind, hash: `${index}` })))
        .execute();
    await copies(MAX_REVISIONS.automatic, 'automatic');
    api.clock.advance(AUTOMATIC_REVISION_INTERVAL + 1);
    const last = await make();
    const all = await list();
    expect(all).toHaveLength(MAX_REVISIONS.automatic + 2);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([kept.id, named.id, last.id]));
    await copies(MAX_REVISIONS.named - 2, 'named');
    const error = await refused(make('One too many'));
    expect([error.status, error.msg.name?.[0]]).toEqual([422, expect.stringContaining('Remove one first')]);
    await client.revisions.remove({ params: { id: kept.id } });
    await make('Fits again');
  });

  it('goes with its space; a large one is kept packed', async () => {
    await client.rooms.update({ params: { id: room }, body: { description: 'Welcome. '.repeat(5000) } });
    const { id } = await make('Opening');
    const { db } = api.services;
    const stored = () => db.selectFrom('revisions').select('content').where('id', '=', id).executeTakeFirst();
    expect((await stored())!.content.length).toBeLessThan(5000);
    expect((await client.revisions.read({ params: { id } })).room.description).toHaveLength(45_000);
    await client.rooms.remove({ params: { id: room } });
    expect(await stored()).toBeUndefined();
    expect((await refused(list())).status).toBe(404);
  });

  it('a restore that fails leaves everything as it was', async () => {
    const { id } = await make('Opening');
    await upset();
    const before = await api.dump();
    expect((await refused(restore(id, 999_999))).status).toBe(422);
    expect(await api.dump()).toBe(before);
  });

  it('security 35: HTML of a revision is made safe again when it comes back', async () => {
    const note = await add({ element: 'html', config: { body: '<p>Hello</p>' } });
    const { id } = await make('Opening');
    const { db } = api.services;
    const [row] = await db.selectFrom('revisions').selectAll().where('id', '=', id).execute();
    const text = gunzipSync(Buffer.from(row!.content.replace('gzip:', ''), 'base64')).toString();
    const content = text.replace('<p>Hello</p>', '<p onclick=steal()>Hello</p>');
    expect(content).not.toBe(text);
    await db.updateTable('revisions').set({ content }).where('id', '=', id).execute();
    await restore(id, note);
    const { config } = await client.elements.read({ params: { id: note } });
    expect(config).toMatchObject({ body: '<p>Hello</p>' });
  });
});
