import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommand } from '../../../../engine/document/commands.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { SentCommand } from '../../../../src/contract/entities.ts';
import { asSent } from '../../../../src/contract/hanging.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('proposals on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  let mutation = 0;
  const commit = (room: number, commands: SentCommand[], as = client) =>
    as.rooms.commit({
      params: { id: room },
      body: { client: `proposal ${room}`, mutation: ++mutation, commands },
    });
  const add = async (room: number, fields: Record<string, unknown>, parent: number | null = null) => {
    const { ids } = await commit(room, [{ type: 'element.add', element: { id: -1, ...fields }, parent }]);
    return ids['-1']!;
  };
  const update = (room: number, id: number, fields: Record<string, unknown>) =>
    commit(room, [{ type: 'element.update', id, fields }]);
  const remove = (room: number, id: number) => commit(room, [{ type: 'element.remove', id }]);
  const read = (id: number) => client.rooms.read({ params: { id }, query: { seq: '1' } });
  const log = async (id: number) => (await client.rooms.log({ params: { id } })).entries;
  const proposalFor = async (room: number, name = 'Autumn') => {
    const { id, branch_id, element_ids } = await client.proposals.create({ params: { id: room }, body: { name } });
    return { id, branch: branch_id!, of: (element: number) => element_ids[element]! };
  };
  const review = (id: number) => client.proposals.read({ params: { id } });
  const merge = (id: number, body: { without?: string[]; seq?: number; branch_seq?: number } = {}) =>
    client.proposals.merge({ params: { id }, body });

  /** A space with a view point, a button that leads to it, and a group with a text. */
  const furnished = async (title = 'Hall') => {
    const room = (await client.rooms.create({ body: { title } })).id;
    const seat = await add(room, { element: 'view_point', name: 'Seat' });
    const navigation = { type: 'view_point', type_config: { view_point_id: seat } };
    const sit = await add(room, { element: 'button', name: 'Sit', config: { navigation } });
    const group = await add(room, { element: 'group', name: 'Desk' });
    const text = await add(room, { element: 'text', name: 'Label' }, group);
    return { room, seat, sit, group, text };
  };

  it('changes stay in the proposal until they are merged, as one change that one undo reverts', async () => {
    const { room, seat, sit, text } = await furnished();
    const before = await read(room);
    const { id, branch, of } = await proposalFor(room);
    expect((await read(branch)).branch_of).toBe(room);
    await update(branch, of(sit), { name: 'Sit down', position_x: 40, position_y: 5 });
    const stool = await add(branch, { element: 'view_point', name: 'Stool' });
    const navigation = { type: 'view_point', type_config: { view_point_id: stool } };
    await add(branch, { element: 'button', name: 'Sit on the stool', config: { navigation } });
    await remove(branch, of(text));
    await commit(branch, [{ type: 'room.update', fields: { title: 'Great hall' } }]);
    expect(await read(room)).toEqual({ ...before, timestamp_current: expect.any(Number) });

    const { changes } = await review(id);
    expect(changes.map(({ key, text, is_conflict }) => [key, text, is_conflict])).toEqual([
      ['room title', 'Title “Hall” → “Great hall”', false],
      [String(stool), '“Stool” added', false],
      [expect.any(String), '“Sit on the stool” added', false],
      [String(text), '“Label” removed from “Desk”', false],
      [`${sit} position`, '“Sit down” moved from 0, 0, 0 to 40, 5, 0', false],
      [`${sit} name`, '“Sit” renamed to “Sit down”', false],
    ]);

    const merged = await merge(id);
    expect(merged).toMatchObject({ state: 'merged', branch_id: null, closed_by: api.one.admin.email, changes: [] });
    const after = await read(room);
    expect(after.title).toBe('Great hall');
    const named = (name: string) => after.elements.find((element) => element.name === name)!;
    expect(named('Sit down')).toMatchObject({ id: sit, position_x: 40, position_y: 5 });
    expect(named('Sit down').config).toMatchObject({ navigation: { type_config: { view_point_id: seat } } });
    // New elements have ids of their own, and still refer to each other.
    expect(named('Stool').id).not.toBe(stool);
    expect(named('Sit on the stool').config).toMatchObject({
      navigation: { type_config: { view_point_id: named('Stool').id } },
    });
    expect(named('Desk').children).toEqual([]);
    const entry = (await log(room)).at(-1)!;
    expect(entry).toMatchObject({ seq: before.seq! + 1, origin: 'proposal' });
    expect((await refused(read(branch))).status).toBe(404);

    await commit(room, entry.inverses.map(readCommand).map(asSent));
    expect((await read(room)).elements).toEqual(before.elements);
  });

  it('takes what both sides changed, and marks where they conflict; the merge takes the chosen side', async () => {
    const { room, sit, group, text, seat } = await furnished();
    const { id, branch, of } = await proposalFor(room);
    await update(branch, of(sit), { name: 'Theirs', position_x: 10 });
    await update(branch, of(text), { name: 'Theirs' });
    await update(branch, of(seat), { name: 'Stool' });
    await update(room, sit, { name: 'Ours', position_z: 7 });
    await update(room, text, { position_y: 3 });
    await remove(room, group);
    const { changes } = await review(id);
    expect(Object.fromEntries(changes.map(({ key, is_conflict }) => [key, is_conflict]))).toEqual({
      [String(text)]: true,
      [`${sit} name`]: true,
      [`${sit} position`]: false,
      [`${seat} name`]: false,
    });
    await merge(id, { without: [`${sit} name`, String(text)] });
    const { elements } = await read(room);
    expect(elements.map(({ name }) => name)).toEqual(['Stool', 'Ours']);
    expect(elements[1]).toMatchObject({ position_x: 10, position_z: 7 });
  });

  it('leaves out single changes, with everything inside an addition or a removal', async () => {
    const { room, sit, group } = await furnished();
    const { id, branch, of } = await proposalFor(room);
    const shelf = await add(branch, { element: 'group', name: 'Shelf' });
    await add(branch, { element: 'text', name: 'Book' }, shelf);
    await remove(branch, of(group));
    await update(branch, of(sit), { name: 'Sit down' });
    await merge(id, { without: [String(shelf), String(group)] });
    const { elements } = await read(room);
    expect(elements.map(({ name }) => name)).toEqual(['Seat', 'Sit down', 'Desk']);
    expect(elements[2]!.children.map(({ name }) => name)).toEqual(['Label']);
  });

  it('refuses to merge what was not reviewed, and a closed proposal', async () => {
    const { room, sit } = await furnished();
    const { id, branch, of } = await proposalFor(room);
    await update(branch, of(sit), { name: 'One' });
    const { seq, branch_seq } = await review(id);
    await update(branch, of(sit), { name: 'Two' });
    expect((await refused(merge(id, { seq, branch_seq: branch_seq! }))).status).toBe(409);
    await update(room, sit, { position_x: 3 });
    expect((await refused(merge(id, { seq, branch_seq: branch_seq! + 1 }))).status).toBe(409);
    expect((await read(room)).elements[1]).toMatchObject({ name: 'Sit', position_x: 3 });
    const results = await Promise.allSettled([merge(id), merge(id), merge(id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await log(room)).filter(({ origin }) => origin === 'proposal')).toHaveLength(1);
    expect((await refused(merge(id))).status).toBe(422);
    expect((await refused(client.proposals.discard({ params: { id } }))).status).toBe(422);
  });

  it('discards a proposal with its content; a removed space takes its proposals along', async () => {
    const { room } = await furnished();
    const { id, branch } = await proposalFor(room);
    const before = await read(room);
    await client.proposals.discard({ params: { id } });
    expect(await read(room)).toEqual({ ...before, timestamp_current: expect.any(Number) });
    expect((await refused(read(branch))).status).toBe(404);
    const other = await proposalFor(room);
    await client.rooms.remove({ params: { id: room } });
    expect((await refused(review(other.id))).status).toBe(404);
    expect((await refused(read(other.branch))).status).toBe(404);
  });

  it('keeps the content of proposals out of lists, structures, publications and quotas', async () => {
    const { room } = await furnished('Only once');
    const { id, branch } = await proposalFor(room);
    const listed = await client.rooms.list({ query: { search: 'Only once' } });
    expect(listed.data.map((each) => each.id)).toEqual([room]);
    expect((await refused(client.endpoints.create({ body: { name: 'Door', room_id: branch } }))).status).toBe(422);
    expect((await refused(client.publications.publish({ params: { id: branch }, body: {} }))).status).toBe(422);
    expect((await refused(client.rooms.remove({ params: { id: branch } }))).status).toBe(422);
    expect((await refused(client.rooms.move({ params: { id: branch }, body: { folder_id: null } }))).status).toBe(422);
    expect((await refused(client.proposals.create({ params: { id: branch }, body: { name: 'Nested' } }))).status).toBe(
      422,
    );
    expect((await client.proposals.list({ query: { room_id: room, state: 'open' } })).data).toMatchObject([{ id }]);
  });

  it('a key that may not publish can propose, but not merge into a space that visitors see as it is edited', async () => {
    const { room, sit } = await furnished();
    await client.endpoints.create({ body: { name: `Door ${room}`, room_id: room } });
    const session = api.client({ token: await api.signIn(api.one.admin) });
    const { key } = await session.apiKeys.create({
      body: { name: 'Agent', policies: allPolicies(), scopes: ['write'] },
    });
    const agent = api.client({ token: key });
    expect(
      (await refused(commit(room, [{ type: 'element.update', id: sit, fields: { name: 'Live' } }], agent))).status,
    ).toBe(403);
    const { id, branch_id, element_ids } = await agent.proposals.create({
      params: { id: room },
      body: { name: 'By an agent', is_agent: true },
    });
    await commit(branch_id!, [{ type: 'element.update', id: element_ids[sit]!, fields: { name: 'Proposed' } }], agent);
    expect((await refused(agent.proposals.merge({ params: { id }, body: {} }))).status).toBe(403);
    expect(await review(id)).toMatchObject({ state: 'open', is_agent: true });
    await merge(id);
    expect((await read(room)).elements[1]!.name).toBe('Proposed');
  });
});
